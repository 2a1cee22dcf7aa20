import { type Bytes, checkCoreName } from './bytes.ts';
import type { Field, WitType } from './types.ts';

/** Imports and exports have the kind of their name in front. */
export function readName(bytes: Bytes): string {
  if (bytes.byte() > 1) throw new Error('a name has an unknown form');
  return bytes.text();
}

const sorts: Readonly<Record<number, Sort>> = { 1: 'func', 2: 'value', 3: 'type', 4: 'component', 5: 'instance' };

/** Things of core modules have a second byte. */
function readSort(bytes: Bytes): Sort {
  const sort = bytes.byte();
  if (sort === 0) bytes.byte();
  return sorts[sort] ?? 'core';
}

export function readReference(bytes: Bytes, scope: Scope): Item {
  const sort = readSort(bytes);
  return itemAt(scope, sort, bytes.u32());
}

/** A number for something of an instance, or of the component around. */
export function readAlias(bytes: Bytes, scope: Scope): void {
  const sort = readSort(bytes);
  const target = bytes.byte();
  const at = bytes.u32();
  if (target === 2) {
    put(scope, itemAt(scopeAround(scope, at), sort, bytes.u32()));
    return;
  }
  const name = bytes.text();
  if (target === 1) {
    checkCoreName(name);
    return;
  }
  const found = exportsOf(itemAt(scope, 'instance', at)).get(name);
  if (found?.sort !== sort) throw new Error(`it refers to ${name}, which an instance of it does not export`);
  put(scope, found);
}

function scopeAround(scope: Scope, levels: number): Scope {
  let around: Scope | null = scope;
  for (let level = 0; level < levels && around !== null; level += 1) around = around.outer;
  if (around === null) throw new Error('it refers to something outside itself');
  return around;
}

/** What can be defined, imported and exported in a component; things of core modules are all one to us. */
type Sort = 'func' | 'value' | 'type' | 'component' | 'instance' | 'core';

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
