import { settlesWithin } from '../../kernel/settles-within.ts';
import type { Limits } from '../../policy/types.ts';
import { type Ending, engineError } from '../ending.ts';
import { supervise } from '../supervise.ts';
import type { Enforcement, Outcome, Watcher } from '../types.ts';
import type { Child } from './child.ts';
import type { Call, Order } from './protocol.ts';
import { verdictOf } from './verdict.ts';

/** One run, whatever it is that runs. */
export interface Execution {
  readonly order: Order | Call;
  /** What follows the order. */
  readonly attached?: readonly Uint8Array[];
  readonly stdin: Uint8Array | null;
  readonly limits: Limits;
  readonly watcher: Watcher;
  /** By `performance.now()`. */
  readonly began: number;
}

/** What a child says last may come a little later than its end. */
const lastWordsMs = 1000;

/** Gives a child its order and sees it to its end. In words why, where it was never there: the sandbox could not be set up. */
export async function execute(child: Child, execution: Execution): Promise<Outcome | string> {
  child.talk.order(execution.order, execution.attached);
  const ending = await supervise(child.running, execution);
  if (ending.reason === 'engine_error' && !(await child.running.ended).setUp) return ending.message ?? '';
  await settlesWithin(lastWordsMs, child.talk.closed);
  return outcomeOf(verdictOf(ending, child.talk.last(), execution.limits), child.enforcement);
}

export function outcomeOf(ending: Ending, enforcement: readonly Enforcement[]): Outcome {
  return { ...ending, enforcement, denials: [] };
}

/** What comes of a run that was not begun. */
export function notBegun(reason: 'denied' | 'engine_error', message: string, began: number): Outcome {
  return outcomeOf({ ...engineError('', performance.now() - began), reason, message }, []);
}
