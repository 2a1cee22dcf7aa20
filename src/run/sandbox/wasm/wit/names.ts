import { type Bytes, checkCoreName } from './bytes.ts';
import type { Field, WitType } from './types.ts';

/** Reads the name of an import or an export, which is preceded by its kind. */
export function readName(bytes: Bytes): string {
  if (bytes.byte() > 1) throw new Error('a name has an unknown form');
  return bytes.text();
}

const sorts: Readonly<Record<number, Sort>> = { 1: 'func', 2: 'value', 3: 'type', 4: 'component', 5: 'instance' };

/** Reads a sort; those of core modules have a second byte. */
function readSort(bytes: Bytes): Sort {
  const sort = bytes.byte();
  if (sort === 0) bytes.byte();
  return sorts[sort] ?? 'core';
}

export function readReference(bytes: Bytes, scope: Scope): Item {
  const sort = readSort(bytes);
  return itemAt(scope, sort, bytes.u32());
}

/** Reads an alias, which gives a number to an item of an instance or of the surrounding component. */
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

/** Sorts of items that can be defined, imported and exported in a component; all core items count as one. */
type Sort = 'func' | 'value' | 'type' | 'component' | 'instance' | 'core';

/** The known facts about an item: an instance is known by its type, and a component by its exports. */
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

/** The numbered lists of a component, or of a component's type. */
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

/** Gives an item the next number of its sort. */
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
