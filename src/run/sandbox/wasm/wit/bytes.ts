const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the binary format of WebAssembly, within its bounds. */
export class Bytes {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Error('the file ends too early');
    this.#at += 1;
    return byte;
  }

  /** Returns the next byte without consuming it. */
  peek(): number {
    const byte = this.byte();
    this.#at -= 1;
    return byte;
  }

  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error('a number is too long');
  }

  /** Reads that many bytes as a reader of their own. */
  part(length = this.u32()): Bytes {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('the file ends too early');
    const part = new Bytes(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return part;
  }

  /** The bytes not read yet. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  text(): string {
    const bytes = this.part().#bytes;
    try {
      return utf8.decode(bytes);
    } catch {
      throw new Error('a name in it is not UTF-8');
    }
  }

  /** Reads a count and that many items. Each takes at least one byte, which bounds the count. */
  list<T>(read: () => T): T[] {
    const count = this.u32();
    const list: T[] = [];
    while (list.length < count) list.push(read());
    return list;
  }

  optional<T>(read: () => T): T | null {
    return this.byte() === 0 ? null : read();
  }
}

/** Characters that compilers put into names. Quotes, backslashes, braces or line ends would turn a name into code. */
const harmless = /^[\w .:;,/@#$%&*+=<>?!|~^()[\]-]*$/;

/**
 * Throws if a name of a core module could become code. Such names can be anything, and the transpiler copies them into
 * the code it generates. Names of components have a form that it checks.
 */
export function checkCoreName(name: string): void {
  const isSpecial = name === '__proto__';
  if (isSpecial || !harmless.test(name))
    throw new Error(`it has a name that could become code: ${JSON.stringify(name)}`);
}

export function checkCoreModule(bytes: Uint8Array): void {
  const module = new WebAssembly.Module(bytes);
  for (const { name, module: from } of WebAssembly.Module.imports(module))
    for (const one of [from, name]) checkCoreName(one);
  for (const { name } of WebAssembly.Module.exports(module)) checkCoreName(name);
}

/** Reads a core instance: created from a module, which is given instances by name; or composed of existing items. */
export function readCoreInstance(bytes: Bytes): void {
  const isMade = bytes.byte() === 0;
  if (isMade) bytes.u32();
  bytes.list(() => {
    checkCoreName(bytes.text());
    bytes.byte();
    return bytes.u32();
  });
}
