import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScanner, type Scanner, type ScannerKind, scannerKinds } from './scan.ts';

const kinds: readonly ScannerKind[] = ['simd', 'plain'];

function create(kind: ScannerKind, rows: Int8Array, dimensions: number): Scanner {
  const scanner = scannerKinds[kind](rows, dimensions);
  if (scanner === undefined) throw new Error(`This engine has no scanner of the kind ${kind}`);
  return scanner;
}

/** The answer by definition, in exact numbers. */
function expected(query: Int8Array, rows: Int8Array): number[] {
  return Array.from({ length: rows.length / query.length }, (_, row) =>
    query.reduce((sum, component, at) => sum + component * (rows[row * query.length + at] ?? Number.NaN), 0),
  );
}

/** Numbers that look random and are the same in every run. */
function noise(length: number, seed: number): Int8Array {
  const numbers = new Int8Array(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    numbers[at] = state >> 24;
  }
  return numbers;
}

/** Components with more extremes than chance would have them, because those are where sums overflow. */
const component = fc.oneof(fc.integer({ min: -128, max: 127 }), fc.constantFrom(-128, -127, 0, 127));
const vectors = (length: number) =>
  fc.array(component, { minLength: length, maxLength: length }).map((list) => Int8Array.from(list));
const rowsAndQuery = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 10 }))
  .chain(([count, blocks]) =>
    fc.tuple(vectors(count * blocks * 16), vectors(blocks * 16), fc.integer({ min: 0, max: 3 })),
  );

describe.each(kinds)('the %s scanner', (kind) => {
  it('gives the inner product with every row, whatever the numbers, and leaves them as they are', () => {
    fc.assert(
      fc.property(rowsAndQuery, ([rows, query, offset]) => {
        // Rows may be any part of a larger buffer.
        const held = new Int8Array(rows.length + 3).subarray(offset, offset + rows.length);
        held.set(rows);
        const asked = Int8Array.from(query);
        const scanner = create(kind, held, query.length);
        expect([...scanner.scan(asked)]).toEqual(expected(query, rows));
        expect(held).toEqual(rows);
        expect(asked).toEqual(query);
      }),
      { numRuns: 300 },
    );
  });

  it.each([16, 32, 48, 128, 256, 384, 1008, 1024, 4096])('is right for %i dimensions', (dimensions) => {
    for (const count of [0, 1, 2, 3, 17]) {
      const rows = noise(count * dimensions, dimensions + count);
      const query = noise(dimensions, 7);
      expect([...create(kind, rows, dimensions).scan(query)]).toEqual(expected(query, rows));
    }
  });

  it.each([
    [-128, -128, 16_384],
    [-128, 127, -16_256],
    [127, 127, 16_129],
    [0, -128, 0],
  ])('does not overflow where all are %i and %i', (left, right, product) => {
    const scanner = create(kind, new Int8Array(3 * 4096).fill(left), 4096);
    const all = product * 4096;
    expect([...scanner.scan(new Int8Array(4096).fill(right))]).toEqual([all, all, all]);
  });

  it('keeps every component apart', () => {
    const dimensions = 48;
    const rows = new Int8Array(dimensions * dimensions);
    for (let at = 0; at < dimensions; at++) rows[at * dimensions + at] = at - 100;
    const scanner = create(kind, rows, dimensions);
    for (let at = 0; at < dimensions; at++) {
      const query = new Int8Array(dimensions);
      query[at] = -3;
      const only = new Array<number>(dimensions).fill(0);
      only[at] = (at - 100) * -3;
      expect([...scanner.scan(query)].map((one) => one + 0)).toEqual(only);
    }
  });

  it('has one answer for each row, also for none', () => {
    const query = new Int8Array(128).fill(1);
    for (const count of [0, 1, 1000]) {
      const scanner = create(kind, new Int8Array(count * 128).fill(2), 128);
      expect(scanner).toMatchObject({ kind, rows: count });
      const answer = scanner.scan(query);
      expect(answer).toBeInstanceOf(Int32Array);
      expect([...answer]).toEqual(new Array(count).fill(256));
    }
  });

  it('answers again and again, and nothing of the last query stays', () => {
    const rows = noise(50 * 128, 1);
    const scanner = create(kind, rows, 128);
    for (let seed = 0; seed < 20; seed++) {
      const query = noise(128, seed);
      expect([...scanner.scan(query)]).toEqual(expected(query, rows));
    }
    expect([...scanner.scan(new Int8Array(128))]).toEqual(new Array(50).fill(0));
  });

  it('gives rows back as they came, as copies', () => {
    const rows = noise(20 * 32, 5);
    const scanner = create(kind, rows.slice(), 32);
    for (let row = 0; row < 20; row++) {
      const given = scanner.row(row);
      expect(given).toEqual(rows.slice(row * 32, row * 32 + 32));
      given.fill(0);
      scanner.scan(scanner.row(row));
      expect(scanner.row(row)).toEqual(rows.slice(row * 32, row * 32 + 32));
    }
  });

  it('refuses rows, queries and indexes that do not fit', () => {
    for (const dimensions of [0, -16, 8, 24, 16.5, Number.NaN]) {
      expect(() => create(kind, new Int8Array(48), dimensions)).toThrow(RangeError);
    }
    expect(() => create(kind, new Int8Array(40), 16)).toThrow(RangeError);
    const scanner = create(kind, new Int8Array(48), 16);
    for (const length of [0, 15, 17, 32]) expect(() => scanner.scan(new Int8Array(length))).toThrow(RangeError);
    for (const index of [-1, 3, 0.5, Number.NaN]) expect(() => scanner.row(index)).toThrow(RangeError);
    expect(() => create(kind, new Int8Array(0), 16).row(0)).toThrow(RangeError);
  });

  it('works beside many other scanners', () => {
    const query = noise(64, 3);
    const all = Array.from({ length: 60 }, (_, seed) => {
      const rows = noise((seed % 5) * 64, seed);
      return { rows, scanner: create(kind, rows, 64) };
    });
    const answers = all.map(({ scanner }) => scanner.scan(query));
    all.forEach(({ rows }, at) => {
      expect([...(answers[at] ?? [])]).toEqual(expected(query, rows));
    });
  });

  it('reads rows beyond the first pages of memory', () => {
    const count = 20_000;
    const rows = noise(count * 128, 11);
    const query = noise(128, 12);
    const answer = create(kind, rows, 128).scan(query);
    for (const row of [0, 1, 511, 512, 513, 9_999, count - 1]) {
      expect([answer[row]]).toEqual(expected(query, rows.subarray(row * 128, row * 128 + 128)));
    }
  });
});

it('both kernels agree on every one of a million rows', () => {
  const rows = noise(1_000_000 * 128, 21);
  const query = noise(128, 22);
  const [fast, plain] = kinds.map((kind) => create(kind, rows, 128).scan(query));
  expect(fast?.length).toBe(1_000_000);
  expect(bytesOf(fast).equals(bytesOf(plain))).toBe(true);
});

function bytesOf(answer: Int32Array | undefined): Buffer {
  return Buffer.from(answer?.buffer ?? new ArrayBuffer(0), answer?.byteOffset, answer?.byteLength);
}

it('the WebAssembly kernel is used where the engine supports it', () => {
  expect(createScanner(new Int8Array(16), 16).kind).toBe('simd');
});
