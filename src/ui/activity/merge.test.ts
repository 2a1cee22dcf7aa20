import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../engine/operations/audit.ts';
import { mergeRows } from './merge.ts';

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
const told = (rows: readonly AuditRow[]): string[] => rows.map(({ id, result }) => `${id} ${result}`);

describe('rows that are told of', () => {
  it('come first, the newest at the top', () => {
    expect(told(mergeRows([row('a', 1), row('b', 2)], [begun('c', 3)], all))).toEqual([
      'c running',
      'b exited',
      'a exited',
    ]);
  });

  it('end where they began, whatever began since', () => {
    const rows = mergeRows([], [begun('a', 1), begun('b', 2), row('a', 3)], all);
    expect(told(rows)).toEqual(['b running', 'a exited']);
  });

  it('do not begin again once they have ended', () => {
    expect(told(mergeRows([row('a', 2)], [begun('a', 1)], all))).toEqual(['a exited']);
  });

  it('are there once, even if they were asked for too', () => {
    expect(mergeRows([row('a', 2)], [begun('a', 1), row('a', 2)], all)).toHaveLength(1);
  });
});

describe('filters', () => {
  it('hold for what is told too', () => {
    const rows = [row('a', 1, { skill: 'other' }), row('b', 2, { tool: 'stop' }), row('c', 3, { result: 'denied' })];
    expect(told(mergeRows([], rows, { ...all, skill: 'demo', tool: 'go' }))).toEqual(['c denied']);
    expect(told(mergeRows([], rows, { ...all, result: 'exited' }))).toEqual(['b exited', 'a exited']);
    expect(told(mergeRows([], rows, { ...all, id: 'b' }))).toEqual(['b exited']);
  });

  it('let go of what ran, when only that was wanted', () => {
    expect(mergeRows([begun('a', 1)], [row('a', 2)], { ...all, result: 'running' })).toEqual([]);
  });

  it('take the last part of a name, and no part of a word', () => {
    const rows = [row('a', 1, { skill: 'x/demo' }), row('b', 2, { skill: 'nodemo' })];
    expect(told(mergeRows(rows, [], { ...all, skill: 'demo' }))).toEqual(['a exited']);
  });
});
