import type { DiagnosticCode } from '../../kernel/diagnostics.ts';
import type { Head } from '../head.ts';

/** One fault that was mended: a diagnostic of something that is gone. */
export interface Fixed {
  /** The rule that was broken. */
  readonly code: DiagnosticCode;
  /** Of the file as it was. */
  readonly line: number;
  readonly message: string;
}

export interface Repaired {
  readonly head: Head;
  readonly fixed: readonly Fixed[];
}

/** Changes a head, or finds nothing to do. Whether the change may stay is decided elsewhere. */
export type Repair = (head: Head) => Repaired | null;
