import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisLabels, bucketLabel, columnOf, shareOf, shortNumber, stackOf, sumOf, ticksUpTo } from './scale.ts';

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

const place = { locale: 'en-GB', timeZone: 'UTC' };
const hour = 3_600_000;
const day = 24 * hour;

function froms(start: string, stepMs: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => new Date(Date.parse(start) + index * stepMs).toISOString());
}

describe('a bucket is called', () => {
  it('by its day', () => {
    expect(bucketLabel('2026-11-15T00:00:00Z', day, place)).toBe('15 Nov (UTC)');
  });
  it('by its days', () => {
    expect(bucketLabel('2026-11-15T00:00:00Z', 7 * day, place)).toBe('15 Nov – 21 Nov (UTC)');
  });
  it('by its day wherever it is read', () => {
    const elsewhere = { locale: 'en-GB', timeZone: 'America/New_York' };
    expect(bucketLabel('2026-11-15T00:00:00Z', day, elsewhere)).toBe('15 Nov (UTC)');
    expect(bucketLabel('2026-11-15T00:00:00Z', hour, elsewhere)).toBe('14 Nov, 19:00 – 20:00');
  });
  it('by its time', () => {
    expect(bucketLabel('2026-11-15T13:00:00Z', hour, place)).toBe('15 Nov, 13:00 – 14:00');
    expect(bucketLabel('2026-11-15T23:55:00Z', 300_000, place)).toBe('15 Nov, 23:55 – 00:00');
  });
});

describe('labels of the axis', () => {
  it('are none where there is nothing, and one for one', () => {
    expect(axisLabels([], hour, 8, place)).toEqual([]);
    expect(axisLabels(froms('2026-11-15T13:00:00Z', hour, 1), hour, 8, place)).toEqual([
      { at: 0, text: '13:00', rank: 0 },
    ]);
  });

  it('are times within a day', () => {
    const labels = axisLabels(froms('2026-11-14T14:00:00Z', hour, 24), hour, 8, place);
    expect(labels.map(({ text }) => text)).toEqual([
      '14:00',
      '17:00',
      '20:00',
      '23:00',
      '02:00',
      '05:00',
      '08:00',
      '11:00',
    ]);
    expect(labels.map(({ rank }) => rank)).toEqual([0, 2, 1, 2, 0, 2, 1, 2]);
  });

  it('are days in a week of hours, each below the first hour of it', () => {
    const labels = axisLabels(froms('2026-11-08T15:00:00Z', 3 * hour, 57), 3 * hour, 8, place);
    expect(labels.map(({ at, text }) => `${at} ${text}`)).toEqual([
      '3 9 Nov',
      '11 10 Nov',
      '19 11 Nov',
      '27 12 Nov',
      '35 13 Nov',
      '43 14 Nov',
      '51 15 Nov',
    ]);
  });

  it('are never more than can be read', () => {
    for (const count of [2, 30, 60, 1000]) {
      expect(axisLabels(froms('2026-01-01T00:00:00Z', day, count), day, 8, place).length).toBeLessThanOrEqual(8);
    }
  });
});
