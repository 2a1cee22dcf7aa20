import { type At, found } from './at.ts';
import type { Budget } from './budget.ts';
import { isEqual } from './compare.ts';
import { JqFailure, named } from './failure.ts';
import { isList, isMap, isNumber, type ObjectValue, typeOf, type Value } from './value.ts';

/** What stands at a key; null where nothing does. */
export function valueAt(value: Value, key: Value, budget: Budget): Value {
  if (value === null && (key === null || typeof key === 'string' || isNumber(key))) return null;
  if (isMap(value) && typeof key === 'string') return value.get(key) ?? null;
  if (isList(value) && isNumber(key)) return itemAt(value, Number(key));
  if (isList(value) && isList(key)) return placesOf(value, key, budget);
  if (isMap(key)) return slice(value, key.get('start') ?? null, key.get('end') ?? null, budget);
  const wanted = typeof key === 'string' ? `"${key.slice(0, 100)}"` : typeOf(key);
  throw new JqFailure(`Cannot index ${typeOf(value)} with ${wanted}`);
}

function itemAt(list: readonly Value[], index: number): Value {
  return Number.isNaN(index) ? null : (list.at(Math.floor(index)) ?? null);
}

export function partAt(at: At, key: Value, budget: Budget): At {
  return found(valueAt(at.value, key, budget), key, at);
}

/** Everything that a value holds, one after the other. */
export function* partsOf(at: At): Iterable<At> {
  const { value } = at;
  if (!isList(value) && !isMap(value))
    throw new JqFailure(`Cannot iterate over ${value === null ? 'null' : named(value)}`);
  for (const [key, held] of value.entries()) yield found(held, key, at);
}

/** A value with all that is in it, at any depth. */
export function* everythingIn(at: At, budget: Budget): Iterable<At> {
  const waiting = [at];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    budget.spend(1);
    yield next;
    const { value } = next;
    if (isList(value) || isMap(value)) waiting.push(...Array.from(partsOf(next)).reverse());
  }
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where a slice of so many things begins and ends. */
export function rangeOf(length: number, start: Value, end: Value): Range {
  if ((start !== null && !isNumber(start)) || (end !== null && !isNumber(end))) {
    throw new JqFailure('Start and end indices of an array slice must be numbers');
  }
  const bound = (place: number): number => Math.min(Math.max(place < 0 ? place + length : place, 0), length);
  const from = start === null ? 0 : Math.floor(bound(Number(start)));
  const to = end === null ? length : Math.ceil(bound(Number(end)));
  return { from, to: Math.max(from, to) };
}

export function slice(value: Value, start: Value, end: Value, budget: Budget): Value {
  if (value === null) return null;
  if (!isList(value) && typeof value !== 'string') {
    throw new JqFailure(`Cannot index ${typeOf(value)} with object`);
  }
  const parts: readonly Value[] = typeof value === 'string' ? Array.from(value) : value;
  const { from, to } = rangeOf(parts.length, start, end);
  budget.spend(to - from);
  const kept = parts.slice(from, to);
  return typeof value === 'string' ? kept.map(String).join('') : kept;
}

/** What a slice is called in a path. */
export function sliceKey(start: Value, end: Value): ObjectValue {
  return new Map([
    ['start', start],
    ['end', end],
  ]);
}

/** All places at which one list stands within another. */
export function placesOf(list: readonly Value[], wanted: readonly Value[], budget: Budget): number[] {
  if (wanted.length === 0) return [];
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= list.length; at++) {
    budget.spend(1);
    if (wanted.every((value, index) => isEqual(list[at + index] ?? null, value, budget))) places.push(at);
  }
  return places;
}
