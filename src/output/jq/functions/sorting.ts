import { type Arg, type At, made, type StreamFunction, unlocated, valuesOf } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import { compare, sortBy } from '../values/compare.ts';
import type { Value } from '../values/value.ts';
import { listOf } from './collections.ts';

interface Keyed {
  readonly value: Value;
  readonly key: Value;
}

type Sorted = (items: readonly Keyed[], budget: Budget) => Value;

const sortings: Readonly<Record<string, Sorted>> = {
  sort: (items, budget) => valuesIn(sortBy(items, budget)),
  group: (items, budget) => groups(items, budget).map(valuesIn),
  unique: (items, budget) => groups(items, budget).map(([first]) => first?.value ?? null),
  min: (items, budget) => outermost(items, (order) => order < 0, budget),
  max: (items, budget) => outermost(items, (order) => order >= 0, budget),
};

/** `sort`, `sort_by(f)` and their like. */
export const sortingFunctions: Readonly<Record<string, StreamFunction>> = Object.fromEntries(
  Object.entries(sortings).flatMap(([name, sorted]): [string, StreamFunction][] => [
    [`${name}/0`, (at, _, budget) => [made(sorted(keyed(at, undefined), budget), at)]],
    [`${name}_by/1`, (at, [key], budget) => [made(sorted(keyed(at, key), budget), at)]],
  ]),
);

/** Each item with what it is sorted by: all results of the filter, or itself. */
function keyed(at: At, key: Arg | undefined): Keyed[] {
  const list = listOf(at.value, 'cannot be sorted, as it is not an array');
  return list.map((value) => ({ value, key: key === undefined ? value : [...valuesOf(key, unlocated(value))] }));
}

function valuesIn(items: readonly Keyed[]): Value[] {
  return items.map(({ value }) => value);
}

function groups(items: readonly Keyed[], budget: Budget): Keyed[][] {
  const found: Keyed[][] = [];
  let key: Value | undefined;
  for (const item of sortBy(items, budget)) {
    if (key !== undefined && compare(key, item.key, budget) === 0) found.at(-1)?.push(item);
    else found.push([item]);
    key = item.key;
  }
  return found;
}

/** Of equal items the first is the least, and the last the greatest. */
function outermost(items: readonly Keyed[], isFurther: (order: number) => boolean, budget: Budget): Value {
  let best: Keyed | null = null;
  for (const item of items) {
    if (best === null || isFurther(compare(item.key, best.key, budget))) best = item;
  }
  return best?.value ?? null;
}
