import { type ActivityKind, type ActivityRow, activityKinds } from '../../audit/activity/types.ts';
import { lastActivity } from '../activity/rows.ts';
import { defineOperation } from '../operation.ts';
import { sinceField, timeIfGiven } from '../times.ts';

export { type ActivityKind, type ActivityRow, activityKinds };

export interface ActivityOutput {
  /** The newest first. */
  readonly rows: readonly ActivityRow[];
  /** Whether it is being kept at all. */
  readonly kept: boolean;
}

/** What was searched, loaded and run, by which client, in whatever process. */
export const activity = defineOperation({
  fields: {
    what: { kind: 'choice', choices: activityKinds, description: 'Only this.' },
    client: { kind: 'text', value: 'NAME', description: 'Only the activity of this client.' },
    skill: { kind: 'text', value: 'NAME', description: 'Only the activity of this skill.', completes: 'skill' },
    since: sinceField,
    limit: { kind: 'integer', min: 1, max: 10_000, default: 100, value: 'N', description: 'Show only the last N.' },
  },
  async run({ environment, configuration }, { limit, since, ...filter }): Promise<ActivityOutput> {
    const asked = { ...filter, since: timeIfGiven(since, '--since') };
    return { rows: await lastActivity(environment, asked, limit), kept: configuration.values.activity };
  },
});
