import { addTo } from '../../core/maps.ts';
import { count as countSchema, type Infer, object, text } from '../../core/schema/schema.ts';
import { byText } from '../../core/text/text.ts';
import type { ActivityRow } from '../../run/audit/activity.ts';
import type { EndRecord } from '../../run/audit/read.ts';
import type { Bucket, StatisticsOutput } from '../operations/machine/activity.ts';

/** Counts rows one by one, in any order, and keeps none of them. */
interface Tally {
  ran(record: EndRecord): void;
  noted(row: ActivityRow): void;
  result(): StatisticsOutput;
}

type Counts = { -readonly [K in Exclude<keyof Bucket, 'from'>]: Bucket[K] };

export function createTally(since: Date, now: Date): Tally {
  const { start, bucketMs, count } = bucketsFor(since.getTime(), now.getTime());
  const buckets = Array.from(
    { length: count },
    (): Counts => ({
      succeeded: 0,
      failed: 0,
      cancelled: 0,
      denied: 0,
      searched: 0,
      loaded: 0,
    }),
  );
  const durations = new Map<string, number[]>();
  const [denials, loads, clients] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  let runs = 0;

  /** Adds one to the bucket of a time. Future times, from a clock that was set back since, belong to the last. */
  function add(time: string, what: keyof Counts): void {
    const place = Math.floor((Date.parse(time) - start) / bucketMs);
    const bucket = buckets[Math.min(place, count - 1)];
    if (bucket !== undefined) bucket[what]++;
  }

  return {
    ran(record) {
      const { client, by, timestamp, skill, result, durationMs } = record;
      runs++;
      addOne(clients, client ?? by);
      add(timestamp, kindOf(record));
      if (result === 'denied') addOne(denials, skill);
      if (result === 'exited' && Number.isFinite(durationMs)) addTo(durations, skill, durationMs);
    },
    noted({ time, what, client, skill, outcome }) {
      // A person who looks around in the console does not use a skill.
      if (client === 'console') return;
      addOne(clients, client);
      if (what === 'searched' || what === 'loaded') add(time, what);
      if (what === 'loaded' && outcome === 'ok' && skill !== null) addOne(loads, skill);
    },
    result: () => ({
      since: since.toISOString(),
      bucketMs,
      buckets: buckets.map((counts, at) => ({ from: new Date(start + at * bucketMs).toISOString(), ...counts })),
      runs,
      durationMs: durationsOf([...durations.values()].flat()),
      durationBySkill: ranked([...durations].map(([name, some]) => ({ name, ...durationsIn(some) }))),
      denialsBySkill: rankedCounts(denials),
      loadsBySkill: rankedCounts(loads),
      clients: rankedCounts(clients),
    }),
  };
}

function kindOf({ result, exitCode }: EndRecord): keyof Counts {
  if (result === 'denied' || result === 'cancelled') return result;
  return result === 'exited' && exitCode === 0 ? 'succeeded' : 'failed';
}

function durationsOf(durations: readonly number[]): StatisticsOutput['durationMs'] {
  if (durations.length === 0) return null;
  const all = ordered(durations);
  const [p50, p90, p99] = [percentile(all, 50), percentile(all, 90), percentile(all, 99)];
  return { p50, p90, p99, max: all.at(-1) ?? 0 };
}

function durationsIn(durations: readonly number[]): { count: number; p50: number; p90: number } {
  const all = ordered(durations);
  return { count: all.length, p50: percentile(all, 50), p90: percentile(all, 90) };
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Bucket lengths that people think in. */
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * day),
];

/** Maximum number of buckets: more columns cannot be told apart in a small chart. */
export const mostBuckets = 60;

interface Span {
  /** Time at which the first bucket begins. */
  readonly start: number;
  readonly bucketMs: number;
  readonly count: number;
}

/** The buckets of the shortest step that gives few enough of them. They begin at round times, in UTC. */
export function bucketsFor(since: number, until: number): Span {
  const countOf = (step: number): number => Math.floor(until / step) - Math.floor(since / step) + 1;
  const longest = Math.ceil((until - since) / (mostBuckets - 2) / day) * day;
  const bucketMs = steps.find((step) => countOf(step) <= mostBuckets) ?? longest;
  return { start: Math.floor(since / bucketMs) * bucketMs, bucketMs, count: countOf(bucketMs) };
}

export const countedSchema = object({ name: text(), count: countSchema() });
export type Counted = Infer<typeof countedSchema>;

/** Maximum number of names that are reported: nobody reads more. */
const mostNames = 50;

/** Sorts names by how often they occurred, the most frequent first. */
function ranked<T extends Counted>(counted: Iterable<T>): readonly T[] {
  return [...counted].sort((a, b) => b.count - a.count || byText(a.name, b.name)).slice(0, mostNames);
}

export function rankedCounts(counts: ReadonlyMap<string, number>): readonly Counted[] {
  return ranked([...counts].map(([name, count]) => ({ name, count })));
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** A percentile by nearest rank: the smallest value that `share` per cent do not exceed. The values must be sorted. */
export function percentile(ordered: ArrayLike<number>, share: number): number {
  const rank = Math.ceil((share / 100) * ordered.length);
  return ordered[Math.max(0, rank - 1)] ?? 0;
}

/** Sorts numbers: a typed array compares them as numbers, and sorts in place. */
export function ordered(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
