import { describe, expect, it } from 'vitest';
import { shareOf, shortNumber, ticksUpTo } from './scale.ts';

describe('ticks', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [10, [0, 5, 10]],
    [37, [0, 10, 20, 30, 40]],
    [100, [0, 50, 100]],
  ])('of %d stand at round numbers', (most, ticks) => {
    expect(ticksUpTo(most)).toEqual(ticks);
  });

  it('are few, even, and reach up to any number', () => {
    for (const most of [7, 99, 101, 1234, 987_654_321, 3e15]) {
      const ticks = ticksUpTo(most);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(ticks.at(-2)).toBeLessThan(most);
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -5])('are there even for %d', (most) => {
    expect(ticksUpTo(most)).toEqual([0, 1]);
  });
});

describe('a share', () => {
  it('is in percent of the most, and never more than all', () => {
    expect(shareOf(25, 100)).toBe(25);
    expect(shareOf(200, 100)).toBe(100);
  });

  it('can be seen where there is something, and not where there is nothing', () => {
    expect(shareOf(1, 1_000_000)).toBe(1);
    expect(shareOf(0, 100)).toBe(0);
    expect(shareOf(5, 0)).toBe(0);
    expect(shareOf(Number.NaN, 100)).toBe(0);
  });
});

it('numbers are short', () => {
  expect([0, 950, 12_000, 3_400_000, 2e9].map(shortNumber)).toEqual(['0', '950', '12K', '3.4M', '2B']);
});
