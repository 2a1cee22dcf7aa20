import { addTo } from '../../../kernel/groups.ts';
import { rangeOf } from './access.ts';
import type { Budget } from './budget.ts';
import { JqFailure } from './failure.ts';
import { isList, isMap, isNumber, typeOf, type Value } from './value.ts';

type Path = readonly Value[];

/** A value without the parts that the paths lead to. All of them mean places in the value as it was. */
export function deletePaths(value: Value, paths: readonly Path[], budget: Budget): Value {
  return without(value, paths, 0, budget);
}

function without(value: Value, paths: readonly Path[], depth: number, budget: Budget): Value {
  if (paths.some(({ length }) => length === depth)) return null;
  if (value === null || paths.length === 0) return value;
  budget.spend(paths.length);
  if (isMap(value)) return withoutKeys(value, paths, depth, budget);
  if (isList(value)) return withoutItems(value, paths, depth, budget);
  throw cannotDelete(value, paths[0]?.[depth] ?? null);
}

function withoutKeys(object: ReadonlyMap<string, Value>, paths: readonly Path[], depth: number, budget: Budget): Value {
  const copy = new Map(object);
  budget.spend(copy.size);
  for (const [key, below] of groupBy(paths, (path) => path[depth] ?? null)) {
    if (typeof key !== 'string') throw cannotDelete(object, key);
    if (below.some(({ length }) => length === depth + 1)) copy.delete(key);
    else if (copy.has(key)) copy.set(key, without(copy.get(key) ?? null, below, depth + 1, budget));
  }
  return copy;
}

function withoutItems(list: readonly Value[], paths: readonly Path[], depth: number, budget: Budget): Value {
  const copy: (Value | undefined)[] = [...list];
  budget.spend(copy.length);
  for (const path of paths) {
    const { from, to } = placesIn(list, path[depth] ?? null);
    if (path.length > depth + 1) continue;
    for (let at = from; at < to; at++) copy[at] = undefined;
  }
  const deeper = paths.filter(({ length }) => length > depth + 1);
  for (const [at, below] of groupBy(deeper, (path) => placesIn(list, path[depth] ?? null).from)) {
    const held = copy[Number(at)];
    if (held !== undefined) copy[Number(at)] = without(held, below, depth + 1, budget);
  }
  return copy.filter((item) => item !== undefined);
}

function placesIn(list: readonly Value[], key: Value): { from: number; to: number } {
  if (isMap(key)) return rangeOf(list.length, key.get('start') ?? null, key.get('end') ?? null);
  if (!isNumber(key)) throw cannotDelete(list, key);
  const index = Math.floor(Number(key));
  const from = index < 0 ? index + list.length : index;
  return from < 0 ? { from: 0, to: 0 } : { from, to: Math.min(from + 1, list.length) };
}

function cannotDelete(value: Value, key: Value): JqFailure {
  return new JqFailure(`Cannot delete ${typeof key === 'string' ? 'field' : typeOf(key)} of ${typeOf(value)}`);
}

function groupBy(paths: readonly Path[], keyOf: (path: Path) => Value): Map<Value, Path[]> {
  const groups = new Map<Value, Path[]>();
  for (const path of paths) addTo(groups, keyOf(path), path);
  return groups;
}
