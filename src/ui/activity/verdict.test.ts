import { describe, expect, it } from 'vitest';
import type { VerifyResult } from '../../engine/operations/audit.ts';
import { verdictOf } from './verdict.ts';

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
