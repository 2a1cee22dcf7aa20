import { choice, flag, type Infer, integer, list, object, optional, text } from '../../../core/schema/schema.ts';
import { type ActivityKind, type ActivityRow, activityKinds, activityRowSchema } from '../../../run/audit/activity.ts';
import { lastActivity } from '../../activity/rows.ts';
import { spelled } from '../../engine.ts';
import { fromThen, timeIfGiven } from '../../freshness/times.ts';
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
  async run({ environment, configuration }, { limit, since, ...filter }, request): Promise<ActivityOutput> {
    const asked = { ...filter, since: timeIfGiven(since, spelled(request, 'since')) };
    return { rows: await lastActivity(environment, asked, limit), kept: configuration.values.activity };
  },
});
