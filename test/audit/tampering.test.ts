import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { appendFileSync, copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../src/run/audit/types.ts';
import { Log } from './log.ts';
import { endOf, startOf } from './records.ts';

/** A line as one makes it who knows the format and has no key. */
function rehashed(record: AuditRecord, changes: object): string {
  const { hash: _hash, mac, ...rest } = { ...record, ...changes } as AuditRecord;
  const text = JSON.stringify(rest);
  const hash = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, -1)},"hash":"${hash}","mac":"${mac}"}`;
}

/** The same for a record and all that follow, so that the chain of hashes is whole again. */
function rechained(lines: readonly string[], first: number, changes: object): string[] {
  const made: string[] = [];
  for (const [place, line] of lines.entries()) {
    const record = JSON.parse(line) as AuditRecord;
    const prev = place === 0 ? record.prev : (JSON.parse(made[place - 1] as string) as AuditRecord).hash;
    made.push(place < first ? line : rehashed(record, { prev, ...(place === first && changes) }));
  }
  return made;
}

function swapped<T>(list: readonly T[], a: number, b: number): T[] {
  return list.map((one, place) => list[place === a ? b : place === b ? a : place] ?? one);
}

interface Attack {
  readonly what: string;
  readonly tamper: (log: Log) => void;
  readonly broken: object;
}

const attacks: readonly Attack[] = [
  {
    what: 'a record is edited',
    tamper: (log) =>
      log.rewrite((lines) => lines.map((line, at) => (at === 4 ? line.replace('"pods"', '"none"') : line))),
    broken: { file: 'audit.jsonl', line: 5, seq: 5, why: 'edited' },
  },
  {
    what: 'a record is made something that is none',
    tamper: (log) => log.rewrite((lines) => lines.with(4, '{}')),
    broken: { line: 5, why: 'edited' },
  },
  {
    what: 'blanks are put into a record',
    tamper: (log) => log.rewrite((lines) => lines.with(4, (lines[4] as string).replace('{', '{ '))),
    broken: { line: 5, why: 'edited' },
  },
  {
    what: 'the hash alone is changed',
    tamper: (log) =>
      log.rewrite((lines) => lines.with(4, (lines[4] as string).replace(/("hash":")[0-9a-f]{4}/, '$1abcd'))),
    broken: { line: 5, why: 'edited' },
  },
  {
    what: 'a record is removed',
    tamper: (log) => log.rewrite((lines) => lines.toSpliced(4, 1)),
    broken: { line: 5, seq: 5, why: 'missing' },
  },
  {
    what: 'the first record is removed',
    tamper: (log) => log.rewrite((lines) => lines.slice(1)),
    broken: { line: 1, seq: 1, why: 'missing' },
  },
  {
    what: 'two records change places',
    tamper: (log) => log.rewrite((lines) => swapped(lines, 4, 5)),
    broken: { line: 5, seq: 6, why: 'reordered' },
  },
  {
    what: 'a record stands twice',
    tamper: (log) => log.rewrite((lines) => lines.toSpliced(5, 0, lines[4] as string)),
    broken: { line: 6, seq: 5, why: 'repeated' },
  },
  {
    what: 'the last records are cut off',
    tamper: (log) => log.rewrite((lines) => lines.slice(0, -3)),
    broken: { seq: 18, why: 'cut-off' },
  },
  {
    what: 'the last record loses its end',
    tamper: (log) => truncateSync(log.file(), readFileSync(log.file()).length - 20),
    broken: { seq: 20, why: 'cut-off' },
  },
  {
    what: 'the log is emptied',
    tamper: (log) => truncateSync(log.file(), 0),
    broken: { seq: 1, why: 'cut-off' },
  },
  {
    what: 'the log is removed',
    tamper: (log) => rmSync(log.folder, { recursive: true }),
    broken: { seq: 1, why: 'cut-off' },
  },
  {
    what: 'the head is removed',
    tamper: (log) => rmSync(log.head),
    broken: { why: 'head' },
  },
  {
    what: 'the head is set back along with the log, without the key',
    tamper: (log) => {
      log.rewrite((lines) => lines.slice(0, -3));
      const { seq, hash, mac } = log.records().at(-1) as AuditRecord;
      writeFileSync(log.head, `${`${seq} ${hash} ${mac}`.padEnd(255)}\n`);
    },
    broken: { why: 'head' },
  },
  {
    what: 'old records are put behind the last',
    tamper: (log) => appendFileSync(log.file(), `${log.lines().slice(2, 6).join('\n')}\n`),
    broken: { line: 21, seq: 3, why: 'repeated' },
  },
  {
    what: 'a record is edited and hashed anew',
    tamper: (log) =>
      log.rewrite((lines) => lines.with(4, rehashed(log.records()[4] as AuditRecord, { skill: 'other' }))),
    broken: { line: 5, seq: 5, why: 'forged' },
  },
  {
    what: 'a record is edited and the chain made anew from there to the end',
    tamper: (log) => log.rewrite((lines) => rechained(lines, 4, { skill: 'other' })),
    broken: { line: 5, seq: 5, why: 'forged' },
  },
  {
    what: 'a record is added, chained as it should be',
    tamper: (log) => {
      const last = log.records().at(-1) as AuditRecord;
      appendFileSync(log.file(), `${rehashed(last, { seq: last.seq + 1, prev: last.hash })}\n`);
    },
    broken: { line: 21, seq: 21, why: 'forged' },
  },
  {
    what: 'the whole log is another one',
    tamper: (log) => {
      const other = new Log();
      other.fill(10);
      copyFileSync(other.file(), log.file());
    },
    broken: { line: 1, seq: 1, why: 'forged' },
  },
  {
    what: 'the whole log is another one, with its head',
    tamper: (log) => {
      const other = new Log();
      other.fill(10);
      copyFileSync(other.file(), log.file());
      copyFileSync(other.head, log.head);
    },
    broken: { line: 1, seq: 1, why: 'forged' },
  },
  {
    what: 'the key is removed',
    tamper: (log) => rmSync(log.key),
    broken: { why: 'key' },
  },
  {
    what: 'the key is another one',
    tamper: (log) => {
      const { privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(log.key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    },
    broken: { seq: 1, why: 'forged' },
  },
];

describe('an audit log', () => {
  it('is a chain of hashes, from the first record to the last [C4-AUDIT-06]', async () => {
    const log = new Log();
    log.fill(10);
    const records = log.records();
    expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, place) => place + 1));
    expect(records[0]?.prev).toBe('0'.repeat(64));
    for (const [place, { hash, mac, ...rest }] of records.entries()) {
      expect(createHash('sha256').update(JSON.stringify(rest)).digest('hex')).toBe(hash);
      expect(mac).toMatch(/^[0-9a-f]{64}$/);
      if (place > 0) expect(rest.prev).toBe(records[place - 1]?.hash);
    }
    expect(await log.verify()).toMatchObject({ ok: true, records: 20, files: 1, broken: null, last: { seq: 20 } });
  });

  it('is JSON lines, and is only ever appended to [C4-AUDIT-05]', () => {
    const log = new Log();
    let before = '';
    for (let number = 1; number <= 20; number++) {
      // By one writer after another, each with its own beginning and end.
      const audit = log.open({ checkpointEvery: 7, maxBytes: 8192 });
      audit.start(startOf(`run-${number}`));
      audit.end(endOf(`run-${number}`, { message: 'two\nlines' }));
      audit.close();
      const now = log
        .names()
        .flatMap((name) => readFileSync(log.file(name), 'utf8'))
        .join('');
      expect(now.startsWith(before) && now.length > before.length).toBe(true);
      before = now;
    }
    expect(log.names().length).toBeGreaterThan(1);
    expect(before.endsWith('\n')).toBe(true);
    for (const line of before.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('seq');
  });

  for (const { what, tamper, broken } of attacks) {
    it(`is found out when ${what}`, async () => {
      const log = new Log();
      log.fill(10);
      tamper(log);
      expect(await log.verify()).toMatchObject({ ok: false, broken });
    });

    it(`is still found out after the next execution when ${what}`, async () => {
      const log = new Log();
      log.fill(10);
      tamper(log);
      log.fill(2, {}, 'later');
      expect((await log.verify()).ok).toBe(false);
      expect((await log.rows({ id: 'later-2' })).length, 'the execution is recorded all the same').toBe(1);
    });
  }

  it('is found out although a writer goes on that was there before', async () => {
    for (const { what, tamper } of attacks) {
      const log = new Log();
      const audit = log.open();
      const run = (id: string): void => {
        audit.start(startOf(id));
        audit.end(endOf(id));
      };
      for (let number = 1; number <= 10; number++) run(`run-${number}`);
      tamper(log);
      run('later');
      expect((await log.verify()).ok, what).toBe(false);
    }
  });

  it('tells of a signature that is wrong', async () => {
    const log = new Log();
    log.fill(6, { checkpointEvery: 4 });
    const { publicKey } = generateKeyPairSync('ed25519');
    const kept = readFileSync(log.file('audit-key.pub'), 'utf8');
    expect((await log.verify()).checkpoints).toBe(3);
    writeFileSync(log.file('audit-key.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    expect((await log.verify()).broken).toMatchObject({ why: 'key' });
    writeFileSync(log.file('audit-key.pub'), kept);
    expect((await log.verify()).ok).toBe(true);
  });

  it('can be checked with the public key alone up to the last checkpoint', () => {
    const log = new Log();
    log.fill(6, { checkpointEvery: 4 });
    const key = readFileSync(log.file('audit-key.pub'), 'utf8');
    const signed = log.records().filter((record) => record.event === 'checkpoint');
    expect(signed.map(({ seq }) => seq)).toEqual([4, 8, 12]);
    for (const { seq, prev, signature } of signed) {
      const text = Buffer.from(`repertoire audit checkpoint\n${seq}\n${prev}\n`);
      expect(verify(null, text, key, Buffer.from(signature, 'base64'))).toBe(true);
      expect(verify(null, Buffer.concat([text, text]), key, Buffer.from(signature, 'base64'))).toBe(false);
    }
  });

  it('is not found out when everything is put back as it once was, head and all: that takes a copy elsewhere', async () => {
    const log = new Log();
    log.fill(5);
    const { last } = await log.verify();
    const putBack = log.backUp();
    log.fill(5, {}, 'later');
    putBack();
    const now = await log.verify();
    expect(now).toMatchObject({ ok: true, last });
  });
});

describe('files of an audit log that are full', () => {
  function rotated(): Log {
    const log = new Log();
    log.fill(40, { maxBytes: 8192 });
    expect(log.names().length).toBeGreaterThan(3);
    return log;
  }

  it('are followed by others without losing the chain', async () => {
    const log = rotated();
    const all = log.all();
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, place) => place + 1));
    for (const name of log.names().slice(0, -1)) expect(log.records(name).at(-1)?.event).toBe('checkpoint');
    for (const [place, name] of log.names().entries()) {
      const [first] = log.records(name);
      if (place > 0) expect(first).toMatchObject({ event: 'continued', file: log.names()[place - 1] });
    }
    expect(await log.verify()).toMatchObject({ ok: true, files: log.names().length, records: all.length });
  });

  it('are missed when one is removed', async () => {
    for (const name of ['audit-000001.jsonl', 'audit-000002.jsonl', 'audit-000003.jsonl']) {
      const log = rotated();
      rmSync(log.file(name));
      expect((await log.verify()).broken, name).toMatchObject({ why: 'file-missing', file: name });
    }
    const log = rotated();
    rmSync(log.file());
    expect((await log.verify()).broken).toMatchObject({ why: 'cut-off' });
  });

  it('cannot change places, nor stand in for each other', async () => {
    const log = rotated();
    renameSync(log.file('audit-000002.jsonl'), log.file('x'));
    renameSync(log.file('audit-000003.jsonl'), log.file('audit-000002.jsonl'));
    renameSync(log.file('x'), log.file('audit-000003.jsonl'));
    expect((await log.verify()).ok).toBe(false);
    const other = rotated();
    copyFileSync(other.file('audit-000001.jsonl'), other.file('audit-000002.jsonl'));
    expect((await other.verify()).broken).toMatchObject({ file: 'audit-000002.jsonl', line: 1, why: 'repeated' });
    const third = rotated();
    copyFileSync(rotated().file('audit-000002.jsonl'), third.file('audit-000002.jsonl'));
    expect((await third.verify()).broken).toMatchObject({ file: 'audit-000002.jsonl', line: 1 });
  });

  it('take nothing more at their end', async () => {
    const log = rotated();
    appendFileSync(log.file('audit-000001.jsonl'), 'x');
    expect((await log.verify()).broken).toMatchObject({ file: 'audit-000001.jsonl', why: 'edited' });
  });

  it('can be archived: their last checkpoint stands in for them, and says so', async () => {
    const log = rotated();
    const before = await log.verify();
    for (const name of ['audit-000001.jsonl', 'audit-000002.jsonl']) log.rewrite((lines) => lines.slice(-1), name);
    const after = await log.verify();
    expect(after).toMatchObject({ ok: true, last: before.last });
    expect(after.archived.map(({ file }) => file)).toEqual(['audit-000001.jsonl', 'audit-000002.jsonl']);
    expect(after.archived[0]?.from).toBe(1);
    log.rewrite(
      (lines) => [(lines[0] as string).replace(/"signature":"..../, '"signature":"AAAA')],
      'audit-000001.jsonl',
    );
    expect((await log.verify()).ok).toBe(false);
  });

  it('cannot be stood in for by another checkpoint, and the current file by none', async () => {
    const log = new Log();
    log.fill(40, { maxBytes: 8192, checkpointEvery: 5 });
    const [, , ...rest] = log.records('audit-000002.jsonl').filter(({ event }) => event === 'checkpoint');
    expect(rest.length).toBeGreaterThan(0);
    log.rewrite(
      (lines) => lines.filter((line) => line.includes('"event":"checkpoint"')).slice(0, 1),
      'audit-000002.jsonl',
    );
    expect((await log.verify()).ok).toBe(false);
    const other = new Log();
    other.fill(4, { checkpointEvery: 8 });
    other.rewrite((lines) => lines.filter((line) => line.includes('"event":"checkpoint"')));
    expect((await other.verify()).broken).toMatchObject({ line: 1, why: 'missing' });
  });

  it('keep their numbers when older ones were moved away', () => {
    const log = rotated();
    const numbers = log.names().slice(0, -1);
    for (const name of numbers) rmSync(log.file(name));
    log.fill(40, { maxBytes: 8192 }, 'later');
    expect(log.names()[0]).toBe(`audit-00000${numbers.length + 1}.jsonl`);
  });
});
