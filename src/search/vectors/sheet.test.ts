import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScannerKind } from './scan.ts';
import { createSheet, type Sheet, type SheetSize, sheetKinds } from './sheet.ts';

const kinds: readonly ScannerKind[] = ['simd', 'plain'];
const size: SheetSize = { rows: 12, list: 7, asked: 9 };

function create(kind: ScannerKind, dimensions: number): Sheet {
  const sheet = sheetKinds[kind](size, dimensions);
  if (sheet === undefined) throw new Error(`This engine has no sheet of the kind ${kind}`);
  return sheet;
}

function cosine(left: readonly number[], right: readonly number[]): number {
  const product = left.reduce((sum, value, at) => sum + value * (right[at] ?? Number.NaN), 0);
  return product / Math.hypot(...left) / Math.hypot(...right);
}

/** Rows of which none is all zeros, which has no direction. */
const rowsOf = (dimensions: number) =>
  fc.array(
    fc
      .array(fc.oneof(fc.integer({ min: -128, max: 127 }), fc.constantFrom(-128, 127)), {
        minLength: dimensions,
        maxLength: dimensions,
      })
      .map((row) => (row.some((value) => value !== 0) ? row : [1, ...row.slice(1)])),
    { minLength: size.rows, maxLength: size.rows },
  );
const number = fc.nat(size.rows - 1);
const asking = fc.record({
  asked: fc.array(number, { maxLength: size.asked }),
  lists: fc.array(fc.array(number, { maxLength: size.list }), { maxLength: 4 }),
});
const cases = fc
  .constantFrom(16, 48, 128)
  .chain((dimensions) => fc.tuple(rowsOf(dimensions), fc.array(asking, { minLength: 1, maxLength: 3 })));

describe.each(kinds)('the %s sheet', (kind) => {
  it('tells how near the nearest of a list comes to each that is asked about, whatever was asked before', () => {
    fc.assert(
      fc.property(cases, ([rows, askings]) => {
        const sheet = create(kind, rows[0]?.length ?? 0);
        rows.forEach((row, at) => {
          sheet.rows.set(row, at * row.length);
          sheet.inverses[at] = 1 / Math.hypot(...row);
        });
        for (const { asked, lists } of askings) {
          sheet.ask(Int32Array.from(asked));
          for (const list of lists) {
            sheet.list.set(list);
            const nearest = [...sheet.nearest(list.length)];
            const best = asked.map((other) =>
              Math.max(0, ...list.map((row) => cosine(rows[row] ?? [], rows[other] ?? []))),
            );
            expect(nearest).toHaveLength(asked.length);
            for (const [at, near] of nearest.entries()) expect(near).toBeCloseTo(best[at] ?? Number.NaN, 5);
          }
        }
      }),
    );
  });
});

it('the WebAssembly sheet is used where the engine supports it', () => {
  expect(createSheet(size, 16).kind).toBe('simd');
});
