/** Bytes of a block: headers are one, and contents are filled up to whole ones. */
export const tarBlock = 512;

/** The header of an entry, as it says itself. */
export interface TarHeader {
  /** Whether its sum is that of its bytes. */
  readonly isSound: boolean;
  readonly name: Uint8Array;
  /** Folders before the name; GNU tar has times in their place. */
  readonly prefix: Uint8Array;
  readonly mode: number;
  /** Null where it cannot be read. */
  readonly size: number | null;
  readonly type: string;
  /** Target of a link. */
  readonly target: Uint8Array;
}

/** Tells whether a tar archive begins here, or an entry of it. */
export function isTar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar';
}

/** Reads the header in a block. */
export function tarHeaderIn(block: Uint8Array): TarHeader {
  let sum = 0;
  for (let at = 0; at < tarBlock; at++) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  return {
    isSound: numberIn(block.subarray(148, 156)) === sum,
    name: textIn(block.subarray(0, 100)),
    prefix: isTar(block) && block[262] === 0 ? textIn(block.subarray(345, 500)) : new Uint8Array(),
    mode: numberIn(block.subarray(100, 108)) ?? 0,
    size: numberIn(block.subarray(124, 136)),
    type: String.fromCharCode(block[156] ?? 0),
    target: textIn(block.subarray(157, 257)),
  };
}

/** Bytes after a content that fill its last block. */
export function tarPadding(size: number): number {
  return (tarBlock - (size % tarBlock)) % tarBlock;
}

function textIn(field: Uint8Array): Uint8Array {
  const end = field.indexOf(0);
  return end === -1 ? field : field.subarray(0, end);
}

/** A number in octal digits or, where it is large, in binary; null for anything else. */
function numberIn(field: Uint8Array): number | null {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    if (field[0] !== 0x80) return null;
    const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
    return Number.isSafeInteger(value) ? value : null;
  }
  const digits = Buffer.from(textIn(field)).toString('latin1').trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : null;
}
