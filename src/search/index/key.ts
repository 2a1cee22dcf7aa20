/** Bytes of an entry's key, made from the digest of the text, the skill's names, and the mark of its tools. */
export const keyBytes = 24;
const digestBytes = 16;

/**
 * Writes the key of a skill. Equal texts under equal names share one entry, wherever they stand; a text that changed
 * by one byte has another key, so that nothing stale can ever be found by it.
 */
export function writeKey(into: Buffer, at: number, digest: string, names: string): void {
  const hex = digest.slice(digest.indexOf(':') + 1);
  into.write(hex.slice(0, digestBytes * 2), at, 'hex');
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let unit = 0; unit < names.length; unit++) {
    const code = names.charCodeAt(unit);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ (code + unit), 0x85ebca6b) ^ (other >>> 13);
  }
  into.writeUInt32LE(one >>> 0, at + digestBytes);
  into.writeUInt32LE(other >>> 0, at + digestBytes + 4);
}

/** Creates a hash table that finds rows of keys by their bytes. */
export function keyTable(keys: Uint8Array): (key: Uint8Array, at: number) => number {
  const rows = keys.length / keyBytes;
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(rows * 2 + 2))).fill(-1);
  const mask = slots.length - 1;
  for (let row = 0; row < rows; row++) {
    let slot = slotOf(keys, row * keyBytes) & mask;
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = row;
  }
  return (key, at) => {
    for (let slot = slotOf(key, at) & mask; slots[slot] !== -1; slot = (slot + 1) & mask) {
      const row = slots[slot] as number;
      if (isEqual(keys, row * keyBytes, key, at)) return row;
    }
    return -1;
  };
}

/** The hash of a key. A digest is as even as a hash can be: its first bytes will do, mixed with the names'. */
function slotOf(keys: Uint8Array, at: number): number {
  const word = (from: number) =>
    (keys[from] as number) |
    ((keys[from + 1] as number) << 8) |
    ((keys[from + 2] as number) << 16) |
    ((keys[from + 3] as number) << 24);
  return (word(at) ^ word(at + digestBytes)) >>> 0;
}

function isEqual(a: Uint8Array, from: number, b: Uint8Array, at: number): boolean {
  for (let step = 0; step < keyBytes; step++) if (a[from + step] !== b[at + step]) return false;
  return true;
}
