import {
  anything,
  choice,
  count,
  type Infer,
  integer,
  list,
  map,
  named,
  nullable,
  number,
  object,
  optional,
  text,
} from '../../core/schema/schema.ts';
import type { Shaping } from '../../run/output/types.ts';
import { type HostRule, type Limits, limitsSchema, type Mount, permissionsSchema } from '../../run/policy/types.ts';
import {
  denialSchema,
  type Enforcement,
  type ExitReason,
  enforcementSchema,
  exitReasons,
  type Stream,
  type Usage,
  usageSchema,
} from '../../run/sandbox/types.ts';

export type { Enforcement, ExitReason, HostRule, Limits, Mount, Usage };
export { enforcementSchema, limitsSchema, usageSchema };

/** A call of a skill's tool. */
export interface ToolCall {
  /** Any name that the skill can be loaded by. */
  readonly skill: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Name of one of the skill's instances; null for its default. */
  readonly instance: string | null;
  readonly shaping: Shaping;
}

/** The result of a call. */
export const executionResultSchema = named(
  'ExecutionResult',
  object({
    id: text('Its id in the audit log.'),
    skill: text(),
    tool: text(),
    runtime: text(),
    digest: text('Of all files of the skill.'),
    reason: choice(exitReasons, 'Why it ended.'),
    exitCode: nullable(integer()),
    signal: nullable(text()),
    message: nullable(text(), 'Why, if it did not end by itself.'),
    hint: nullable(text(), 'What to do about it.'),
    stdout: text('Filtered as requested.'),
    stderr: text(),
    value: optional(anything('The output as data, if it is JSON that is not too long.')),
    notes: list(text(), 'What was left out of the output.'),
    durationMs: number(),
    limits: nullable(limitsSchema),
    enforcement: list(enforcementSchema),
    denials: list(denialSchema),
  }),
);
export type ExecutionResult = Infer<typeof executionResultSchema>;

/** An execution under way. */
export interface Execution {
  readonly id: string;
  readonly skill: string;
  readonly tool: string;
  readonly startedAt: string;
  /** Promise of the result; it never rejects. */
  readonly result: Promise<ExecutionResult>;
  /** Returns the output so far, without secrets. */
  partial(stream: Stream, from?: number): Uint8Array;
  cancel(): void;
  /** Has the worker that runs it keep it, where one does; resolves once any server can find it, if ever. */
  keep?(): Promise<void>;
  /** Detaches the execution from its caller: from now on it goes on even if the caller has left. */
  release(): void;
}

/** The outcome of a dry run: what a call would do. */
export const dryRunSchema = named(
  'DryRun',
  object(
    {
      skill: text(),
      tool: text(),
      runtime: text(),
      digest: text(),
      argv: list(text(), 'The exact arguments, one per item.'),
      folder: text(),
      env: map(text(), 'Only names where a value is secret.'),
      stdinBytes: count(),
      permissions: permissionsSchema,
      enforcement: list(enforcementSchema),
    },
    'With `dryRun`.',
  ),
);
export type DryRun = Infer<typeof dryRunSchema>;
