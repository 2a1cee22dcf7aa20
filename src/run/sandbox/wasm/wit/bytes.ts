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

  /** The next byte, which is read again. */
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

  /** So many bytes, to be read by themselves. */
  part(length = this.u32()): Bytes {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('the file ends too early');
    const part = new Bytes(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return part;
  }

  /** What has not been read yet. */
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

  /** A count, and so many of something. Each takes a byte at least, which keeps the count honest. */
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

/** All that compilers put into names: no quotes, backslashes, braces or line ends, with which a name would become code. */
const harmless = /^[\w .:;,/@#$%&*+=<>?!|~^()[\]-]*$/;

/**
 * Names inside core modules can be anything, and the transpiler puts them into what it generates as they are. Those of components
 * have a form that it checks.
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

/** Made from a module, which is given instances by name; or put together from what there is. */
export function readCoreInstance(bytes: Bytes): void {
  const isMade = bytes.byte() === 0;
  if (isMade) bytes.u32();
  bytes.list(() => {
    checkCoreName(bytes.text());
    bytes.byte();
    return bytes.u32();
  });
}
