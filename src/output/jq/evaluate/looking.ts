import type { Filter } from '../parse/syntax.ts';
import { everythingIn, partAt, partsOf, slice, sliceKey } from '../values/access.ts';
import { type At, found, made } from '../values/at.ts';
import { type Doers, type Of, onlyOne, run, valuesFrom } from './doer.ts';
import type { Scope } from './scope.ts';

/** Filters that look something up. */
export const looking: Doers<'identity' | 'everything' | 'literal' | 'index' | 'slice' | 'each' | 'pipe' | 'comma'> = {
  identity: (_, at) => [at],
  everything: (_, at, { machine }) => everythingIn(at, machine.budget),
  literal: ({ value }, at) => [made(value, at)],

  index: (filter, at, scope) => {
    const { of, key } = filter;
    // By far the most of them: `.name`.
    if (of.kind === 'identity' && key.kind === 'literal') return [partAt(at, key.value, scope.machine.budget)];
    return indexed(filter, at, scope);
  },

  slice: function* ({ of, from, to }, at, scope) {
    for (const start of from === null ? [null] : valuesFrom(from, at, scope)) {
      for (const end of to === null ? [null] : valuesFrom(to, at, scope)) {
        for (const target of run(of, at, scope)) {
          yield found(slice(target.value, start, end, scope.machine.budget), sliceKey(start, end), target);
        }
      }
    }
  },

  each: function* ({ of }, at, scope) {
    for (const target of run(of, at, scope)) yield* counted(partsOf(target), scope);
  },

  pipe: ({ left, right }, at, scope) => {
    const results = run(left, at, scope);
    const one = onlyOne(results);
    return one === null ? piped(results, right, scope) : run(right, one[0], scope);
  },

  comma: function* ({ left, right }, at, scope) {
    yield* run(left, at, scope);
    yield* run(right, at, scope);
  },
};

function* piped(results: Iterable<At>, right: Filter, scope: Scope): Iterable<At> {
  for (const between of results) yield* run(right, between, scope);
}

function* indexed({ of, key }: Of<'index'>, at: At, scope: Scope): Iterable<At> {
  const { budget } = scope.machine;
  for (const name of valuesFrom(key, at, scope)) {
    for (const target of run(of, at, scope)) yield partAt(target, name, budget);
  }
}

function* counted(results: Iterable<At>, { machine }: Scope): Iterable<At> {
  for (const result of results) {
    machine.budget.spend(1);
    yield result;
  }
}
