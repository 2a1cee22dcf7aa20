import { choice, count, type Infer, named, nullable, number, object, text, time } from '../../kernel/schema.ts';

export const activityKinds = ['searched', 'loaded', 'ran'] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** Something that an agent or a person did with skills. */
export const activityRowSchema = named(
  'ActivityRow',
  object({
    time: time(),
    what: choice(activityKinds),
    client: text('The name an MCP client gives itself, or cli, console, library.'),
    skill: nullable(text(), 'Null for a search.'),
    detail: nullable(text(), 'What was looked for, the tool that was run, or the file that was loaded.'),
    hits: nullable(count(), 'How many were found, for a search.'),
    outcome: text('`ok`, or why not.'),
    durationMs: number(),
    execution: nullable(text(), 'Of the execution, for a run.'),
  }),
);
export type ActivityRow = Infer<typeof activityRowSchema>;

/** What is written down here. Runs are not: the audit log has them. */
export interface ActivityEvent extends Omit<ActivityRow, 'execution'> {
  readonly what: Exclude<ActivityKind, 'ran'>;
}
