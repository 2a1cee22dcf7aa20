import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyBytes, keyTable, writeKey } from './key.ts';

function keyOf(digest: string, names: string): Buffer {
  const key = Buffer.alloc(keyBytes);
  writeKey(key, 0, digest, names);
  return key;
}

const digest = (fill: string) => `sha256:${fill.repeat(64)}`;

describe('a key', () => {
  it('is the same for the same text under the same names, wherever it is written', () => {
    const into = Buffer.alloc(5 + keyBytes + 3, 9);
    writeKey(into, 5, digest('a'), 'pdf\nclaude:pdf');
    expect(into.subarray(5, 5 + keyBytes)).toEqual(keyOf(digest('a'), 'pdf\nclaude:pdf'));
    expect([into.subarray(0, 5), into.subarray(5 + keyBytes)]).toEqual([Buffer.alloc(5, 9), Buffer.alloc(3, 9)]);
  });

  it('is another for another text or other names', () => {
    const names = ['pdf\npdf', 'pdf\npdg', 'pdg\npdf', 'pdf\n', '\npdf', '', 'a\nb', 'b\na', 'ab\n', 'é', 'e\u0301'];
    const keys = names.flatMap((name) => ['a', 'b', 'c'].map((fill) => keyOf(digest(fill), name).toString('hex')));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('differs by every character of the names', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
        expect(keyOf(digest('a'), one).equals(keyOf(digest('a'), other))).toBe(one === other);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a table of keys', () => {
  const key = fc.uint8Array({ minLength: keyBytes, maxLength: keyBytes });
  /** Keys whose search in the table begins at the same slot. */
  const alike = fc.integer({ min: 0, max: 255 }).map((last) => {
    const bytes = new Uint8Array(keyBytes);
    bytes[keyBytes - 1] = last;
    return bytes;
  });

  it('finds every key and no other', () => {
    const some = fc.uniqueArray(fc.oneof(key, alike), { selector: (bytes) => Buffer.from(bytes).toString('hex') });
    fc.assert(
      fc.property(some, fc.oneof(key, alike), (keys, stranger) => {
        const rows = Buffer.concat(keys);
        const find = keyTable(rows);
        for (const [row] of keys.entries()) expect(find(rows, row * keyBytes)).toBe(row);
        expect(find(stranger, 0)).toBe(keys.findIndex((one) => Buffer.compare(one, stranger) === 0));
      }),
    );
  });

  it('of nothing finds nothing', () => {
    expect(keyTable(new Uint8Array())(new Uint8Array(keyBytes), 0)).toBe(-1);
  });
});
