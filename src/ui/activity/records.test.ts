import { describe, expect, it } from 'vitest';
import type { AuditRow, VerifyResult } from '../../engine/operations/running/audit.ts';
import { activityOutcome, callerOf, mergeRows, outcomeOf, shortMoment, textOf, verdictOf } from './records.ts';

function row(id: string, seq: number, more: Partial<AuditRow> = {}): AuditRow {
  return {
    id,
    seq,
    event: 'end',
    result: 'exited',
    exitCode: 0,
    timestamp: '2026-11-15T12:00:00.000Z',
    skill: 'tests:demo',
    folder: '/skills/demo',
    digest: 'sha256:0',
    tool: 'go',
    runtime: 'native',
    parameters: {},
    by: 'cli',
    unsafe: false,
    message: null,
    durationMs: 5,
    outputBytes: 0,
    enforcement: {},
    hash: '0',
    ...more,
  };
}

const begun = (id: string, seq: number): AuditRow =>
  row(id, seq, { event: 'start', result: 'running', exitCode: null });
const all = { skill: '', tool: '', result: '', id: '' };
const words = (rows: readonly AuditRow[]): string[] => rows.map(({ id, result }) => `${id} ${result}`);

describe('rows that are told of', () => {
  it('come first, the newest at the top', () => {
    expect(words(mergeRows([row('a', 1), row('b', 2)], [begun('c', 3)], all))).toEqual([
      'c running',
      'b exited',
      'a exited',
    ]);
  });

  it('end where they began, whatever began since', () => {
    const rows = mergeRows([], [begun('a', 1), begun('b', 2), row('a', 3)], all);
    expect(words(rows)).toEqual(['b running', 'a exited']);
  });

  it('do not begin again once they have ended', () => {
    expect(words(mergeRows([row('a', 2)], [begun('a', 1)], all))).toEqual(['a exited']);
  });

  it('are there once, even if they were asked for too', () => {
    expect(mergeRows([row('a', 2)], [begun('a', 1), row('a', 2)], all)).toHaveLength(1);
  });
});

describe('filters', () => {
  it('hold for what is told too', () => {
    const rows = [row('a', 1, { skill: 'other' }), row('b', 2, { tool: 'stop' }), row('c', 3, { result: 'denied' })];
    expect(words(mergeRows([], rows, { ...all, skill: 'demo', tool: 'go' }))).toEqual(['c denied']);
    expect(words(mergeRows([], rows, { ...all, result: 'exited' }))).toEqual(['b exited', 'a exited']);
    expect(words(mergeRows([], rows, { ...all, id: 'b' }))).toEqual(['b exited']);
  });

  it('let go of what ran, when only that was wanted', () => {
    expect(mergeRows([begun('a', 1)], [row('a', 2)], { ...all, result: 'running' })).toEqual([]);
  });

  it('take the last part of a name, and no part of a word', () => {
    const rows = [row('a', 1, { skill: 'x/demo' }), row('b', 2, { skill: 'nodemo' })];
    expect(words(mergeRows(rows, [], { ...all, skill: 'demo' }))).toEqual(['a exited']);
  });
});

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

const sound: VerifyResult = {
  ok: true,
  folder: '/state/audit',
  records: 1204,
  files: 2,
  checkpoints: 3,
  key: 'f00d',
  last: { seq: 1204, hash: 'beef' },
  archived: [],
  tornBytes: 0,
  broken: null,
};

describe('a chain that is whole', () => {
  it('is said to be, with what was checked', () => {
    const { tone, title, lines } = verdictOf(sound);
    expect(tone).toBe('good');
    expect(title).toBe('The chain is intact. Every record is as it was written.');
    expect(lines).toEqual([
      '1,204 valid records in 2 files, up to record 1204.',
      '3 signed checkpoints, with the right signature.',
      'Last valid record: beef',
      'Key: f00d',
      'Folder: /state/audit',
    ]);
  });

  it('tells what was put elsewhere, and what never became a record', () => {
    const archived = [{ file: '000001.jsonl', from: 1, to: 500 }];
    const { tone, lines } = verdictOf({ ...sound, archived, tornBytes: 17 });
    expect(tone).toBe('good');
    expect(lines).toContain('Records 1 to 500 were archived; the checkpoint in 000001.jsonl vouches for them.');
    expect(lines).toContain('17 bytes at the end never became a record: the process that wrote them was killed.');
  });

  it('may have nothing in it', () => {
    const empty = { ...sound, records: 0, files: 0, checkpoints: 0, key: null, last: null };
    expect(verdictOf(empty)).toEqual({
      tone: 'good',
      title: 'There is nothing to check yet.',
      lines: ['Folder: /state/audit'],
    });
  });
});

describe('a chain that is broken', () => {
  const broken = { file: 'audit.jsonl', line: 12, seq: 40, why: 'edited', message: 'its text does not match its hash' };

  it('is told with the exact place, and what to do', () => {
    const { tone, title, lines } = verdictOf({ ...sound, ok: false, broken: { ...broken, why: 'edited' } });
    expect(tone).toBe('bad');
    expect(title).toBe('The chain is broken. A record was changed.');
    expect(lines[0]).toBe('audit.jsonl, line 12, record 40: its text does not match its hash.');
    expect(lines.at(-1)).toContain('Leave the folder as it is');
  });

  it('names no place that is not known, and vouches for nothing without the key', () => {
    const place = { ...broken, why: 'key', line: null, seq: null, message: 'the key is not there' } as const;
    const { lines } = verdictOf({ ...sound, ok: false, key: null, broken: place });
    expect(lines[0]).toBe('audit.jsonl: the key is not there.');
    expect(lines).toContain('3 signed checkpoints, not checked.');
  });
});
