import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PackedKind, type PackedRows, packedKinds, packedRows, roomForRows } from './packed.ts';

const kinds: readonly PackedKind[] = ['simd', 'plain'];
const before = 5; // a row may begin anywhere

function create(kind: PackedKind, file: Uint8Array, dimensions: number): PackedRows {
  const rows = packedKinds[kind](Buffer.from(file), dimensions);
  if (rows === undefined) throw new Error(`This engine has no rows of the kind ${kind}`);
  return rows;
}

/** The sum by definition: rounded to the precision of the sum after each step. */
function expected(file: Uint8Array, dimensions: number, added: readonly (readonly [number, number])[]): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  for (const [row, worth] of added) {
    for (let at = 0; at < dimensions; at++) {
      const pair = file[before + (row * dimensions) / 2 + (at >> 1)] as number;
      const value = (at % 2 === 0 ? pair & 15 : pair >> 4) - 8;
      sum[at] = Math.fround((sum[at] as number) + Math.fround(value * Math.fround(worth)));
    }
  }
  return sum;
}

const worth = fc.double({ min: -8, max: 8, noNaN: true });
const sums = fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 9 })).chain(([parts, rows]) =>
  fc.record({
    dimensions: fc.constant(parts * 16),
    file: fc.uint8Array({ minLength: before + rows * parts * 8, maxLength: before + rows * parts * 8 }),
    rounds: fc.array(fc.array(fc.tuple(fc.nat(rows - 1), worth), { maxLength: 12 }), { maxLength: 3 }),
  }),
);

describe.each(kinds)('packed rows, %s', (kind) => {
  it('add up exactly, to the last bit', () => {
    fc.assert(
      fc.property(sums, ({ dimensions, file, rounds }) => {
        const rows = create(kind, file, dimensions);
        for (const round of rounds) {
          for (const [row, value] of round) rows.add(before + (row * dimensions) / 2, value);
          // A negative zero is a zero.
          expect([...rows.take()].map((value) => value + 0)).toEqual(
            expected(file, dimensions, round).map((value) => value + 0),
          );
        }
        expect([...rows.file]).toEqual([...file]);
      }),
    );
  });

  it('add up however many there are', () => {
    const file = Uint8Array.from({ length: before + 64 }, (_, at) => at * 37);
    const rows = create(kind, file, 128);
    const added = Array.from({ length: 5000 }, (_, at) => [0, 1 / (at + 1)] as const);
    for (const [, value] of added) rows.add(before, value);
    expect([...rows.take()]).toEqual(expected(file, 128, added));
  });
});

it('packed rows use SIMD where the engine supports it', () => {
  expect(packedRows(Buffer.alloc(64), 128).kind).toBe('simd');
});

it('packed rows lie where they were read, if room was asked for', () => {
  const text = Uint8Array.from({ length: before + 64 }, (_, at) => at * 91);
  const file = roomForRows(100_000)?.subarray(0, text.length);
  if (file === undefined) throw new Error('This engine has no such memory');
  file.set(text);
  const rows = packedRows(file, 128);
  expect(rows.file.buffer).toBe(file.buffer);
  rows.add(before, 0.25);
  expect([...rows.take()]).toEqual(expected(text, 128, [[0, 0.25]]));
  expect([...rows.file]).toEqual([...text]);
});
