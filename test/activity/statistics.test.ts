import { describe, expect, it } from 'vitest';
import { createTally } from '../../src/engine/activity/tally.ts';
import type { StatisticsOutput } from '../../src/engine/operations/machine/activity.ts';
import { appendEvents } from '../../src/run/audit/activity.ts';
import type { EndRecord } from '../../src/run/audit/read.ts';
import { endOf } from '../audit/records.ts';
import { lab } from '../execute/library.ts';
import { createWorld } from '../support/world.ts';
import { environmentOf, eventAt } from './log.ts';

const now = new Date('2026-11-15T12:30:00Z');
const at = (minutesAgo: number): string => new Date(now.getTime() - minutesAgo * 60_000).toISOString();

function rowAt(minutesAgo: number, more: Partial<EndRecord> = {}): EndRecord {
  return { seq: 1, prev: '', hash: '', mac: '', event: 'end', timestamp: at(minutesAgo), ...endOf('run'), ...more };
}

describe('statistics', () => {
  it('count what came of runs in each span, and how long those took that ended by themselves', () => {
    const tally = createTally(new Date(at(120)), now);
    for (const durationMs of [100, 200, 300, 400]) tally.ran(rowAt(60, { durationMs }));
    tally.ran(rowAt(60, { exitCode: 3, durationMs: 1000, client: 'codex', by: 'mcp' }));
    tally.ran(rowAt(5, { result: 'timeout', exitCode: null, durationMs: 30_000 }));
    // Somebody who ends a run has not failed.
    tally.ran(rowAt(5, { result: 'cancelled', exitCode: null, durationMs: 2000 }));
    tally.ran(rowAt(1, { result: 'denied', exitCode: null, durationMs: 0, skill: 'other' }));
    tally.noted({ ...eventAt(Date.parse(at(1))), execution: null });
    tally.noted({ ...eventAt(Date.parse(at(1)), { outcome: 'not-found', skill: 'typo' }), execution: null });
    tally.noted({ ...eventAt(Date.parse(at(1)), { what: 'searched', skill: null }), execution: null });
    const result = tally.result();
    expect(result).toMatchObject({ runs: 8, bucketMs: 5 * 60_000, since: at(120) });
    expect(result.durationMs).toEqual({ p50: 300, p90: 1000, p99: 1000, max: 1000 });
    expect(result.durationBySkill).toEqual([{ name: 'pods', count: 5, p50: 300, p90: 1000 }]);
    expect(result.denialsBySkill).toEqual([{ name: 'other', count: 1 }]);
    expect(result.loadsBySkill).toEqual([{ name: 'pdf', count: 1 }]);
    expect(result.clients).toEqual([
      { name: 'cli', count: 7 },
      { name: 'claude-code', count: 3 },
      { name: 'codex', count: 1 },
    ]);
    const filled = result.buckets.filter(({ from: _from, ...counts }) => Object.values(counts).some((one) => one > 0));
    expect(filled).toEqual([
      { from: at(60), succeeded: 4, failed: 1, cancelled: 0, denied: 0, searched: 0, loaded: 0 },
      { from: at(5), succeeded: 0, failed: 1, cancelled: 1, denied: 1, searched: 1, loaded: 2 },
    ]);
    // Without gaps, up to now.
    const times = result.buckets.map(({ from }) => Date.parse(from));
    for (const [place, time] of times.entries()) expect(time).toBe((times[0] ?? 0) + place * result.bucketMs);
    expect(now.getTime() - (times.at(-1) ?? 0)).toBeLessThan(result.bucketMs);
  });

  it('leave out what a person looks at in the console, which is no use of a skill', () => {
    const tally = createTally(new Date(at(120)), now);
    tally.noted({ ...eventAt(Date.parse(at(1)), { client: 'console' }), execution: null });
    tally.noted({ ...eventAt(Date.parse(at(1)), { client: 'console', what: 'searched' }), execution: null });
    const { clients, loadsBySkill, buckets } = tally.result();
    expect({ clients, loadsBySkill }).toEqual({ clients: [], loadsBySkill: [] });
    expect(buckets.every(({ searched, loaded }) => searched + loaded === 0)).toBe(true);
  });

  it('of nothing are nothing', () => {
    const { runs, durationMs, buckets } = createTally(new Date(at(60)), now).result();
    expect({ runs, durationMs }).toEqual({ runs: 0, durationMs: null });
    expect(buckets.length).toBeGreaterThan(20);
  });

  it('take in what a clock that was set back has put into the future', () => {
    const tally = createTally(new Date(at(60)), now);
    tally.ran(rowAt(-600));
    expect(tally.result().buckets.at(-1)).toMatchObject({ succeeded: 1 });
  });

  it('come from both logs, for programs and for people', async () => {
    const world = lab({ say: 'echo hi', fail: 'exit 3' });
    const long = 10 * 24 * 60 * 60 * 1000;
    appendEvents(environmentOf(world), [eventAt(Date.now() - long), eventAt(Date.now())]);
    await world.run(['run', 'lab:say']);
    await world.run(['run', 'lab:fail']);
    const week = (await world.run(['stats', '--json'])).json<StatisticsOutput>();
    expect(week).toMatchObject({ runs: 2, loadsBySkill: [{ name: 'pdf', count: 1 }], bucketMs: 3 * 60 * 60 * 1000 });
    expect(week.clients).toEqual([
      { name: 'cli', count: 2 },
      { name: 'claude-code', count: 1 },
    ]);
    const month = (await world.run(['stats', '--json', '--since', '30d'])).json<StatisticsOutput>();
    expect(month.loadsBySkill).toEqual([{ name: 'pdf', count: 2 }]);
    const { stdout } = await world.run(['stats']);
    expect(stdout).toMatch(/one column = 3 h/);
    expect(stdout).toMatch(/^ {2}runs +2 .*█/m);
    expect(stdout).toMatch(/half within \d+ ms/);
  });

  it('say what is wrong with a time that is none', async () => {
    const { code, stderr } = await createWorld().run(['stats', '--since', 'lately']);
    expect(code).toBe(2);
    expect(stderr).toContain("--since: 'lately' is not a valid time");
  });
});
