import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ordered, percentile, rankedCounts } from './tally.ts';

it('percentiles are those of the nearest rank', () => {
  const values = ordered([15, 20, 35, 40, 50].toReversed());
  expect([5, 30, 40, 50, 100].map((share) => percentile(values, share))).toEqual([15, 20, 20, 35, 50]);
  expect(percentile(ordered([10]), 99)).toBe(10);
});

it('a percentile is a value that was there, which so many do not exceed, and no smaller one is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 100 }),
      (values, share) => {
        const found = percentile(ordered(values), share);
        const shareOf = (limit: number): number => (100 * values.filter((one) => one <= limit).length) / values.length;
        expect(values).toContain(found);
        expect(shareOf(found)).toBeGreaterThanOrEqual(share - 1e-9);
        for (const smaller of values.filter((one) => one < found)) expect(shareOf(smaller)).toBeLessThan(share);
      },
    ),
  );
});

it('names are told by how often they came, and equal ones by name', () => {
  const counts = new Map([
    ['b', 2],
    ['c', 9],
    ['a', 2],
  ]);
  expect(rankedCounts(counts).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
});
