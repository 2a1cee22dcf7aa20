import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { foldedLines, groupsOf, indexInWords, lastingInWords, toneOfLevel, watcherInWords, whereOf } from './words.ts';

describe('the watcher', () => {
  const watcher = { folders: 12, intervalMs: 30_000, lookedAt: null };
  it.each([
    ['whole', 'good', 'changes are seen immediately'],
    ['behind', 'warn', 'are being read'],
    ['partial', 'warn', 'every 30 s'],
    ['off', '', 'every 30 s'],
  ] as const)('that is %s says what that means', (state, tone, more) => {
    const said = watcherInWords({ ...watcher, state });
    expect(said.tone).toBe(tone);
    expect(said.more).toContain(more);
  });
});

describe('the index', () => {
  const index = { embedder: 'built-in', path: null, bytes: null, growing: false };
  it.each([
    [0, 0, false, 'empty'],
    [10, 10, false, 'ready'],
    [4, 10, true, 'growing'],
    [4, 10, false, 'in part'],
  ])('of %d of %d is said', (ready, total, growing, text) => {
    expect(indexInWords({ ...index, ready, total, growing }).text).toBe(text);
  });
});

it('time goes by in the largest two units', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  const ago = (minutes: number): string => lastingInWords(new Date(now - minutes * 60_000).toISOString(), now);
  expect([0, 1, 59, 61, 1440 * 3 + 125].map(ago)).toEqual([
    'less than a minute',
    '1 minute',
    '59 minutes',
    '1 hour 1 min',
    '3 days 2 hours',
  ]);
  expect(ago(-5)).toBe('less than a minute');
});

it('a level that nobody knows has no colour', () => {
  expect(['error', 'warn', 'toString'].map(toneOfLevel)).toEqual(['bad', 'warn', '']);
});

describe('diagnostics', () => {
  const found = (severity: Diagnostic['severity'], message: string): Diagnostic => ({
    code: 'shadowed',
    severity,
    file: '/a/SKILL.md',
    line: 3,
    column: null,
    message,
    remedy: '',
  });

  it('are grouped, the gravest first, in their own order', () => {
    const groups = groupsOf([found('info', 'a'), found('error', 'b'), found('info', 'c')]);
    expect(groups.map(({ one, diagnostics }) => [one, diagnostics.map(({ message }) => message)])).toEqual([
      ['error', ['b']],
      ['note', ['a', 'c']],
    ]);
    expect(groupsOf([])).toEqual([]);
  });

  it('say where, as editors understand it', () => {
    expect(whereOf(found('info', ''))).toBe('/a/SKILL.md:3:1');
    expect(whereOf({ ...found('info', ''), line: null })).toBe('/a/SKILL.md');
  });
});

describe('the log', () => {
  it('folds lines that say the same one after the other into the last of them', () => {
    const line = (time: string, message: string) => ({ time, level: 'info', message });
    const folded = foldedLines([line('1', 'a'), line('2', 'b'), line('3', 'b'), line('4', 'a')]);
    expect(folded.map(({ time, message, times }) => [time, message, times])).toEqual([
      ['1', 'a', 1],
      ['3', 'b', 2],
      ['4', 'a', 1],
    ]);
  });
});
