const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Spans that people think in. */
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * day),
];

/** More columns than this cannot be told apart in a small chart. */
export const mostBuckets = 60;

export interface Span {
  /** Where the first bucket begins. */
  readonly start: number;
  readonly bucketMs: number;
  readonly count: number;
}

/** The shortest step by which a span of time makes few enough buckets. They begin at round times, in UTC. */
export function bucketsFor(since: number, until: number): Span {
  const countOf = (step: number): number => Math.floor(until / step) - Math.floor(since / step) + 1;
  const longest = Math.ceil((until - since) / (mostBuckets - 2) / day) * day;
  const bucketMs = steps.find((step) => countOf(step) <= mostBuckets) ?? longest;
  return { start: Math.floor(since / bucketMs) * bucketMs, bucketMs, count: countOf(bucketMs) };
}
