import type { Shaping } from '../../output/types.ts';
import type { HostRule, Limits, Mount, Permissions } from '../../policy/types.ts';
import type { Denial, Enforcement, ExitReason, Stream, Usage } from '../../sandbox/types.ts';

export { exitReasons } from '../../sandbox/types.ts';
export type { Enforcement, ExitReason, HostRule, Limits, Mount, Permissions, Usage };

/** A call of a skill's tool. */
export interface ToolCall {
  /** By any name that a skill can be loaded by. */
  readonly skill: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** One of the skill's instances; null for its default. */
  readonly instance: string | null;
  readonly shaping: Shaping;
}

/** What came of a call. */
export interface ExecutionResult {
  readonly id: string;
  readonly skill: string;
  readonly tool: string;
  readonly runtime: string;
  /** Of all files of the skill. */
  readonly digest: string;
  readonly reason: ExitReason;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why, wherever the reason is not `exited`; with what to do about it. */
  readonly message: string | null;
  readonly hint: string | null;
  /** Shaped as asked for. */
  readonly stdout: string;
  readonly stderr: string;
  /** The output as data, where it is JSON that is not too long. */
  readonly value?: unknown;
  /** What was left out of the output. */
  readonly notes: readonly string[];
  readonly durationMs: number;
  readonly limits: Limits | null;
  readonly enforcement: readonly Enforcement[];
  readonly denials: readonly Denial[];
}

/** An execution under way. */
export interface Execution {
  readonly id: string;
  readonly skill: string;
  readonly tool: string;
  readonly startedAt: string;
  /** Never rejects. */
  readonly result: Promise<ExecutionResult>;
  /** What it has written so far, without secrets. */
  partial(stream: Stream, from?: number): Uint8Array;
  cancel(): void;
  /** From now on it no longer matters to it whether whoever began it is still there. */
  release(): void;
}

/** What a call would do. */
export interface DryRun {
  readonly skill: string;
  readonly tool: string;
  readonly runtime: string;
  readonly digest: string;
  /** The very arguments, each one by itself. */
  readonly argv: readonly string[];
  readonly folder: string;
  /** Names only, where a value is secret. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdinBytes: number;
  readonly permissions: Permissions;
  /** What the sandbox makes sure of, and how. */
  readonly enforcement: readonly Enforcement[];
}
