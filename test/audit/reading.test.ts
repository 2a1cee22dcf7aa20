import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type AuditRow, readAudit } from '../../src/run/audit/read.ts';
import { processorSeconds } from '../support/processor-time.ts';
import { Log } from './log.ts';
import { useWriters } from './processes.ts';
import { endOf, startOf } from './records.ts';

const start = useWriters();
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
const ids = (rows: readonly AuditRow[]): string[] => rows.map(({ id }) => id);

describe('the executions of a log', () => {
  it('are one row each, the newest last, over all files', async () => {
    const log = new Log();
    log.fill(60, { maxBytes: 8192 });
    const rows = await log.rows();
    expect(ids(rows)).toEqual(Array.from({ length: 60 }, (_, place) => `run-${place + 1}`));
    expect(rows[0]).toMatchObject({ event: 'end', result: 'exited', exitCode: 0, durationMs: 12.5, skill: 'pods' });
    expect(ids(await log.rows({ limit: 7 }))).toEqual(ids(rows).slice(-7));
    expect(await new Log().rows()).toEqual([]);
  });

  it('are chosen by what was asked for', async () => {
    const log = new Log();
    const audit = log.open();
    const executions = [
      endOf('a', { skill: 'claude:pdf', tool: 'read' }),
      endOf('b', { skill: 'claude:pdf', tool: 'write', result: 'denied', exitCode: null }),
      endOf('c', { skill: 'pods', tool: 'read', result: 'timeout' }),
    ];
    for (const one of executions) {
      audit.start(one);
      audit.end(one);
      await sleep(5);
    }
    const found = async (options: Parameters<Log['rows']>[0]): Promise<string[]> => ids(await log.rows(options));
    expect(await found({ skill: 'claude:pdf' })).toEqual(['a', 'b']);
    expect(await found({ skill: 'pdf' })).toEqual(['a', 'b']);
    expect(await found({ skill: 'df' })).toEqual([]);
    expect(await found({ tool: 'read' })).toEqual(['a', 'c']);
    expect(await found({ result: 'denied' })).toEqual(['b']);
    expect(await found({ id: 'c' })).toEqual(['c']);
    const [, second] = await log.rows();
    const time = new Date(second?.timestamp ?? '');
    expect(await found({ since: time })).toEqual(['b', 'c']);
    expect(await found({ until: time })).toEqual(['a', 'b']);
    expect(await found({ since: new Date(Date.now() + 3 * 86_400_000) })).toEqual([]);
  });

  it('are running while their process lives, and lost when it has died', async () => {
    const log = new Log();
    log.open().start(startOf('mine'));
    await start(log, ['other', '0']).ended;
    const open = log.open();
    open.start(startOf('theirs'));
    const rows = await log.rows();
    expect(rows.find(({ id }) => id === 'mine')).toMatchObject({ result: 'running', durationMs: null, exitCode: null });
    expect(rows.find(({ id }) => id === 'other-0')).toMatchObject({ result: 'lost', message: null });
    expect(ids(await log.rows({ result: 'running' }))).toEqual(['mine', 'theirs']);
  });

  it.runIf(canMount).each([
    [
      'running on another host that has the same home',
      ['/proc/sys/kernel/random/boot_id', '/etc/machine-id'],
      'running',
    ],
    ['lost in an earlier boot of this host', ['/proc/sys/kernel/random/boot_id'], 'lost'],
  ])('are %s', async (_, hidden, result) => {
    const log = new Log();
    const other = log.world.write('other', 'other\n');
    const script = [...hidden.map((path) => `mount --bind ${other} ${path}`), 'exec "$@"'].join(' && ');
    await start(log, ['other', '0'], ['unshare', '-rm', 'sh', '-c', script, 'sh']).ended;
    expect((await log.rows()).map((row) => [row.id, row.result])).toEqual([['other-0', result]]);
    log.rewrite((lines) => lines.map((line) => line.replace(/"timestamp":"\d{4}/, '"timestamp":"2020')));
    expect(
      (await log.rows()).map((row) => row.result),
      'long ago',
    ).toEqual(['lost']);
  });

  it('can be followed from file to file, until it is enough', async () => {
    const log = new Log();
    log.fill(3);
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { id } of readAudit(log.environment, { limit: 2, follow: stop.signal })) seen.push(id);
    })();
    const until = (length: number) => expect.poll(() => seen.length).toBe(length);
    await until(2);
    expect(seen).toEqual(['run-2', 'run-3']);
    const writer = start(log, ['next', '200', JSON.stringify({ maxBytes: 16_384 })]);
    await writer.ended;
    await until(202);
    expect(log.names().length).toBeGreaterThan(5);
    expect(seen.slice(2)).toEqual(Array.from({ length: 200 }, (_, place) => `next-${place + 1}`));
    stop.abort();
    await following;
  });

  it('can be followed before there are any', async () => {
    const log = new Log();
    const stop = new AbortController();
    const following = readAudit(log.environment, { follow: stop.signal });
    const first = following.next();
    await sleep(50);
    log.fill(1);
    expect((await first).value).toMatchObject({ id: 'run-1' });
    stop.abort();
    expect((await following.next()).done).toBe(true);
  });

  it('are read although somebody has tampered with the lines', async () => {
    const log = new Log();
    log.fill(3);
    log.rewrite((lines) => [
      ...lines.slice(0, 2),
      'null',
      '[]',
      '{"seq":3,"timestamp":"x","prev":"","event":"end","id":1,"skill":[],"tool":null}',
      '{"seq":3,"timestamp":"x","prev":"","event":"start","id":"a","skill":"b","tool":"c","process":7}',
      '\u0000',
      ...lines.slice(2),
    ]);
    expect(ids(await log.rows())).toEqual(['run-1', 'run-2', 'run-3']);
  });

  it('are twenty thousand records, and verified all the same', async () => {
    const log = new Log();
    log.fill(9_960);
    const verified = async () => {
      const { ok, records } = await log.verify();
      expect({ ok, records }).toEqual({ ok: true, records: 9_960 * 2 + Math.floor((9_960 * 2) / 255) });
    };
    expect(await processorSeconds(verified)).toBeLessThan(10);
    expect((await log.rows({ limit: 1 }))[0]?.id).toBe('run-9960');
  });
});
