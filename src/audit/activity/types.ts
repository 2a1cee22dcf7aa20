export const activityKinds = ['searched', 'loaded', 'ran'] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** Something that an agent or a person did with skills. */
export interface ActivityRow {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly what: ActivityKind;
  /** Who: the name that an MCP client gives itself, or `cli`, `console`, `library`. */
  readonly client: string;
  /** The skill; null for a search. */
  readonly skill: string | null;
  /** What was looked for, or the tool that was run, or the file that was loaded; null for SKILL.md itself. */
  readonly detail: string | null;
  /** How many were found, for a search; null otherwise. */
  readonly hits: number | null;
  /** `ok`, or why not: the exit reason of a run, `not-found` and the like. */
  readonly outcome: string;
  readonly durationMs: number;
  /** Of the execution, for a run. */
  readonly execution: string | null;
}

/** What is written down here. Runs are not: the audit log has them. */
export interface ActivityEvent extends Omit<ActivityRow, 'execution'> {
  readonly what: Exclude<ActivityKind, 'ran'>;
}
