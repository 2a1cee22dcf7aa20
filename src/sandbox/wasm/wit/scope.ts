import type { Field, WitType } from './types.ts';

/** What can be defined, imported and exported in a component; things of core modules are all one to us. */
export type Sort = 'func' | 'value' | 'type' | 'component' | 'instance' | 'core';

/** What is known of something: an instance is known by its type, and so is a component by what it exports. */
export type Definition =
  | { readonly kind: 'type'; readonly type: WitType }
  | {
      readonly kind: 'func';
      readonly parameters: readonly Field[];
      readonly result: WitType | null;
      readonly isAsync: boolean;
    }
  | { readonly kind: 'exports'; readonly exports: Items }
  | { readonly kind: 'unknown' };

export interface Item {
  readonly sort: Sort;
  readonly is: Definition;
}

export type Items = Map<string, Item>;

/** The numbered lists of a component, or of the description of one. */
export interface Scope {
  readonly outer: Scope | null;
  readonly lists: Readonly<Record<Sort, Definition[]>>;
  readonly exports: Items;
  readonly imports: Items;
}

const deepest = 20;

export function newScope(outer: Scope | null): Scope {
  let depth = 0;
  for (let scope = outer; scope !== null; scope = scope.outer) depth += 1;
  if (depth > deepest) throw new Error('its parts are nested too deeply');
  const lists = { func: [], value: [], type: [], component: [], instance: [], core: [] };
  return { outer, lists, exports: new Map(), imports: new Map() };
}

/** Gives something the next number of its sort. */
export function put({ lists }: Scope, item: Item): Item {
  lists[item.sort].push(item.is);
  return item;
}

export function itemAt({ lists }: Scope, sort: Sort, index: number): Item {
  const found = lists[sort][index];
  if (found !== undefined) return { sort, is: found };
  if (sort === 'core') return { sort, is: { kind: 'unknown' } };
  throw new Error(`it refers to a ${sort} that does not exist`);
}

export function exportsOf({ is }: Item): Items {
  return is.kind === 'exports' ? is.exports : new Map();
}

export function typeAt(scope: Scope, index: number): WitType {
  const { is } = itemAt(scope, 'type', index);
  if (is.kind === 'type') return is.type;
  throw new Error('it refers to a type that is not a value type');
}
