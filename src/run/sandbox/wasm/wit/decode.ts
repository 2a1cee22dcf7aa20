import { Bytes, checkCoreModule, readCoreInstance } from './bytes.ts';
import {
  type Definition,
  exportsOf,
  type Item,
  type Items,
  itemAt,
  newScope,
  put,
  readAlias,
  readName,
  readReference,
  type Scope,
  typeAt,
} from './names.ts';
import type { Field, WitFunction, WitType } from './types.ts';

/** The imports and exports of a component. */
export interface Outline {
  /** Imports that must exist before it can be started: interfaces that contain functions, and functions. */
  readonly needs: readonly string[];
  readonly functions: readonly WitFunction[];
}

/**
 * Reads the types of a component's exports from its binary form: sections in a row, each of which adds to numbered
 * lists that later ones refer to. Anything not about types is skipped; the transpiler checks it.
 */
export function outlineOf(bytes: Uint8Array): Outline {
  const { exports, imports } = readComponent(new Bytes(bytes), null);
  const needs = [...imports].filter(([, item]) => isNeeded(item)).map(([name]) => name);
  return { needs, functions: functionsIn(exports, null) };
}

/** Tells whether an import must be provided; types alone need not be. */
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

/** Readers by the numbers of the sections. */
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

/** Reads an instance: created from a component, which declares its exports, or composed of existing items. */
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

/** Reads a function between a component and its core modules; only those lifted out of one have a type. */
function readCanonical(bytes: Bytes, scope: Scope): void {
  const kind = bytes.byte();
  if (kind > 4) throw new Error('it needs asynchronous calls (WASI 0.3), which are not supported');
  if (kind > 1) {
    bytes.u32(); // the type of a resource
    return;
  }
  bytes.byte();
  bytes.u32();
  bytes.list(() => withIndex.has(bytes.byte()) && bytes.u32());
  if (kind === 0) put(scope, { sort: 'func', is: itemAt(scope, 'type', bytes.u32()).is });
}

const plain: Readonly<Record<number, WitType>> = {
  127: { kind: 'bool' },
  126: { kind: 's8' },
  125: { kind: 'u8' },
  124: { kind: 's16' },
  123: { kind: 'u16' },
  122: { kind: 's32' },
  121: { kind: 'u32' },
  120: { kind: 's64' },
  119: { kind: 'u64' },
  118: { kind: 'f32' },
  117: { kind: 'f64' },
  116: { kind: 'char' },
  115: { kind: 'string' },
  100: { kind: 'unsupported', what: 'an error context' },
};

const resource: WitType = { kind: 'unsupported', what: 'a resource' };

/** Readers for the rest of each composite type, by its first byte. */
const composed: Readonly<Record<number, (bytes: Bytes, scope: Scope) => WitType>> = {
  114: (bytes, scope) => ({ kind: 'record', fields: readFields(bytes, scope) }),
  113: (bytes, scope) => ({ kind: 'variant', cases: bytes.list(() => readCase(bytes, scope)) }),
  112: (bytes, scope) => ({ kind: 'list', of: readType(bytes, scope) }),
  111: (bytes, scope) => ({ kind: 'tuple', of: bytes.list(() => readType(bytes, scope)) }),
  110: (bytes) => ({ kind: 'flags', names: bytes.list(() => readLabel(bytes)) }),
  109: (bytes) => ({ kind: 'enum', names: bytes.list(() => readLabel(bytes)) }),
  107: (bytes, scope) => ({ kind: 'option', of: readType(bytes, scope) }),
  106: (bytes, scope) => ({ kind: 'result', ok: readOptional(bytes, scope), err: readOptional(bytes, scope) }),
  105: (bytes) => skipped(bytes.u32(), resource),
  104: (bytes) => skipped(bytes.u32(), resource),
  103: (bytes, scope) => {
    readType(bytes, scope);
    return skipped(bytes.u32(), { kind: 'unsupported', what: 'a list of fixed length' });
  },
  102: (bytes, scope) => skipped(readOptional(bytes, scope), { kind: 'unsupported', what: 'a stream' }),
  101: (bytes, scope) => skipped(readOptional(bytes, scope), { kind: 'unsupported', what: 'a future' }),
};

/** Returns a type after something was read only to skip it. */
function skipped(_read: unknown, type: WitType): WitType {
  return type;
}

/** Reads a value type: a primitive one, or one that was defined before. */
function readType(bytes: Bytes, scope: Scope): WitType {
  const type = plain[bytes.peek()];
  if (type === undefined) return typeAt(scope, bytes.u32());
  bytes.byte();
  return type;
}

function readOptional(bytes: Bytes, scope: Scope): WitType | null {
  return bytes.optional(() => readType(bytes, scope));
}

/** Reads a label of words with hyphens between them. Labels become names in JSON and in JavaScript. */
function readLabel(bytes: Bytes): string {
  const label = bytes.text();
  if (/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/i.test(label)) return label;
  throw new Error(`${JSON.stringify(label.slice(0, 100))} is not a name in WIT`);
}

function readFields(bytes: Bytes, scope: Scope): readonly Field[] {
  return bytes.list(() => [readLabel(bytes), readType(bytes, scope)] as const);
}

function readCase(bytes: Bytes, scope: Scope): readonly [string, WitType | null] {
  const read = [readLabel(bytes), readOptional(bytes, scope)] as const;
  bytes.byte();
  return read;
}

/** Reads an entry of a section of types. */
function readDefinition(bytes: Bytes, scope: Scope): Definition {
  const kind = bytes.byte();
  const type = plain[kind] ?? composed[kind]?.(bytes, scope);
  if (type !== undefined) return { kind: 'type', type };
  switch (kind) {
    case 0x40:
    case 0x43:
      return readFunction(bytes, scope, kind === 0x43);
    case 0x41:
    case 0x42:
      return readExports(bytes, scope);
    case 0x3f:
      bytes.byte();
      bytes.optional(() => bytes.u32());
      return { kind: 'type', type: resource };
    default:
      throw new Error(`it has a type of an unknown kind (0x${kind.toString(16)})`);
  }
}

function readFunction(bytes: Bytes, scope: Scope, isAsync: boolean): Definition {
  const parameters = readFields(bytes, scope);
  if (bytes.byte() === 0) return { kind: 'func', parameters, result: readType(bytes, scope), isAsync };
  if (bytes.u32() > 0) throw new Error('a function of it has several results, which WIT no longer supports');
  return { kind: 'func', parameters, result: null, isAsync };
}

/** Reads the type of an instance or a component: a scope of its own, with declarations instead of definitions. */
function readExports(bytes: Bytes, outer: Scope): Definition {
  const scope = newScope(outer);
  bytes.list(() => readDeclaration(bytes, scope));
  return { kind: 'exports', exports: scope.exports };
}

function readDeclaration(bytes: Bytes, scope: Scope): void {
  const kind = bytes.byte();
  if (kind === 1) put(scope, { sort: 'type', is: readDefinition(bytes, scope) });
  else if (kind === 2) readAlias(bytes, scope);
  else if (kind === 3) scope.imports.set(readName(bytes), put(scope, readDescription(bytes, scope)));
  else if (kind === 4) scope.exports.set(readName(bytes), put(scope, readDescription(bytes, scope)));
  else throw new Error('it describes core modules, which is not supported');
}

/** Reads the declared type of an import or an export. */
function readDescription(bytes: Bytes, scope: Scope): Item {
  const kind = bytes.byte();
  const typed = (sort: Item['sort']): Item => ({ sort, is: itemAt(scope, 'type', bytes.u32()).is });
  switch (kind) {
    case 0:
      bytes.byte();
      bytes.u32();
      return { sort: 'core', is: { kind: 'unknown' } };
    case 1:
      return typed('func');
    case 3:
      return bytes.byte() === 0 ? typed('type') : { sort: 'type', is: { kind: 'type', type: resource } };
    case 4:
      return typed('component');
    case 5:
      return typed('instance');
    default:
      throw new Error('it imports or exports values, which is not supported');
  }
}
