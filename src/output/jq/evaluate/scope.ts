import type { Definition, Filter } from '../parse/syntax.ts';
import type { At } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import type { Value } from '../values/value.ts';

/** What is the same wherever a filter is. */
interface Machine {
  readonly budget: Budget;
  /** What a filter makes of a value: none, one or many, each worked out when it is asked for. */
  readonly run: (filter: Filter, at: At, scope: Scope) => Iterable<At>;
}

/** What a name stands for. */
export type Bound =
  | { readonly kind: 'value'; readonly value: Value }
  /** A filter given to a function: it means what it means where it was written. */
  | { readonly kind: 'filter'; readonly filter: Filter; readonly scope: Scope }
  | { readonly kind: 'definition'; readonly definition: Definition; readonly scope: Scope }
  /** A place to break off to, another one each time it is reached. */
  | { readonly kind: 'label'; readonly label: symbol };

/** The names that are known, the innermost first. */
export interface Scope {
  readonly machine: Machine;
  readonly name: string;
  readonly bound: Bound;
  readonly before: Scope | null;
}

/** At first nothing is known but an environment without anything in it. */
export function createScope(machine: Machine): Scope {
  return { machine, name: '$ENV', bound: { kind: 'value', value: new Map() }, before: null };
}

export function withName(scope: Scope, name: string, bound: Bound): Scope {
  return { machine: scope.machine, name, bound, before: scope };
}

export function withValue(scope: Scope, name: string, value: Value): Scope {
  return withName(scope, name, { kind: 'value', value });
}

export function boundTo(scope: Scope, name: string): Bound | null {
  for (let known: Scope | null = scope; known !== null; known = known.before) {
    if (known.name === name) return known.bound;
  }
  return null;
}

/** The outermost names only: those that the functions of the language see. */
export function outermost(scope: Scope): Scope {
  let known = scope;
  while (known.before !== null) known = known.before;
  return known;
}
