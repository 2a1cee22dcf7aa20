import type { Budget } from './budget.ts';
import { isList, isMap, isNumber, type ObjectValue, type TypeName, typeOf, type Value } from './value.ts';

const ranks: Readonly<Record<TypeName, number>> = { null: 0, boolean: 1, number: 3, string: 4, array: 5, object: 6 };

/** The order of all values: null, false, true, numbers, texts, lists, objects. */
export function compare(a: Value, b: Value, budget: Budget): number {
  if (a === b && typeof a !== 'number') return 0;
  budget.spend(1);
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (isList(a) && isList(b)) return compareLists(a, b, budget);
  if (isMap(a) && isMap(b)) return compareObjects(a, b, budget);
  return rankOf(a) - rankOf(b);
}

function rankOf(value: Value): number {
  return ranks[typeOf(value)] + (value === true ? 1 : 0);
}

/** What is no number comes before all that are. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  return a < b || Number.isNaN(a) ? -1 : a > b || Number.isNaN(b) ? 1 : 0;
}

/** By code points: the units that texts are made of put the rarest characters too early. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === most) return a.length - b.length;
  const [unitOfA, unitOfB] = [a.charCodeAt(at), b.charCodeAt(at)];
  const [isHighA, isHighB] = [isSurrogate(unitOfA), isSurrogate(unitOfB)];
  if (isHighA !== isHighB) return isHighA ? 1 : -1;
  return unitOfA - unitOfB;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function compareLists(a: readonly Value[], b: readonly Value[], budget: Budget): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at++) {
    const order = compare(a[at] ?? null, b[at] ?? null, budget);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** First by their sets of keys, then by what is held key for key. */
function compareObjects(a: ObjectValue, b: ObjectValue, budget: Budget): number {
  const [keysOfA, keysOfB] = [sortedKeys(a), sortedKeys(b)];
  const order = compareLists(keysOfA, keysOfB, budget);
  if (order !== 0) return order;
  for (const key of keysOfA) {
    const inside = compare(a.get(key) ?? null, b.get(key) ?? null, budget);
    if (inside !== 0) return inside;
  }
  return 0;
}

export function sortedKeys(object: ObjectValue): string[] {
  return Array.from(object.keys()).sort(compareTexts);
}

export function isEqual(a: Value, b: Value, budget: Budget): boolean {
  return compare(a, b, budget) === 0;
}

/** A list put in order by the keys given beside its values. */
export function sortBy<T extends { readonly key: Value }>(items: readonly T[], budget: Budget): T[] {
  budget.spend(items.length);
  return items.toSorted((a, b) => compare(a.key, b.key, budget));
}
