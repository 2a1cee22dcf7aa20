import type { Filter, Pattern, PatternEntry } from '../parse/syntax.ts';
import { valueAt } from '../values/access.ts';
import { type At, made, unlocated } from '../values/at.ts';
import type { Value } from '../values/value.ts';
import { type Doers, run, valuesFrom } from './doer.ts';
import { boundTo, type Scope, withName, withValue } from './scope.ts';

/** Filters that give names to things. */
export const naming: Doers<'bind' | 'variable' | 'define'> = {
  bind: function* ({ source, pattern, body }, at, scope) {
    for (const inner of namedIn(source, pattern, at, scope)) yield* run(body, at, inner);
  },

  variable: ({ name }, at, scope) => {
    const bound = boundTo(scope, name);
    return [made(bound?.kind === 'value' ? bound.value : null, at)];
  },

  define: ({ definition, body }, at, scope) =>
    run(body, at, withName(scope, definition.name, { kind: 'definition', definition, scope })),
};

/** The names of a pattern, once for each value that there is. */
export function* namedIn(source: Filter, pattern: Pattern, at: At, scope: Scope): Iterable<Scope> {
  for (const value of valuesFrom(source, at, scope)) yield* withPattern(pattern, value, scope);
}

function* withPattern(pattern: Pattern, value: Value, scope: Scope): Iterable<Scope> {
  if (pattern.kind === 'name') return yield withValue(scope, pattern.name, value);
  const entries = pattern.kind === 'object' ? pattern.entries : pattern.items.map(placed);
  yield* withEntries(entries, value, scope);
}

function placed(inside: Pattern, index: number): PatternEntry {
  return { key: { kind: 'literal', value: index }, name: null, inside };
}

function* withEntries(entries: readonly PatternEntry[], value: Value, scope: Scope): Iterable<Scope> {
  const [entry, ...others] = entries;
  if (entry === undefined) return yield scope;
  for (const key of valuesFrom(entry.key, unlocated(value), scope)) {
    const held = valueAt(value, key, scope.machine.budget);
    const named = entry.name === null ? scope : withValue(scope, entry.name, held);
    const inner = entry.inside === null ? [named] : withPattern(entry.inside, held, named);
    for (const known of inner) yield* withEntries(others, value, known);
  }
}
