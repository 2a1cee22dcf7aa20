import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnOf, stackOf, sumOf } from './stacks.ts';

describe('a stack', () => {
  it('stands on the ground, one on top of the other', () => {
    expect(stackOf([5, 3, 2], 10, 100)).toEqual([
      { y: 50, height: 50 },
      { y: 20, height: 30 },
      { y: 0, height: 20 },
    ]);
  });

  it('of nothing has no height', () => {
    expect(stackOf([0, 0, 0], 1, 100).map(({ height }) => height)).toEqual([0, 0, 0]);
    expect(stackOf([0, 0, 0], 0, 100).map(({ height }) => height)).toEqual([0, 0, 0]);
  });

  it('shows one among very many', () => {
    const [many, one] = stackOf([9_999_999, 1], 10_000_000, 100);
    expect(one).toEqual({ y: 0, height: 2 });
    expect(many?.height).toBe(98);
  });

  it('never leaves the chart, whatever the values', () => {
    const values = fc.array(fc.nat({ max: 1e12 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 1000 }), (given, more) => {
        const pieces = stackOf(given, sumOf(given) + more, 140);
        for (const { y, height } of pieces) {
          expect(height).toBeGreaterThanOrEqual(0);
          expect(y).toBeGreaterThan(-1e-6);
          expect(y + height).toBeLessThan(140 + 1e-6);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('columns', () => {
  it('share the width, each in the middle of its room', () => {
    expect(columnOf(0, 10)).toEqual({ x: 1, width: 8 });
    expect(columnOf(9, 10)).toEqual({ x: 91, width: 8 });
  });

  it('that are alone are no blocks', () => {
    expect(columnOf(0, 1)).toEqual({ x: 44, width: 12 });
  });
});
