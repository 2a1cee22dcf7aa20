import { describe, expect, it } from 'vitest';
import { activityOutcome, callerOf, outcomeOf, shortMoment, textOf } from './words.ts';

describe('what came of a run', () => {
  it.each([
    ['exited', 0, 'good', 'succeeded'],
    ['exited', 3, 'warn', 'failed with 3'],
    ['denied', null, 'bad', 'denied'],
    ['running', null, '', 'running'],
    ['cancelled', null, 'warn', 'cancelled'],
    ['output_limit', null, 'bad', 'too much output'],
    ['constructor', null, 'bad', 'constructor'],
  ])('%s %s is said', (result, exitCode, tone, text) => {
    expect(outcomeOf({ result, exitCode })).toEqual({ tone, text });
  });
});

describe('what came of anything', () => {
  it.each([
    ['searched', 'ok', 4, '', '4 found'],
    ['loaded', 'ok', null, 'good', 'ok'],
    ['loaded', 'not-found', null, 'bad', 'not-found'],
    ['ran', 'ok', null, 'good', 'succeeded'],
    ['ran', 'exited 2', null, 'warn', 'failed with 2'],
    ['ran', 'timeout', null, 'bad', 'timed out'],
  ] as const)('%s, %s is said', (what, outcome, hits, tone, text) => {
    expect(activityOutcome({ what, outcome, hits })).toEqual({ tone, text });
  });
});

it('a caller is the door, and who came through it', () => {
  expect(callerOf({ by: 'cli' })).toBe('cli');
  expect(callerOf({ by: 'mcp', client: 'claude-code' })).toBe('mcp (claude-code)');
});

it('a moment of today needs no day, and one of another year needs the year', () => {
  const now = new Date(2026, 10, 15, 18, 0, 0);
  const at = (...parts: [number, number, number, number]): string => new Date(...parts).toISOString();
  expect(shortMoment(at(2026, 10, 15, 9), now, 'en-GB')).toBe('09:00:00');
  expect(shortMoment(at(2026, 10, 14, 9), now, 'en-GB')).toBe('14 Nov, 09:00:00');
  expect(shortMoment(at(2025, 10, 14, 9), now, 'en-GB')).toBe('14 Nov 2025, 09:00:00');
  expect(shortMoment('no time', now, 'en-GB')).toContain('Invalid Date');
});

it('anything can be shown as text', () => {
  expect(textOf('as it is')).toBe('as it is');
  expect(textOf({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(textOf(undefined)).toBe('nothing');
});
