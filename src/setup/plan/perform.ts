import type { Environment } from '../../kernel/environment.ts';
import { changedMeanwhile } from '../../kernel/replace.ts';
import { unifiedDiff } from '../edit/diff.ts';
import type { Format } from '../edit/types.ts';
import { writeWithBackup } from '../edit/write.ts';
import { inWords } from './reasons.ts';
import { remember, restored } from './undo.ts';

/** Nothing is written to show something, or to show the changes. */
export type Mode = 'show' | 'dry-run' | 'write';

/** What a file says, and what it should say. */
export interface Change {
  readonly file: string | null;
  readonly format: Format;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Outcome {
  /** Whether the file was written. */
  readonly done: boolean;
  readonly diff: string | null;
  /** Where the file is kept as it was before. */
  readonly backup: string | null;
  /** Why it could not be written. */
  readonly failure: string | null;
}

/** An agent that runs may write its file just now, but does not do so all the time. */
const mostTries = 5;

interface Doing {
  readonly kind: 'add' | 'remove';
  readonly mode: Mode;
  readonly environment: Environment;
}

/** Does what is planned, or shows it; planned again where somebody else has written the file meanwhile. */
export function perform<C extends Change>(
  plan: () => C,
  { kind, mode, environment }: Doing,
): { readonly plan: C; readonly outcome: Outcome } {
  const nothing: Outcome = { done: false, diff: null, backup: null, failure: null };
  for (let tries = 1; ; tries++) {
    const planned = plan();
    const { file, format, before } = planned;
    if (file === null || before === planned.after || mode === 'show') return { plan: planned, outcome: nothing };
    const change = { file, format, before, after: planned.after };
    const after = kind === 'remove' ? restored(environment, change) : change.after;
    if (mode === 'dry-run') {
      return { plan: planned, outcome: { ...nothing, diff: unifiedDiff(before, after, file) } };
    }
    const written = writeWithBackup(file, before, after);
    if (written.ok) {
      remember(environment, { kind, file, before, after });
      return { plan: planned, outcome: { ...nothing, done: true, backup: written.backup } };
    }
    if (written.reason === changedMeanwhile && tries < mostTries) continue;
    return { plan: planned, outcome: { ...nothing, failure: `it cannot be written: ${inWords(written.reason)}` } };
  }
}
