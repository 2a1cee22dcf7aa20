import type { ExecutionResult } from '../../engine/running/types.ts';
import { durationInWords } from '../../kernel/quantities.ts';

export interface OutcomeWords {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly words: string;
}

type Ending = Pick<ExecutionResult, 'reason' | 'exitCode' | 'signal' | 'durationMs'>;

const words: Readonly<Record<Exclude<ExecutionResult['reason'], 'exited'>, OutcomeWords>> = {
  timeout: { tone: 'bad', words: 'Took too long and was stopped' },
  cancelled: { tone: 'warn', words: 'Cancelled' },
  output_limit: { tone: 'bad', words: 'Wrote too much and was stopped' },
  memory: { tone: 'bad', words: 'Used too much memory and was stopped' },
  process_limit: { tone: 'bad', words: 'Was refused more processes' },
  file_limit: { tone: 'bad', words: 'Had a file cut short' },
  scratch_limit: { tone: 'bad', words: 'Filled its scratch folder' },
  denied: { tone: 'bad', words: 'Denied' },
  invalid_parameters: { tone: 'bad', words: 'Not run: invalid parameters' },
  not_found: { tone: 'bad', words: 'Not run: no such skill or tool' },
  lost: { tone: 'bad', words: 'Lost' },
  engine_error: { tone: 'bad', words: 'Could not be run' },
};

/** How long it took says nothing of what was not begun. */
const neverRan: ReadonlySet<string> = new Set(['denied', 'invalid_parameters', 'not_found']);

/** How a run ended. */
export function outcomeOf({ reason, exitCode, signal, durationMs }: Ending): OutcomeWords {
  const [tone, said] = reason === 'exited' ? exitOf(exitCode, signal) : [words[reason].tone, words[reason].words];
  return { tone, words: neverRan.has(reason) ? said : `${said}, after ${durationInWords(durationMs)}` };
}

function exitOf(exitCode: number | null, signal: string | null): [OutcomeWords['tone'], string] {
  if (exitCode === 0) return ['good', 'Finished with exit code 0'];
  return ['bad', exitCode === null ? `Ended by ${signal ?? 'a signal'}` : `Failed with exit code ${exitCode}`];
}
