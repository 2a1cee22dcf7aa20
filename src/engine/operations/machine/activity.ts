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
  right: 'see',
  concernsSkills: false,
  effect: 'reads',
  input: {
    what: optional(choice(activityKinds, 'Only this.')),
    client: optional(text('Only the activity of this client.')),
    skill: optional(text('Only the activity of this skill.')),
    since: optional(text(fromThen)),
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
