import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Log } from './log.ts';
import { startOf } from './records.ts';

describe('what a killed writer leaves behind', () => {
  it('is no record, is told of, and is taken away by the next', async () => {
    const log = new Log();
    log.fill(3);
    const sound = readFileSync(log.file(), 'utf8');
    for (const torn of ['{', '{"seq":7,"timestamp":"2026', `${log.lines().at(-1)}`]) {
      writeFileSync(log.file(), sound + torn);
      expect(await log.verify()).toMatchObject({ ok: true, records: 6, tornBytes: torn.length });
    }
    log.fill(1, {}, 'next');
    expect(readFileSync(log.file(), 'utf8').startsWith(sound)).toBe(true);
    expect(await log.verify()).toMatchObject({ ok: true, records: 8, tornBytes: 0 });
  });

  it('may be a record that the head does not know of', async () => {
    const log = new Log();
    log.fill(3);
    const head = readFileSync(log.head);
    log.fill(1, {}, 'next');
    writeFileSync(log.head, head);
    expect((await log.verify()).ok).toBe(true);
    log.fill(1, {}, 'last');
    expect(await log.verify()).toMatchObject({ ok: true, records: 10 });
  });

  it('may be a full file without another after it, or an empty one', async () => {
    for (const leave of [() => {}, (log: Log) => writeFileSync(log.file(), '')]) {
      const log = new Log();
      log.fill(10, { maxBytes: 4096 });
      log.open().start(startOf('last'));
      // As if it were ended right after the renaming: the head is that of the last record of the full file.
      const full = `audit-00000${log.names().length}.jsonl`;
      renameSync(log.file(), log.file(full));
      leave(log);
      expect((await log.verify()).broken).toBeNull();
      log.fill(1, {}, 'next');
      expect(log.records()[0]).toMatchObject({ event: 'continued', file: full });
      expect((await log.verify()).broken).toBeNull();
    }
  });

  it('is not mistaken for a record when it is far too long', async () => {
    const log = new Log();
    log.fill(3);
    appendFileSync(log.file(), 'x'.repeat(200_000));
    log.fill(1, {}, 'next');
    expect((await log.verify()).broken).toMatchObject({ line: 7, why: 'edited' });
    expect((await log.rows({ id: 'next-1' })).length).toBe(1);
  });
});
