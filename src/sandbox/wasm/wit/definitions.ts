import type { Bytes } from './bytes.ts';
import { readAlias, readName } from './names.ts';
import { type Definition, type Item, itemAt, newScope, put, type Scope, typeAt } from './scope.ts';
import type { Field, WitType } from './types.ts';

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

/** What follows the byte of each kind of type that has parts. */
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

/** What has been read only to get past it. */
function skipped(_read: unknown, type: WitType): WitType {
  return type;
}

/** A type of values: one of the plain ones, or one that was defined before. */
function readType(bytes: Bytes, scope: Scope): WitType {
  const type = plain[bytes.peek()];
  if (type === undefined) return typeAt(scope, bytes.u32());
  bytes.byte();
  return type;
}

function readOptional(bytes: Bytes, scope: Scope): WitType | null {
  return bytes.optional(() => readType(bytes, scope));
}

/** Words with hyphens between them. They become names in JSON and in JavaScript. */
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

/** An entry of a section of types. */
export function readDefinition(bytes: Bytes, scope: Scope): Definition {
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

/** The type of an instance or of a component: a scope of its own, with declarations in place of definitions. */
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

/** What an import or an export is said to be. */
export function readDescription(bytes: Bytes, scope: Scope): Item {
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
