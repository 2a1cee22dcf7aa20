import { gunzipSync, inflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface Entry {
  readonly path: string;
  /** Null where it is encrypted, packed in an unusual way, or too large to look at. */
  readonly bytes: Buffer | null;
  readonly isEncrypted: boolean;
}

const most = { entries: 200, bytes: 1024 * 1024, all: 16 * 1024 * 1024 };

/** The files of a ZIP or tar archive, as far as they can be read in little time; none for anything else. */
export function entriesIn(bytes: Buffer): Entry[] {
  try {
    if (bytes.readUInt32BE(0) === 0x504b0304) return zipped(bytes);
    const plain = bytes.readUInt16BE(0) === 0x1f8b ? gunzipSync(bytes, { maxOutputLength: most.all }) : bytes;
    return plain.toString('latin1', 257, 262) === 'ustar' ? tarred(plain) : [];
  } catch {
    return [];
  }
}

/** The files of a ZIP archive, by the directory at its end. */
function zipped(bytes: Buffer): Entry[] {
  const end = bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  const entries: Entry[] = [];
  let left = most.all;
  for (let at = end === -1 ? bytes.length : bytes.readUInt32LE(end + 16); entries.length < most.entries; ) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) break;
    const [flags, method, size] = [
      bytes.readUInt16LE(at + 8),
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
    ];
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const start = bytes.readUInt32LE(at + 42);
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const isEncrypted = (flags & 1) === 1;
    const content = isEncrypted || left <= 0 ? null : unpacked(bytes.subarray(from, from + size), method);
    left -= content?.length ?? 0;
    entries.push({ path: bytes.toString('utf8', at + 46, at + 46 + name), bytes: content, isEncrypted });
    at += 46 + name + extra + comment;
  }
  return entries;
}

function unpacked(bytes: Buffer, method: number): Buffer | null {
  if (method === 0) return bytes.length > most.bytes ? null : bytes;
  try {
    return method === 8 ? inflateRawSync(bytes, { maxOutputLength: most.bytes }) : null;
  } catch {
    return null;
  }
}

function tarred(bytes: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 512 <= bytes.length && entries.length < most.entries; ) {
    const path = bytes.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 136), 8);
    if (path === '' || Number.isNaN(size)) break;
    const content = bytes.subarray(at + 512, at + 512 + size);
    if (/[0\0]/.test(String.fromCharCode(bytes[at + 156] ?? 0)))
      entries.push({ path, bytes: size > most.bytes ? null : content, isEncrypted: false });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}
