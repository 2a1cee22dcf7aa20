import {
  choice,
  count,
  flag,
  type Infer,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  text,
  time,
} from '../../../core/schema/schema.ts';
import { createSlicer } from '../../../core/time-slice.ts';
import { type ActivityKind, type ActivityRow, activityKinds, activityRowSchema } from '../../../run/audit/activity.ts';
import { endsBackward } from '../../../run/audit/read.ts';
import { lastActivity, notedBackward } from '../../activity/rows.ts';
import { type Counted, countedSchema, createTally } from '../../activity/tally.ts';
import { spelled } from '../../engine.ts';
import { fromThen, timeIfGiven, timeOf } from '../../freshness/times.ts';
import { defineOperation } from '../../operation.ts';

export { type ActivityKind, type ActivityRow, activityKinds, activityRowSchema };

const output = object({
  rows: list(activityRowSchema, 'The newest first.'),
  kept: flag('Whether activity is logged at all.'),
});
export type ActivityOutput = Infer<typeof output>;

/** Shows what was searched, loaded and run, by which client, in any process. */
export const activity = defineOperation({
  name: 'activity',
  right: 'see',
  concernsSkills: false,
  effect: 'reads',
  input: {
    what: optional(choice(activityKinds, 'Only this.')),
    client: optional(text('Only the activity of this client.')),
    skill: optional(text('Only the activity of this skill.')),
    since: optional(text(fromThen)),
    use: flag('Leave out what people looked at in the console: only what skills were used for.', { default: false }),
    limit: integer('Show only the last N.', { min: 1, max: 10_000, default: 100 }),
  },
  output,
  async run({ environment, configuration, whole }, { limit, since, ...filter }, request): Promise<ActivityOutput> {
    // Callers whom rules hold for are told of what they did themselves.
    const subject = whole === undefined ? undefined : request.subject;
    const asked = { ...filter, subject, since: timeIfGiven(since, spelled(request, 'since')) };
    return { rows: await lastActivity(environment, asked, limit), kept: configuration.values.activity };
  },
});

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

const statisticsOutput = object({
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
export type StatisticsOutput = Infer<typeof statisticsOutput>;

/** Counts searches, loads and runs of skills, how long runs take, and what was denied. */
export const statistics = defineOperation({
  name: 'statistics',
  concernsSkills: false,
  effect: 'reads',
  input: { since: text(fromThen, { default: '7d' }) },
  output: statisticsOutput,
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
