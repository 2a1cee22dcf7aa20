import { Entries, Raw, type Shape, type Tree } from '../tree.ts';

/** Deeper than any that is accepted. */
const deepest = 40;

/**
 * Components. Each node tells how it is written: a number in LEB128, a text and a list after their lengths, entries one
 * after the other, that of a tag or of a section after its number, and a section after its length as well.
 */
export const wasm: Shape = {
  read(input) {
    try {
      return sectionsIn(new Reader(input));
    } catch {
      return;
    }
  },
  write: (tree) => Buffer.from(written(tree), 'latin1'),
};

function written(tree: Tree): string {
  if (typeof tree === 'number') return leb(tree);
  if (typeof tree === 'string') return prefixed(Buffer.from(tree).toString('latin1'));
  if (tree instanceof Raw) return tree.bytes;
  let bytes = '';
  if (tree instanceof Entries) for (const [name, part] of tree.entries) bytes += entry(name, written(part));
  else if (Array.isArray(tree)) for (const part of tree as readonly Tree[]) bytes += written(part);
  else return leb(Number(tree));
  return Array.isArray(tree) ? leb(tree.length) + bytes : bytes;
}

function entry(name: string, part: string): string {
  if (name.startsWith('tag ')) return leb(Number(name.slice(4))) + part;
  return name.startsWith('section ') ? leb(Number(name.slice(8))) + prefixed(part) : part;
}

const prefixed = (bytes: string): string => leb(bytes.length) + bytes;

function leb(number: number): string {
  let [left, bytes] = [number >>> 0, ''];
  for (; left > 127; left >>>= 7) bytes += String.fromCharCode((left & 127) | 128);
  return bytes + String.fromCharCode(left);
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #depth: number;

  constructor(bytes: Buffer, depth = 0) {
    this.#bytes = bytes;
    this.#depth = depth;
    if (depth > deepest) throw new Error('nested too deeply');
  }

  part(): Reader {
    return new Reader(this.take(this.number()), this.#depth + 1);
  }

  nested(read: Read): Tree {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Error('nested too deeply');
    const tree = read(this);
    this.#depth -= 1;
    return tree;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('too short');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  raw(length = this.#bytes.length - this.#at): Raw {
    return new Raw(this.take(length).toString('latin1'));
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const [byte = 0] = this.take(1);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  text(): string {
    return this.take(this.number()).toString('utf8');
  }

  list(read: (reader: Reader) => Tree): readonly Tree[] {
    return Array.from({ length: Math.min(this.number(), this.#bytes.length) }, () => read(this));
  }
}

type Read = (reader: Reader) => Tree;

const number: Read = (reader) => reader.number();
const text: Read = (reader) => reader.text();
const listOf =
  (read: Read): Read =>
  (reader) =>
    reader.list(read);
const all =
  (...reads: readonly Read[]): Read =>
  (reader) =>
    new Entries(reads.map((read, index) => [String(index), read(reader)]));
/** What follows a number depends on it. */
const tagged =
  (after: Readonly<Record<number, Read>>, other: Read): Read =>
  (reader) => {
    const tag = reader.number();
    return new Entries([[`tag ${tag}`, (after[tag] ?? other)(reader)]]);
  };
const nothing: Read = () => new Raw('');
const unknown: Read = () => {
  throw new Error('unknown');
};
const optional = (read: Read): Read => tagged({ 1: read }, nothing);

const name = all(number, text);
const sort = tagged({ 0: number }, nothing);
const reference = all(sort, number);
const description = tagged({ 0: all(number, number), 3: tagged({ 0: number }, nothing) }, number);
const resultOf = tagged({ 0: number }, number);
const functionType = all(listOf(all(text, number)), resultOf);
const alias = all(sort, tagged({ 2: all(number, number) }, all(number, text)));
const declaration: Read = (reader) =>
  reader.nested(tagged({ 1: definition, 2: alias, 3: all(name, description), 4: all(name, description) }, unknown));
const definition = tagged(
  {
    63: all(number, optional(number)),
    64: functionType,
    65: listOf(declaration),
    66: listOf(declaration),
    67: functionType,
    101: optional(number),
    102: optional(number),
    103: all(number, number),
    104: number,
    105: number,
    106: all(optional(number), optional(number)),
    107: number,
    109: listOf(text),
    110: listOf(text),
    111: listOf(number),
    112: number,
    113: listOf(all(text, optional(number), number)),
    114: listOf(all(text, number)),
  },
  nothing,
);
const instance = tagged({ 0: all(number, listOf(all(text, reference))), 1: listOf(all(name, reference)) }, unknown);
const coreInstance = tagged(
  { 0: all(number, listOf(all(text, number, number))), 1: listOf(all(text, number, number)) },
  unknown,
);
const withNumber = tagged({ 3: number, 4: number, 5: number }, nothing);
const canonical = tagged(
  { 0: all(number, number, listOf(withNumber), number), 1: all(number, number, listOf(withNumber)) },
  number,
);

/** By the numbers of the sections; others stay as they are. */
const sections: Readonly<Record<number, Read | undefined>> = {
  2: listOf(coreInstance),
  4: (reader) => sectionsIn(reader),
  5: listOf(instance),
  6: listOf(alias),
  7: listOf(definition),
  8: listOf(canonical),
  10: listOf(all(name, description)),
  11: listOf(all(name, reference, optional(description))),
};

const isOfModule = ({ bytes }: Raw): boolean => bytes.startsWith('\0asm\x01\0\0\0');

/** A component, or a core module, of which we read no more than that there are sections. */
function sectionsIn(reader: Reader): Tree {
  const header = reader.raw(8);
  const known = isOfModule(header) ? {} : sections;
  const parts: [string, Tree][] = [['header', header]];
  while (!reader.isAtEnd) {
    const id = reader.number();
    const inner = reader.part();
    const read = known[id] ?? ((section: Reader) => section.raw());
    parts.push([`section ${id}`, read(inner)]);
  }
  return new Entries(parts);
}
