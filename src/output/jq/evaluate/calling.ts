import { preludeFunction } from '../functions/prelude.ts';
import { streamFunctions, valueFunctions } from '../functions/table.ts';
import type { Definition, Filter } from '../parse/syntax.ts';
import { type At, made } from '../values/at.ts';
import { choices, type Doers, run, valuesFrom } from './doer.ts';
import { boundTo, outermost, type Scope, withName, withValue } from './scope.ts';

/** Calls of functions: those of the filter itself, and those that are always there. */
export const calling: Doers<'call'> = {
  call: ({ name, args }, at, scope) => {
    const bound = boundTo(scope, name);
    if (bound?.kind === 'filter') return run(bound.filter, at, bound.scope);
    if (bound?.kind === 'definition') return invoke(bound.definition, bound.scope, args, at, scope);
    return callBuiltin(name, args, at, scope);
  },
};

function callBuiltin(name: string, args: readonly Filter[], at: At, scope: Scope): Iterable<At> {
  const { budget } = scope.machine;
  const stream = streamFunctions.get(name);
  if (stream !== undefined) {
    return stream(
      at,
      args.map((arg) => (inner) => run(arg, inner, scope)),
      budget,
    );
  }
  const simple = valueFunctions.get(name);
  if (simple === undefined) return invoke(preludeFunction(name), outermost(scope), args, at, scope);
  if (args.length === 0) return [made(simple(at.value, [], budget), at)];
  return mapped(choices(args, at, scope), (values) => made(simple(at.value, values, budget), at));
}

function* mapped<T, U>(items: Iterable<T>, change: (item: T) => U): Iterable<U> {
  for (const item of items) yield change(item);
}

/** A function sees the names of where it was written, itself, and its parameters. */
function* invoke(definition: Definition, home: Scope, args: readonly Filter[], at: At, scope: Scope): Iterable<At> {
  const self = withName(home, definition.name, { kind: 'definition', definition, scope: home });
  for (const inner of withParameters(definition.parameters, args, at, scope, self)) {
    yield* run(definition.body, at, inner);
  }
}

function* withParameters(
  parameters: readonly string[],
  args: readonly Filter[],
  at: At,
  outer: Scope,
  inner: Scope,
): Iterable<Scope> {
  const [parameter, ...others] = parameters;
  const [filter, ...rest] = args;
  if (parameter === undefined || filter === undefined) return yield inner;
  if (!parameter.startsWith('$')) {
    const known = withName(inner, `${parameter}/0`, { kind: 'filter', filter, scope: outer });
    return yield* withParameters(others, rest, at, outer, known);
  }
  for (const value of valuesFrom(filter, at, outer)) {
    const literal: Filter = { kind: 'literal', value };
    const named = withName(inner, `${parameter.slice(1)}/0`, { kind: 'filter', filter: literal, scope: outer });
    yield* withParameters(others, rest, at, outer, withValue(named, parameter, value));
  }
}
