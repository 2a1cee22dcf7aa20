import { Bytes } from './bytes.ts';
import { checkCoreModule, readCoreInstance } from './core.ts';
import { readDefinition, readDescription } from './definitions.ts';
import { readAlias, readName, readReference } from './names.ts';
import { exportsOf, type Item, type Items, itemAt, newScope, put, type Scope } from './scope.ts';
import type { WitFunction } from './types.ts';

/** What a component says of itself. */
export interface Outline {
  /** What has to be there before it can be started: interfaces with functions in them, and functions. */
  readonly needs: readonly string[];
  readonly functions: readonly WitFunction[];
}

/**
 * Reads the types of a component's exports from its binary form: sections in a row, each of which adds to numbered lists
 * that later ones refer to. What is not about types is passed over; the transpiler checks it.
 */
export function outlineOf(bytes: Uint8Array): Outline {
  const { exports, imports } = readComponent(new Bytes(bytes), null);
  const needs = [...imports].filter(([, item]) => isNeeded(item)).map(([name]) => name);
  return { needs, functions: functionsIn(exports, null) };
}

/** Types alone need nobody to offer them. */
function isNeeded(item: Item): boolean {
  if (item.sort === 'instance') return [...exportsOf(item).values()].some(isNeeded);
  return item.sort !== 'type';
}

function functionsIn(exports: Items, place: string | null): readonly WitFunction[] {
  return [...exports].flatMap(([name, item]): readonly WitFunction[] => {
    const { is } = item;
    if (item.sort === 'instance' && place === null) return functionsIn(exportsOf(item), name);
    if (item.sort !== 'func' || is.kind !== 'func') return [];
    const { parameters, result, isAsync } = is;
    const what = 'an asynchronous call';
    return [{ name, interface: place, parameters, result: isAsync ? { kind: 'unsupported', what } : result }];
  });
}

/** By the numbers of the sections. */
const readers: Readonly<Record<number, (section: Bytes, scope: Scope) => unknown>> = {
  1: (section) => checkCoreModule(section.rest()),
  2: (section) => section.list(() => readCoreInstance(section)),
  4: (section, scope) => {
    const { exports } = readComponent(section, scope);
    return put(scope, { sort: 'component', is: { kind: 'exports', exports } });
  },
  5: (section, scope) => section.list(() => put(scope, readInstance(section, scope))),
  6: (section, scope) => section.list(() => readAlias(section, scope)),
  7: (section, scope) => section.list(() => put(scope, { sort: 'type', is: readDefinition(section, scope) })),
  8: (section, scope) => section.list(() => readCanonical(section, scope)),
  10: (section, scope) =>
    section.list(() => scope.imports.set(readName(section), put(scope, readDescription(section, scope)))),
  11: (section, scope) => section.list(() => readExport(section, scope)),
};

function readComponent(bytes: Bytes, outer: Scope | null): Scope {
  const scope = newScope(outer);
  bytes.part(8);
  while (!bytes.isAtEnd) {
    const read = readers[bytes.byte()];
    const section = bytes.part();
    read?.(section, scope);
  }
  return scope;
}

/** Made from a component, which then says what it exports, or put together from what there is. */
function readInstance(bytes: Bytes, scope: Scope): Item {
  if (bytes.byte() === 0) {
    const { is } = itemAt(scope, 'component', bytes.u32());
    bytes.list(() => [bytes.text(), readReference(bytes, scope)]);
    return { sort: 'instance', is };
  }
  const exports: Items = new Map(bytes.list(() => [readName(bytes), readReference(bytes, scope)]));
  return { sort: 'instance', is: { kind: 'exports', exports } };
}

function readExport(bytes: Bytes, scope: Scope): void {
  const name = readName(bytes);
  const item = readReference(bytes, scope);
  const described = bytes.optional(() => readDescription(bytes, scope));
  scope.exports.set(name, put(scope, described ?? item));
}

/** Options that name a memory or a function. */
const withIndex = new Set([3, 4, 5, 7, 8]);

/** Of the functions between a component and its core modules, those that are lifted out of one have a type. */
function readCanonical(bytes: Bytes, scope: Scope): void {
  const kind = bytes.byte();
  if (kind > 4) throw new Error('it needs asynchronous calls (WASI 0.3), which are not supported');
  if (kind > 1) {
    bytes.u32(); // of a resource
    return;
  }
  bytes.byte();
  bytes.u32();
  bytes.list(() => withIndex.has(bytes.byte()) && bytes.u32());
  if (kind === 0) put(scope, { sort: 'func', is: itemAt(scope, 'type', bytes.u32()).is });
}
