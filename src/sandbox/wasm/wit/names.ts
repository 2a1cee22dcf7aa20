import type { Bytes } from './bytes.ts';
import { checkCoreName } from './core.ts';
import { exportsOf, type Item, itemAt, put, type Scope, type Sort } from './scope.ts';

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
