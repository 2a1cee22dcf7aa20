import { rangeOf, valueAt } from './access.ts';
import type { Budget } from './budget.ts';
import { JqFailure, named } from './failure.ts';
import { isList, isMap, isNumber, type ObjectValue, typeOf, type Value } from './value.ts';

type Path = readonly Value[];

/** Changes parts of a value. What it was made from stays as it was. */
export interface Editor {
  readonly get: (path: Path) => Value;
  readonly set: (path: Path, value: Value) => void;
  readonly root: () => Value;
}

/** A list grows to an index at most this large. */
const largestIndex = 10_000_000;
/** Copying is quicker than doing. */
const copiesPerStep = 8;

/**
 * Copies a list or an object when something in it first changes, and changes the copy from then on: thousands of
 * changes in one list cost no more than one.
 */
export function createEditor(start: Value, budget: Budget): Editor {
  let root = start;
  const owned = new Set<Value>();
  const own = <T extends Value>(copy: T, size: number): T => {
    budget.spend(1 + size / copiesPerStep);
    owned.add(copy);
    return copy;
  };
  const ownList = (list: readonly Value[]): Value[] =>
    owned.has(list) ? (list as Value[]) : own([...list], list.length);
  const ownMap = (map: ObjectValue): Map<string, Value> =>
    owned.has(map) ? (map as Map<string, Value>) : own(new Map(map), map.size);

  const place = (value: Value, key: Value, next: Value): Value => {
    const container = value ?? emptyFor(key);
    if (isMap(container) && typeof key === 'string') return ownMap(container).set(key, next);
    if (isList(container) && isNumber(key)) return putInList(ownList(container), Number(key), next, budget);
    if (isList(container) && isMap(key)) return own(putSlice(container, key, next), container.length);
    throw cannotSet(value, key);
  };
  const put = (value: Value, path: Path, depth: number, last: Value): Value => {
    const key = path[depth];
    if (key === undefined) return last;
    return place(value, key, put(valueAt(value, key, budget), path, depth + 1, last));
  };

  return {
    get: (path) => {
      const value = getPath(root, path, budget);
      // Whoever sees it may keep it: from now on it must stay as it is.
      if (owned.has(value)) owned.clear();
      return value;
    },
    set: (path, value) => {
      root = put(root, path, 0, value);
    },
    root: () => root,
  };
}

/** What grows where nothing was. */
function emptyFor(key: Value): Value {
  if (typeof key === 'string') return new Map();
  return isNumber(key) || isMap(key) ? [] : null;
}

export function getPath(value: Value, path: Path, budget: Budget): Value {
  let held = value;
  for (const key of path) {
    if (held === null) return null;
    budget.spend(1);
    held = valueAt(held, key, budget);
  }
  return held;
}

function putInList(list: Value[], index: number, value: Value, budget: Budget): Value[] {
  const whole = Math.floor(index);
  const place = whole < 0 ? whole + list.length : whole;
  if (!(place >= 0)) throw new JqFailure('Out of bounds negative array index');
  if (place > largestIndex) throw new JqFailure('Array index too large');
  budget.spend(Math.max(0, place - list.length));
  while (list.length < place) list.push(null);
  list[place] = value;
  return list;
}

function putSlice(list: readonly Value[], key: ReadonlyMap<string, Value>, value: Value): Value[] {
  if (!isList(value)) throw new JqFailure('A slice of an array can only be assigned another array');
  const { from, to } = rangeOf(list.length, key.get('start') ?? null, key.get('end') ?? null);
  return [...list.slice(0, from), ...value, ...list.slice(to)];
}

function cannotSet(value: Value, key: Value): JqFailure {
  return new JqFailure(`Cannot index ${typeOf(value)} with ${typeof key === 'string' ? `"${key}"` : named(key)}`);
}
