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
