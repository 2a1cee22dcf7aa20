import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive; the path has slashes on every system. */
export interface Packed {
  readonly path: string;
  readonly bytes: Buffer;
  readonly isExecutable?: boolean;
}

const version = 20;
const utf8Names = 0x0800;
const deflated = 8;
/** The first day that the format supports: the same files make the same archive, whenever it is made. */
const [time, date] = [0, 0x0021];
/** File attributes as Unix writes them: a plain file that its owner may write and all may read, or run as well. */
const attributes = { plain: 0o100644 * 0x10000, executable: 0o100755 * 0x10000 };

/** Makes an archive that every unzip reads. */
export function zip(files: readonly Packed[]): Buffer {
  const [bodies, index]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { path, bytes, isExecutable } of files) {
    const name = Buffer.from(path);
    const data = deflateRawSync(bytes, { level: 9 });
    const sums = numbers([4, crc32(bytes)], [4, data.length], [4, bytes.length], [2, name.length], [2, 0]);
    const head = numbers([2, version], [2, utf8Names], [2, deflated], [2, time], [2, date]);
    const local = Buffer.concat([numbers([4, 0x04034b50]), head, sums, name, data]);
    const rest = numbers([2, 0], [2, 0], [2, 0], [4, isExecutable ? attributes.executable : attributes.plain], [4, at]);
    index.push(Buffer.concat([numbers([4, 0x02014b50], [2, 0x0300 + version]), head, sums, rest, name]));
    bodies.push(local);
    at += local.length;
  }
  const size = index.reduce((sum, { length }) => sum + length, 0);
  const counts = numbers([2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]);
  return Buffer.concat([...bodies, ...index, numbers([4, 0x06054b50]), counts]);
}

/** Encodes numbers as the format requires: in a fixed number of bytes, the lowest first. */
function numbers(...fields: readonly (readonly [size: 2 | 4, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );
}

/** Bytes of the fixed part of an entry in the directory of an archive, and what it begins with. */
const [entryBytes, entrySignature] = [46, 0x02014b50];

/** An entry in the directory of an archive, as it says itself. */
export interface ZipEntry {
  readonly name: Buffer;
  readonly isEncrypted: boolean;
  /** Whether the sizes stand behind the content, and not before it. */
  readonly sizesFollow: boolean;
  readonly method: number;
  readonly crc: number;
  /** Bytes of the content as it is packed, and unpacked. */
  readonly packedSize: number;
  readonly size: number;
  /** Place of the entry's own header in the archive. */
  readonly at: number;
  /** Mode of the file; zero where the archive comes from a system that has none. */
  readonly mode: number;
  /** Place of the next entry in the directory, which may lie beyond its end. */
  readonly next: number;
}

/** Reads the entry at a place of the directory; null where none stands there. */
export function zipEntryAt(directory: Buffer, at: number): ZipEntry | null {
  if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== entrySignature) return null;
  const short = (offset: number): number => directory.readUInt16LE(at + offset);
  const long = (offset: number): number => directory.readUInt32LE(at + offset);
  const isUnix = [3, 19].includes(directory.readUInt8(at + 5));
  return {
    name: directory.subarray(at + entryBytes, at + entryBytes + short(28)),
    isEncrypted: (short(8) & 1) !== 0,
    sizesFollow: (short(8) & 8) !== 0,
    method: short(10),
    crc: long(16),
    packedSize: long(20),
    size: long(24),
    at: long(42),
    mode: isUnix ? long(38) >>> 16 : 0,
    next: at + entryBytes + short(28) + short(30) + short(32),
  };
}
