/** A byte buffer that grows as it is written. */
export interface Sink {
  readonly length: number;
  byte(value: number): void;
  /** Writes a number in as few bytes as it takes, seven bits in each. */
  varint(value: number): void;
  all(bytes: Uint8Array): void;
  text(text: string): void;
  bytes(): Uint8Array;
}

/**
 * Writes a text as UTF-8, and returns how many bytes it takes. Most words are ASCII, and a call into the system costs
 * more than writing one.
 */
export function writeText(into: Buffer, text: string, from = 0): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return into.write(text, from);
    into[from + at] = code;
  }
  return text.length;
}

/** Tells whether the bytes in a stretch are the first ones of others. */
export function isAt(bytes: Uint8Array, from: number, to: number, sought: Uint8Array, length: number): boolean {
  if (to - from !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[from + at] !== sought[at]) return false;
  return true;
}

export function createSink(capacity = 1 << 16): Sink {
  let buffer = Buffer.allocUnsafe(capacity);
  let length = 0;
  const makeRoom = (more: number) => {
    if (length + more <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + more));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    get length() {
      return length;
    },
    byte(value) {
      makeRoom(1);
      buffer[length++] = value;
    },
    varint(value) {
      makeRoom(5);
      let rest = value;
      for (; rest > 127; rest >>>= 7) buffer[length++] = (rest & 127) | 128;
      buffer[length++] = rest;
    },
    all(bytes) {
      makeRoom(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
    },
    text(text) {
      makeRoom(text.length * 3);
      length += writeText(buffer, text, length);
    },
    bytes: () => buffer.subarray(0, length),
  };
}
