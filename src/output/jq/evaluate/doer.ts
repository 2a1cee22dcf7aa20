import type { Filter } from '../parse/syntax.ts';
import { type At, asValue } from '../values/at.ts';
import type { Value } from '../values/value.ts';
import type { Scope } from './scope.ts';

export type Kind = Filter['kind'];
export type Of<K extends Kind> = Extract<Filter, { readonly kind: K }>;

/** How one kind of filter is done. */
export type Doer<K extends Kind> = (filter: Of<K>, at: At, scope: Scope) => Iterable<At>;
export type Doers<K extends Kind> = { readonly [One in K]: Doer<One> };

export function run(filter: Filter, at: At, scope: Scope): Iterable<At> {
  return scope.machine.run(filter, at, scope);
}

/** The results alone, wherever they stand. */
export function valuesFrom(filter: Filter, at: At, scope: Scope): Iterable<Value> {
  if (filter.kind === 'literal') return [filter.value];
  const results = run(filter, asValue(at), scope);
  return isArray(results) ? results.map(({ value }) => value) : valuesIn(results);
}

function* valuesIn(results: Iterable<At>): Iterable<Value> {
  for (const { value } of results) yield value;
}

function isArray<T>(results: Iterable<T>): results is readonly T[] {
  return Array.isArray(results);
}

/** Most filters have one result, which is there at once. Null for those of which this is not known. */
export function onlyOne<T>(results: Iterable<T>): readonly [T] | null {
  return isArray(results) && results.length === 1 ? (results as unknown as readonly [T]) : null;
}

/** Every choice of one result for each filter. The first filter changes quickest. */
export function* choices(filters: readonly Filter[], at: At, scope: Scope): Iterable<readonly Value[]> {
  const last = filters.at(-1);
  if (last === undefined) return yield [];
  const before = filters.slice(0, -1);
  for (const value of valuesFrom(last, at, scope)) {
    for (const values of choices(before, at, scope)) yield [...values, value];
  }
}
