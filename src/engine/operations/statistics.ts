import { endsBackward } from '../../audit/ends.ts';
import { createSlicer } from '../../kernel/time-slice.ts';
import type { Counted } from '../activity/figures.ts';
import { notedBackward } from '../activity/rows.ts';
import { createTally } from '../activity/tally.ts';
import { defineOperation } from '../operation.ts';
import { sinceField, timeOf } from '../times.ts';

export type { Counted };

export interface Bucket {
  /** ISO 8601: where it begins. */
  readonly from: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly denied: number;
  readonly searched: number;
  readonly loaded: number;
}

export interface StatisticsOutput {
  readonly since: string;
  readonly bucketMs: number;
  /** In order of time, without gaps, up to now. */
  readonly buckets: readonly Bucket[];
  /** Those that have ended. */
  readonly runs: number;
  /** Of runs that ended by themselves; null where there are none. */
  readonly durationMs: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    readonly max: number;
  } | null;
  readonly durationBySkill: readonly (Counted & { readonly p50: number; readonly p90: number })[];
  readonly denialsBySkill: readonly Counted[];
  readonly loadsBySkill: readonly Counted[];
  readonly clients: readonly Counted[];
}

/** How often skills are searched for, loaded and run, how long runs take, and what was denied. */
export const statistics = defineOperation({
  fields: {
    since: { ...sinceField, default: '7d' },
  },
  async run({ environment }, { since }): Promise<StatisticsOutput> {
    const now = new Date();
    const from = new Date(Math.min(timeOf(since, '--since').getTime(), now.getTime()));
    const tally = createTally(from, now);
    const slicer = createSlicer();
    for (const row of endsBackward(environment, from)) {
      tally.ran(row);
      if (slicer.isDue) await slicer.pause();
    }
    for (const row of notedBackward(environment, from)) {
      tally.noted(row);
      if (slicer.isDue) await slicer.pause();
    }
    return tally.result();
  },
});
