import type { ActivityRow } from '../engine/operations/activity.ts';
import type { AuditRow } from '../engine/operations/audit.ts';
import type { DryRun, ExecutionResult, Usage } from '../engine/running/types.ts';
import type { ErrorCode } from '../kernel/errors.ts';

/** What the console may do: everything, or only look. */
export type ConsoleMode = 'full' | 'read';

/** Who is asking, and what for. */
export interface SessionState {
  readonly signedIn: boolean;
  readonly mode: ConsoleMode;
  readonly version: string;
}

/** The body of every answer that is an error. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode | 'unauthorized' | 'forbidden' | 'method' | 'too-large' | 'too-many' | 'internal';
    readonly message: string;
    /** What to do next. */
    readonly hint: string | null;
    readonly suggestions: readonly string[];
    readonly candidates: readonly string[];
  };
}

/** A line of the answer to a run. */
export type RunEvent =
  /** The first one: by this key the run can be cancelled. */
  | { readonly event: 'start'; readonly key: string }
  | { readonly event: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly event: 'usage'; readonly usage: Usage }
  /** The last one where nothing is to be run. */
  | { readonly event: 'plan'; readonly plan: DryRun }
  /** The last one, unless there is an error. `record` is what the audit log has of it. */
  | { readonly event: 'end'; readonly result: ExecutionResult; readonly record: AuditRow | null }
  | ({ readonly event: 'error' } & ErrorBody);

/** What is told to pages that are open, as it happens. */
export type LiveEvent =
  /** The skills are others than before. */
  | { readonly type: 'skills'; readonly revision: string }
  /** A grant was given, taken back, or may no longer hold. */
  | { readonly type: 'grants' }
  /** An execution has begun or ended, whoever started it. */
  | { readonly type: 'execution'; readonly row: AuditRow }
  | { readonly type: 'activity'; readonly row: ActivityRow };

export type LiveType = LiveEvent['type'];
