import type { Budget } from './budget.ts';
import { brief, JqFailure } from './failure.ts';
import type { Value } from './value.ts';

/** The way from the value that was asked about to a part of it. */
export type Trail = { readonly before: Trail; readonly key: Value } | 'start';

/** A value, and where it stands if somebody wants to know: nowhere, if it was made and not found. */
export interface At {
  readonly value: Value;
  readonly trail: Trail | 'nowhere' | null;
}

/** What a function is given as a parameter: a filter, to be used as often as it likes. */
export type Arg = (at: At) => Iterable<At>;

/** A function whose parameters are filters. */
export type StreamFunction = (at: At, args: readonly (Arg | undefined)[], budget: Budget) => Iterable<At>;

/** A function whose parameters are values. */
export type ValueFunction = (input: Value, args: readonly Value[], budget: Budget) => Value;

export function unlocated(value: Value): At {
  return { value, trail: null };
}

/** The same value, where nobody asks for its place. */
export function asValue(at: At): At {
  return at.trail === null ? at : unlocated(at.value);
}

/** A value that is made of another. */
export function made(value: Value, from: At): At {
  return { value, trail: from.trail === null ? null : 'nowhere' };
}

/** A part of a value. */
export function found(value: Value, key: Value, from: At): At {
  if (from.trail === null) return { value, trail: null };
  if (from.trail === 'nowhere') throw nowhere(from.value);
  return { value, trail: { before: from.trail, key } };
}

/** The keys that lead to a value, the outermost first. */
export function pathTo({ value, trail }: At): Value[] {
  if (trail === null || trail === 'nowhere') throw nowhere(value);
  const keys: Value[] = [];
  for (let step: Trail = trail; step !== 'start'; step = step.before) keys.push(step.key);
  return keys.reverse();
}

function nowhere(value: Value): JqFailure {
  return new JqFailure(`Invalid path expression with result ${brief(value)}`);
}

export function* valuesOf(arg: Arg | undefined, at: At): Iterable<Value> {
  for (const { value } of arg?.(asValue(at)) ?? []) yield value;
}
