/** Failures that a caller is informed of. Each edge maps this union through one table. */
export type ErrorCode =
  | 'invalid-name'
  | 'not-found'
  | 'ambiguous'
  | 'usage'
  | 'config'
  | 'unreadable'
  | 'unwritable'
  /** The state that the caller saw is out of date: the target has changed since. */
  | 'conflict'
  /** The operation is not permitted by the grants in force. */
  | 'denied'
  /** The machine lacks a prerequisite. */
  | 'unavailable'
  /** Too much is already in progress. */
  | 'busy';

export interface ErrorDetails {
  /** The next step for the caller, in one line. */
  readonly hint?: string;
  /** Names close to the one asked for. */
  readonly suggestions?: readonly string[];
  /** The full names that an ambiguous request could mean. */
  readonly candidates?: readonly string[];
  readonly cause?: unknown;
}

/** The one error class that crosses room borders: a code for programs, a message and a hint for people. */
export class SkillError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly suggestions: readonly string[];
  readonly candidates: readonly string[];

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SkillError';
    this.code = code;
    this.hint = details.hint;
    this.suggestions = details.suggestions ?? [];
    this.candidates = details.candidates ?? [];
  }
}

/** The short reason behind a failed system call (`ENOENT`, `EACCES`, …), or the message of anything else. */
export function reasonOf(error: unknown): string {
  if (error instanceof SkillError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : error.message; // a library's own codes may be numbers, which say nothing
}

/** The stack of an error, or its text where there is none, for the log. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
