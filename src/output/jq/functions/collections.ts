import { placesOf, valueAt } from '../values/access.ts';
import { addAll } from '../values/arithmetic.ts';
import type { ValueFunction } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import { isEqual, sortedKeys } from '../values/compare.ts';
import { JqFailure, named } from '../values/failure.ts';
import { isList, isMap, isNumber, isTrue, typeOf, type Value } from '../values/value.ts';

/** Functions of lists and objects. */
export const collectionFunctions: Readonly<Record<string, ValueFunction>> = {
  'length/0': length,
  'not/0': (input) => !isTrue(input),
  'type/0': (input) => typeOf(input),
  'keys/0': (input) => (isMap(input) ? sortedKeys(input) : indexesOf(input)),
  'keys_unsorted/0': (input) => (isMap(input) ? [...input.keys()] : indexesOf(input)),
  'has/1': (input, [key]) => has(input, key ?? null),
  'contains/1': (input, [part], budget) => contains(input, part ?? null, budget),
  'add/0': (input, _, budget) => addAll(itemsOf(input), budget),
  'reverse/0': reverse,
  'flatten/0': (input, _, budget) => flatten(itemsOf(input), Number.POSITIVE_INFINITY, budget),
  'flatten/1': (input, [depth], budget) => flatten(itemsOf(input), depthOf(depth ?? null), budget),
  'indices/1': indices,
  'index/1': (input, args, budget) => firstOrNull(indices(input, args, budget), 'first'),
  'rindex/1': (input, args, budget) => firstOrNull(indices(input, args, budget), 'last'),
  'to_entries/0': (input, _, budget) => toEntries(input, budget),
  'from_entries/0': (input, _, budget) => fromEntries(input, budget),
  'transpose/0': (input, _, budget) => transpose(listOf(input, 'cannot be transposed'), budget),
  'toarray/0': (input) => (isList(input) ? input : [input]),
  'any/0': (input) => itemsOf(input).some(isTrue),
  'all/0': (input) => itemsOf(input).every(isTrue),
};

export function listOf(value: Value, problem: string): readonly Value[] {
  if (!isList(value)) throw new JqFailure(`${named(value)} ${problem}`);
  return value;
}

export function itemsOf(value: Value): readonly Value[] {
  if (isMap(value)) return [...value.values()];
  if (isList(value)) return value;
  throw new JqFailure(`Cannot iterate over ${value === null ? 'null' : named(value)}`);
}

function length(value: Value): Value {
  if (value === null) return 0;
  if (typeof value === 'string') return lettersIn(value);
  if (isNumber(value)) return value < 0 ? -value : value;
  if (typeof value === 'boolean') throw new JqFailure(`${named(value)} has no length`);
  return isMap(value) ? value.size : value.length;
}

/** Code points. */
export function lettersIn(text: string): number {
  let letters = text.length;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) letters--;
  return letters;
}

function indexesOf(value: Value): number[] {
  return Array.from(listOf(value, 'has no keys').keys());
}

function has(value: Value, key: Value): boolean {
  if (value === null) return false;
  if (isMap(value) && typeof key === 'string') return value.has(key);
  if (isList(value) && isNumber(key)) return key >= 0 && key < value.length;
  throw new JqFailure(
    `Cannot check whether ${typeOf(value)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`,
  );
}

function contains(value: Value, part: Value, budget: Budget): boolean {
  budget.spend(1);
  if (isMap(value) && isMap(part)) {
    return Array.from(part).every(([key, held]) => value.has(key) && contains(value.get(key) ?? null, held, budget));
  }
  if (isList(value) && isList(part)) {
    return part.every((wanted) =>
      value.some((item) => typeOf(item) === typeOf(wanted) && contains(item, wanted, budget)),
    );
  }
  if (typeof value === 'string' && typeof part === 'string') return value.includes(part);
  if (typeOf(value) === typeOf(part)) return isEqual(value, part, budget);
  throw new JqFailure(`${named(value)} and ${named(part)} cannot have their containment checked`);
}

function reverse(value: Value): Value {
  if (value === null) return [];
  if (typeof value === 'string') return Array.from(value).reverse().join('');
  return listOf(value, 'cannot be reversed, as it is not an array').toReversed();
}

function depthOf(value: Value): number {
  if (!isNumber(value) || value < 0) throw new JqFailure('flatten depth must not be negative');
  return Number(value);
}

function flatten(list: readonly Value[], depth: number, budget: Budget): Value[] {
  budget.spend(list.length);
  return list.flatMap((item) => (!isList(item) ? [item] : depth < 1 ? [item] : flatten(item, depth - 1, budget)));
}

function indices(input: Value, [wanted = null]: readonly Value[], budget: Budget): Value {
  if (input === null) return null;
  if (typeof input === 'string' && typeof wanted === 'string') return textPlaces(input, wanted, budget);
  if (isList(input)) return placesOf(input, isList(wanted) ? wanted : [wanted], budget);
  return valueAt(input, wanted, budget);
}

/** Counted in code points. */
function textPlaces(text: string, wanted: string, budget: Budget): Value {
  budget.spendText(text.length);
  if (wanted === '') return null;
  const places: number[] = [];
  let [letters, counted] = [0, 0];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    budget.spend(1);
    letters += lettersIn(text.slice(counted, at));
    counted = at;
    places.push(letters);
  }
  return places;
}

function firstOrNull(places: Value, which: 'first' | 'last'): Value {
  if (places === null || !isList(places)) return places;
  return places.at(which === 'first' ? 0 : -1) ?? null;
}

function toEntries(input: Value, budget: Budget): Value {
  if (!isMap(input) && !isList(input)) throw new JqFailure(`${named(input)} has no keys`);
  return Array.from<[string | number, Value], Value>(input.entries(), ([key, value]) => {
    budget.spend(2);
    return new Map<string, Value>([
      ['key', key],
      ['value', value],
    ]);
  });
}

/** In the spelling of several programs. */
const keySpellings = ['key', 'k', 'name', 'Name', 'Key', 'K'];
const valueSpellings = ['value', 'v', 'Value', 'V'];

function fromEntries(input: Value, budget: Budget): Value {
  const object = new Map<string, Value>();
  for (const entry of itemsOf(input)) {
    budget.spend(1);
    if (!isMap(entry)) throw new JqFailure(`Cannot index ${typeOf(entry)} with "key"`);
    const key = keySpellings.map((name) => entry.get(name) ?? null).find((held) => held !== null && held !== false);
    const value = valueSpellings.find((name) => entry.has(name));
    object.set(entryKey(key ?? entry.get('key') ?? null), value === undefined ? null : (entry.get(value) ?? null));
  }
  return object;
}

function entryKey(key: Value): string {
  if (typeof key === 'string') return key;
  if (key === null || typeof key === 'boolean' || isNumber(key)) return String(key);
  throw new JqFailure(`Cannot use ${named(key)} as object key`);
}

function transpose(rows: readonly Value[], budget: Budget): Value {
  const width = Math.max(0, ...rows.map((row) => listOf(row, 'cannot be transposed').length));
  budget.spend(width * rows.length);
  return Array.from({ length: width }, (_, column) => rows.map((row) => listOf(row, '')[column] ?? null));
}
