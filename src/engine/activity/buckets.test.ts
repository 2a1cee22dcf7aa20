import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketsFor, mostBuckets } from './tally.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-15T21:56:13.000Z');

it.each([
  ['an hour', hour, hour / 30],
  ['a day', 24 * hour, hour / 2],
  ['a week', 7 * 24 * hour, 3 * hour],
  ['a month', 30 * 24 * hour, 24 * hour],
  ['a year', 365 * 24 * hour, 7 * 24 * hour],
])('%s is cut at times that people think in', (_name, span, step) => {
  expect(bucketsFor(now - span, now)).toMatchObject({ bucketMs: step });
});

it('any span of time makes few buckets, which cover it whole and begin at round times', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: 2e12 }), (since, length) => {
      const { start, bucketMs, count } = bucketsFor(since, since + length);
      expect(count).toBeLessThanOrEqual(mostBuckets);
      expect(start % bucketMs).toBe(0);
      expect(start).toBeLessThanOrEqual(since);
      expect(start + bucketMs).toBeGreaterThan(since);
      const last = start + (count - 1) * bucketMs;
      expect(last).toBeLessThanOrEqual(since + length);
      expect(last + bucketMs).toBeGreaterThan(since + length);
    }),
    { numRuns: 500 },
  );
});
