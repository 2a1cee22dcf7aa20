import { closeSync, constants, fstatSync, openSync, read, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { reasonOf } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { termsVersion } from '../text/lexicon.ts';
import { layoutVersion } from './layout.ts';
import { openSegment, type Segment } from './segment.ts';

/** Header of an index file: a magic number, a checksum of all that follows it, and its maker. */
const magic = 0x53495052; // "RPIS"
const headerBytes = 64;
const [checksumAt, lengthAt, makerAt, makerBytes] = [4, 8, 16, 32];
const byteLimit = 2 ** 31;
/** Bytes that are checked before others get their turn. */
const pieceBytes = 16 * 1024 * 1024;

export type ReadIndex =
  | { readonly kind: 'read'; readonly segment: Segment }
  | { readonly kind: 'absent' }
  /** A file that is not ours, was cut short, or was changed by somebody: to be rebuilt. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** The digest of everything that decides what an entry looks like: an index made by anything else is of no use. */
export function makerOf(embedder: string): string {
  return sha256(`${layoutVersion}\n${termsVersion}\n${embedder}`);
}

/** Reads an index file once, whole, into memory that threads can share. */
export async function readIndexFile(path: string, maker: string): Promise<ReadIndex> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const reason = reasonOf(error);
    return reason === 'ENOENT' || reason === 'ENOTDIR' ? { kind: 'absent' } : { kind: 'damaged', reason };
  }
  try {
    const bytes = await readAll(descriptor, maker);
    await check(bytes);
    return { kind: 'read', segment: openSegment(bytes.subarray(headerBytes)) };
  } catch (error) {
    return { kind: 'damaged', reason: reasonOf(error) };
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the whole file, but not beyond its beginning if it cannot be used. */
async function readAll(descriptor: number, maker: string): Promise<Uint8Array> {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw new Error('not a regular file');
  if (process.getuid !== undefined && stats.uid !== process.getuid()) throw new Error('owned by another user');
  if ((stats.mode & 0o022) !== 0) throw new Error('others may write to it');
  if (stats.size < headerBytes || stats.size > byteLimit) throw new Error(`of ${stats.size} bytes`);
  const header = Buffer.alloc(headerBytes);
  await fill(descriptor, header);
  if (header.readUInt32LE(0) !== magic) throw new Error('not an index');
  if (header.readUInt32LE(lengthAt) !== stats.size) throw new Error('cut short');
  if (header.toString('hex', makerAt, makerAt + makerBytes) !== maker) throw new Error('made by another version');
  const bytes = new Uint8Array(new SharedArrayBuffer(stats.size));
  await fill(descriptor, bytes);
  return bytes;
}

async function fill(descriptor: number, bytes: Uint8Array): Promise<void> {
  const readPart = promisify(read) as (...args: unknown[]) => Promise<{ bytesRead: number }>;
  for (let filled = 0; filled < bytes.length; ) {
    const length = Math.min(bytes.length - filled, pieceBytes);
    const { bytesRead } = await readPart(descriptor, bytes, filled, length, filled);
    if (bytesRead === 0) throw new Error('cut short');
    filled += bytesRead;
  }
}

async function check(bytes: Uint8Array): Promise<void> {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, headerBytes);
  if (header.readUInt32LE(checksumAt) !== (await checksum(bytes))) throw new Error('its checksum is wrong');
}

async function checksum(bytes: Uint8Array): Promise<number> {
  const { crc32 } = process.getBuiltinModule('node:zlib');
  let value = 0;
  for (let at = lengthAt; at < bytes.length; at += pieceBytes) {
    value = crc32(bytes.subarray(at, at + pieceBytes), value);
    if (at + pieceBytes < bytes.length) await new Promise(setImmediate);
  }
  return value;
}

/** Writes an index file atomically: a concurrent reader gets the old one or the new one, whole. */
export async function writeIndexFile(path: string, maker: string, segment: Uint8Array): Promise<void> {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(magic, 0);
  header.writeUInt32LE(headerBytes + segment.length, lengthAt);
  header.write(maker, makerAt, 'hex');
  const { crc32 } = process.getBuiltinModule('node:zlib');
  header.writeUInt32LE(crc32(segment, crc32(header.subarray(lengthAt))), checksumAt);
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  makeFolder(dirname(path));
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeAll(descriptor, header);
      writeAll(descriptor, segment);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length)
    written += writeSync(descriptor, bytes, written, Math.min(bytes.length - written, pieceBytes));
}
