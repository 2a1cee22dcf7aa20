import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Log } from './log.ts';
import { useWriters, type Writer } from './processes.ts';

const start = useWriters();

/** Now from their first record on, now from the very start: a busy machine takes its time for that. */
async function someMoment(writers: readonly Writer[], round: number): Promise<void> {
  if (round % 2 === 0) await Promise.race(writers.map(({ begun }) => begun));
  await sleep(Math.random() * 100);
}

describe('several processes that write at the same time', () => {
  it('make one chain, and nothing is lost [C4-AUDIT-06]', async () => {
    const log = new Log();
    const names = Array.from({ length: 8 }, (_, number) => `p${number}`);
    // Small files, so that they are put aside while others write.
    const writers = names.map((name) =>
      start(log, [name, '500', JSON.stringify({ maxBytes: 1 << 19, lockTimeoutMs: 60_000 })]),
    );
    let isDone = false;
    const ended = Promise.all(writers.map((writer) => writer.ended)).finally(() => {
      isDone = true;
    });
    // Whoever verifies meanwhile takes no lock, and sees nothing that is not in order.
    while (!isDone) {
      expect((await log.verify()).broken).toBeNull();
      await sleep(100);
    }
    for (const { code } of await ended) expect(code).toBe(0);
    const result = await log.verify();
    expect(result.broken).toBeNull();
    const records = log.all();
    expect(result.records).toBe(records.length);
    for (const event of ['start', 'end']) {
      const ids = records.filter((record) => record.event === event).map((record) => ('id' in record ? record.id : ''));
      expect(ids.length).toBe(4000);
      expect(new Set(ids).size).toBe(4000);
    }
    expect(log.names().length).toBeGreaterThan(3);
    expect(readdirSync(log.folder).filter((name) => name.startsWith('.lock'))).toEqual([]);
  });

  it('leave a sound chain when they are killed at any moment, and the next one goes on', async () => {
    const log = new Log();
    const known = new Set<string>();
    for (let round = 0; round < 50; round++) {
      const options = JSON.stringify({ maxBytes: 1 << 16, checkpointEvery: 16 });
      const writers = ['a', 'b'].map((name) => start(log, [`${name}${round}`, '1000000', options]));
      await someMoment(writers, round);
      for (const { child } of writers) child.kill('SIGKILL');
      for (const { ended } of writers) {
        // The last line may have been cut off by the kill.
        for (const id of (await ended).printed.split('\n').slice(0, -1)) known.add(id);
      }
      if (round % 10 === 9) expect((await log.verify()).broken, `after round ${round}`).toBeNull();
    }
    log.fill(1, {}, 'after');
    const result = await log.verify();
    expect(result.broken).toBeNull();
    const begun = new Set(log.all().flatMap((record) => (record.event === 'start' ? [record.id] : [])));
    expect(
      [...known].filter((id) => !begun.has(id)),
      'what was said to be written is there',
    ).toEqual([]);
    expect(known.size).toBeGreaterThan(50);
    expect(log.all().some(({ event }) => event === 'alarm')).toBe(false);
  });
});
