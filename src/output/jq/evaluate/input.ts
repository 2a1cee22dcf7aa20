import type { Entry, Filter } from '../parse/syntax.ts';

/** The filters that a filter of this kind uses on its own input. Kinds that are not here may use it in other ways. */
const uses: Readonly<Partial<Record<Filter['kind'], (filter: never) => readonly (Filter | null)[]>>> = {
  literal: () => [],
  variable: () => [],
  pipe: ({ left }: Pair) => [left],
  index: ({ of, key }: { readonly of: Filter; readonly key: Filter }) => [of, key],
  each: ({ of }: { readonly of: Filter }) => [of],
  negate: ({ of }: { readonly of: Filter }) => [of],
  list: ({ items }: { readonly items: Filter | null }) => [items],
  object: ({ entries }: { readonly entries: readonly Entry[] }) => entries.flatMap(({ key, value }) => [key, value]),
  binary: ({ left, right }: Pair) => [left, right],
  comma: ({ left, right }: Pair) => [left, right],
  alternative: ({ left, right }: Pair) => [left, right],
};

interface Pair {
  readonly left: Filter;
  readonly right: Filter;
}

/** Whether a filter is certain to give the same results whatever it is used on. */
export function ignoresInput(filter: Filter): boolean {
  const used = uses[filter.kind]?.(filter as never);
  return used?.every((inner) => inner === null || ignoresInput(inner)) ?? false;
}
