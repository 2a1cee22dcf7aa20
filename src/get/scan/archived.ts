import { gunzipSync, inflateRawSync } from 'node:zlib';
import { isTar, tarBlock, tarHeaderIn, tarPadding } from '../../core/formats/tar.ts';
import { zipEntryAt } from '../../core/formats/zip.ts';

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
    return isTar(plain) ? tarred(plain) : [];
  } catch {
    return [];
  }
}

/** The files of a ZIP archive, by the directory at its end. */
function zipped(bytes: Buffer): Entry[] {
  const end = bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  const entries: Entry[] = [];
  let left = most.all;
  let entry = end === -1 ? null : zipEntryAt(bytes, bytes.readUInt32LE(end + 16));
  for (; entry !== null && entries.length < most.entries; entry = zipEntryAt(bytes, entry.next)) {
    const { at, isEncrypted, method, packedSize, name } = entry;
    const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const content = isEncrypted || left <= 0 ? null : unpacked(bytes.subarray(from, from + packedSize), method);
    left -= content?.length ?? 0;
    entries.push({ path: name.toString('utf8'), bytes: content, isEncrypted });
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
  for (let at = 0; at + tarBlock <= bytes.length && entries.length < most.entries; ) {
    const { name, size, type } = tarHeaderIn(bytes.subarray(at, at + tarBlock));
    if (name.length === 0 || size === null) break;
    const content = bytes.subarray(at + tarBlock, at + tarBlock + size);
    if (type === '0' || type === '\0')
      entries.push({
        path: Buffer.from(name).toString('utf8'),
        bytes: size > most.bytes ? null : content,
        isEncrypted: false,
      });
    at += tarBlock + size + tarPadding(size);
  }
  return entries;
}
