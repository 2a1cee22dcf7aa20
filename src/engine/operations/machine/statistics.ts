import { count, type Infer, list, nullable, number, object, text, time } from '../../../core/schema/schema.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { endsBackward } from '../../../run/audit/read.ts';
import { type Counted, countedSchema } from '../../activity/figures.ts';
import { notedBackward } from '../../activity/rows.ts';
import { createTally } from '../../activity/tally.ts';
import { spelled } from '../../engine.ts';
import { fromThen, timeOf } from '../../freshness/times.ts';
import { defineOperation } from '../../operation.ts';

export type { Counted };

const bucketSchema = object({
  from: time('Where it begins.'),
  succeeded: count(),
  failed: count(),
  cancelled: count('Somebody ended them.'),
  denied: count(),
  searched: count(),
  loaded: count(),
});
export type Bucket = Infer<typeof bucketSchema>;

const output = object({
  since: time(),
  bucketMs: count('The length of each bucket.'),
  buckets: list(bucketSchema, 'In chronological order, without gaps, up to now.'),
  runs: count('Those that have ended.'),
  durationMs: nullable(
    object({ p50: number(), p90: number(), p99: number(), max: number() }),
    'Of runs that ended by themselves.',
  ),
  durationBySkill: list(object({ ...countedSchema.fields, p50: number(), p90: number() })),
  denialsBySkill: list(countedSchema),
  loadsBySkill: list(countedSchema),
  clients: list(countedSchema),
});
export type StatisticsOutput = Infer<typeof output>;

/** Counts searches, loads and runs of skills, how long runs take, and what was denied. */
export const statistics = defineOperation({
  name: 'statistics',
  concernsSkills: false,
  effect: 'reads',
  input: { since: text(fromThen, { default: '7d' }) },
  output,
  async run({ environment }, { since }, request): Promise<StatisticsOutput> {
    const now = new Date();
    const from = new Date(Math.min(timeOf(since, spelled(request, 'since')).getTime(), now.getTime()));
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
