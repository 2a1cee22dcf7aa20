import { fstatSync } from 'node:fs';
import { crc32, createInflateRaw } from 'node:zlib';
import { readRange } from '../../../core/disk/files.ts';
import { type ZipEntry, zipEntryAt } from '../../../core/formats/zip.ts';
import { sizeInWords } from '../../../core/text/quantities.ts';
import { grouped } from '../../../core/text/text.ts';
import type { Limits } from '../limits.ts';
import { nameFrom } from '../names.ts';
import type { Placer } from '../placer.ts';
import { chunksOf, through } from './chunks.ts';

const localSignature = 0x04034b50;
/** Bytes of the fixed parts of an entry's own header, and of the end of the archive. */
const sizes = { local: 30, end: 22 };
/** Bytes that a record of sizes after the content may have: with and without a signature, with long and short numbers. */
const descriptorSizes: readonly number[] = [12, 16, 20, 24];
/** Bytes of the target of a link. */
const mostTarget = 4096;

const kinds = { mask: 0o170000, folder: 0o040000, file: 0o100000, link: 0o120000 };

interface Entry extends Omit<ZipEntry, 'name'> {
  readonly name: string;
  readonly nameBytes: Buffer;
}

/**
 * Reads a ZIP archive from an open file, and places what is in it. Archives that two programs could read in two ways are
 * refused: every byte must belong to exactly one entry, and both descriptions of an entry must agree.
 */
export async function extractZip(
  descriptor: number,
  placer: Placer,
  limits: Pick<Limits, 'entries' | 'bytes' | 'ratio' | 'ratioFrom'>,
  signal?: AbortSignal,
): Promise<void> {
  const { size } = fstatSync(descriptor);
  const { entries, directory } = entriesIn(descriptor, size, placer, limits);
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (total > limits.ratioFrom && total > size * limits.ratio) {
    placer.refuse('', `the archive grows to more than ${limits.ratio} times its size`);
  }
  if (total > limits.bytes) placer.refuse('', `the files are larger than ${sizeInWords(limits.bytes)} together`);
  const contents = contentsOf(entries, directory, descriptor, placer);
  for (const entry of entries) {
    signal?.throwIfAborted();
    await place(entry, contents.get(entry) ?? 0, descriptor, placer);
  }
}

function entriesIn(
  descriptor: number,
  size: number,
  placer: Placer,
  limits: Pick<Limits, 'entries'>,
): { readonly entries: readonly Entry[]; readonly directory: number } {
  const start = Math.max(0, size - sizes.end - 0xffff);
  const tail = readRange(descriptor, start, size - start);
  const end = tail.lastIndexOf('PK\x05\x06', tail.length - sizes.end, 'latin1');
  if (end === -1) placer.refuse('', 'this is not a ZIP archive, or it is cut off');
  if (end + sizes.end + tail.readUInt16LE(end + 20) !== tail.length) {
    placer.refuse('', 'there is data after the end of the archive, or it has two ends');
  }
  const [disk, diskOfDirectory, here, count] = [4, 6, 8, 10].map((at) => tail.readUInt16LE(end + at));
  const bytes = tail.readUInt32LE(end + 12);
  const directory = tail.readUInt32LE(end + 16);
  if (count === 0xffff || bytes === 0xffffffff || directory === 0xffffffff) {
    placer.refuse('', 'the archive is in the form for more than 4 GB, which is not supported');
  }
  if (disk !== 0 || diskOfDirectory !== 0 || here !== count || count === undefined) {
    placer.refuse('', 'the archive is one part of several');
  }
  if (directory + bytes !== start + end)
    placer.refuse('', 'the list of entries does not lie before the end of the archive');
  if (count > limits.entries) placer.refuse('', `there are more than ${grouped(limits.entries)} files and folders`);
  const list = readRange(descriptor, directory, bytes);
  const entries: Entry[] = [];
  while (entries.length < count) entries.push(entryAt(list, entries.at(-1)?.next ?? 0, placer));
  if ((entries.at(-1)?.next ?? 0) !== list.length)
    placer.refuse('', 'the list of entries is longer than the archive says');
  return { entries, directory };
}

function entryAt(list: Buffer, at: number, placer: Placer): Entry {
  const entry = zipEntryAt(list, at);
  if (entry === null || entry.next > list.length) placer.refuse('', 'the list of entries is damaged');
  const { name: nameBytes, method } = entry;
  const name = nameFrom(nameBytes) ?? placer.refuse(nameBytes.toString('latin1'), 'its name is not UTF-8');
  if (entry.isEncrypted) placer.refuse(name, 'it is encrypted');
  if (method !== 0 && method !== 8) placer.refuse(name, 'it is compressed in a way that is not supported');
  if (method === 0 && entry.packedSize !== entry.size) placer.refuse(name, 'its two sizes differ');
  return { ...entry, name, nameBytes };
}

/** The place of each content, with every byte before the list of entries accounted for. */
function contentsOf(
  entries: readonly Entry[],
  directory: number,
  descriptor: number,
  placer: Placer,
): ReadonlyMap<Entry, number> {
  const inOrder = entries.toSorted((one, other) => one.at - other.at);
  if (inOrder.length > 0 && inOrder[0]?.at !== 0) placer.refuse('', 'there is data before the first entry');
  return new Map(
    inOrder.map((entry, index) => {
      const content = contentOf(entry, descriptor, placer);
      const gap = (inOrder[index + 1]?.at ?? directory) - (content + entry.packedSize);
      if (gap < 0) placer.refuse(entry.name, 'it overlaps with another entry');
      if (gap > 0 && !(entry.sizesFollow && descriptorSizes.includes(gap))) {
        placer.refuse(entry.name, 'there is hidden data after it');
      }
      return [entry, content];
    }),
  );
}

/** The place of a content, after its own header, which must say the same as the list of entries. */
function contentOf(entry: Entry, descriptor: number, placer: Placer): number {
  const head = readRange(descriptor, entry.at, sizes.local);
  if (head.length < sizes.local || head.readUInt32LE(0) !== localSignature) {
    placer.refuse(entry.name, 'its own header is missing');
  }
  const nameLength = head.readUInt16LE(26);
  const name = readRange(descriptor, entry.at + sizes.local, nameLength);
  const isSame = name.equals(entry.nameBytes) && head.readUInt16LE(8) === entry.method;
  if (!isSame || !agrees(head, entry)) placer.refuse(entry.name, 'its own header says something else');
  return entry.at + sizes.local + nameLength + head.readUInt16LE(28);
}

/** Whether an entry's own header has the same sizes, where it has any. */
function agrees(head: Buffer, entry: Entry): boolean {
  if (entry.sizesFollow) return true;
  const [crc, sent, size] = [14, 18, 22].map((at) => head.readUInt32LE(at));
  const isLong = sent === 0xffffffff || size === 0xffffffff;
  return crc === entry.crc && (isLong || (sent === entry.packedSize && size === entry.size));
}

async function place(entry: Entry, at: number, descriptor: number, placer: Placer): Promise<void> {
  const { name, size, mode } = entry;
  const kind = mode & kinds.mask;
  if (name.endsWith('/') || kind === kinds.folder) {
    if (size !== 0) placer.refuse(name, 'it is not a file, and has content');
    return placer.addFolder(name);
  }
  if (kind === kinds.link) {
    if (size > mostTarget) placer.refuse(name, 'the target of the link is too long');
    const parts: Buffer[] = [];
    await inflate(entry, at, descriptor, placer, (chunk) => parts.push(chunk));
    const target = nameFrom(Buffer.concat(parts)) ?? placer.refuse(name, 'the target of the link is not UTF-8');
    return placer.addLink(name, target);
  }
  if (kind !== 0 && kind !== kinds.file) placer.refuse(name, 'it is a device, a pipe or a socket');
  const sink = placer.addFile(name, (mode & 0o100) !== 0);
  try {
    await inflate(entry, at, descriptor, placer, (chunk) => sink?.write(chunk));
  } finally {
    sink?.close();
  }
}

/** Reads the content of an entry, which must be exactly what the list of entries says. */
async function inflate(
  entry: Entry,
  at: number,
  descriptor: number,
  placer: Placer,
  use: (chunk: Buffer) => void,
): Promise<void> {
  const { name, size, crc } = entry;
  let [sum, length] = [0, 0];
  for await (const chunk of contentFrom(entry, at, descriptor, placer)) {
    length += chunk.length;
    if (length > size) placer.refuse(name, 'it is larger than the archive says');
    sum = crc32(chunk, sum);
    use(chunk);
  }
  if (length !== size || sum !== crc) placer.refuse(name, 'its content is damaged');
}

/** The bytes of a content as they were before they were compressed. */
async function* contentFrom(
  { name, method, packedSize: sent }: Entry,
  at: number,
  descriptor: number,
  placer: Placer,
): AsyncGenerator<Buffer> {
  if (sent === 0) return;
  const raw = chunksOf(descriptor, at, sent);
  if (method === 0) return yield* raw;
  const inflater = createInflateRaw();
  yield* through(raw, inflater, () => placer.refuse(name, 'its content is damaged'));
  if (inflater.bytesWritten !== sent) placer.refuse(name, 'there is hidden data after its content');
}
