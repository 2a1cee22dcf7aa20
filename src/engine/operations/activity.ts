import { type ActivityKind, type ActivityRow, activityKinds, activityRowSchema } from '../../audit/activity.ts';
import { flag, type Infer, list, object } from '../../kernel/schema.ts';
import { lastActivity } from '../activity/rows.ts';
import { defineOperation } from '../operation.ts';
import { sinceField, timeIfGiven } from '../times.ts';

export { type ActivityKind, type ActivityRow, activityKinds, activityRowSchema };

const output = object({
  rows: list(activityRowSchema, 'The newest first.'),
  kept: flag('Whether activity is logged at all.'),
});
export type ActivityOutput = Infer<typeof output>;

/** What was searched, loaded and run, by which client, in whatever process. */
export const activity = defineOperation({
  fields: {
    what: { kind: 'choice', choices: activityKinds, description: 'Only this.' },
    client: { kind: 'text', value: 'NAME', description: 'Only the activity of this client.' },
    skill: { kind: 'text', value: 'NAME', description: 'Only the activity of this skill.', completes: 'skill' },
    since: sinceField,
    limit: { kind: 'integer', min: 1, max: 10_000, default: 100, value: 'N', description: 'Show only the last N.' },
  },
  output,
  async run({ environment, configuration }, { limit, since, ...filter }): Promise<ActivityOutput> {
    const asked = { ...filter, since: timeIfGiven(since, '--since') };
    return { rows: await lastActivity(environment, asked, limit), kept: configuration.values.activity };
  },
});
