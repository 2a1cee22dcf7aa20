import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
  statfsSync,
} from 'node:fs';
import { keepRecent } from '../kernel/recent.ts';
import { hasSignature, isSettled, type Signature, signatureOf } from '../kernel/signature.ts';
import type { Slicer } from '../kernel/time-slice.ts';

/** What a digest of a file that can be executed ends with. */
export const executableMark = ' executable';
/** What stands for a link, before where it leads. */
export const linkMark = 'link:';
/** What stands for a FIFO, a socket or a device. */
export const specialMark = 'special';

interface Known {
  readonly signature: Signature;
  readonly digest: string;
}

/** Digests by path. What has not been asked for longest goes first when there are too many. */
const known = new Map<string, Known>();
const mostKnown = 50_000;
const chunk = Buffer.allocUnsafe(256 * 1024);

/** What one entry of a folder comes to, and how many bytes it holds. */
export interface EntryDigest {
  readonly digest: string;
  readonly bytes: number;
}

/**
 * What a file is as far as a run can tell: its bytes and whether it can be executed; of a link, where it leads; of
 * anything else, that it is something else. A file that looks as it did is not read again.
 */
export async function digestEntry(path: string, byteLimit: number, slicer: Slicer): Promise<EntryDigest> {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return { digest: linkMark + readlinkSync(path), bytes: 0 };
  if (!stats.isFile()) return { digest: specialMark, bytes: 0 };
  const before = known.get(path);
  if (before !== undefined && hasSignature(stats, before.signature)) {
    keepRecent(known, path, before, mostKnown);
    return { digest: withMode(before.digest, stats), bytes: stats.size };
  }
  const began = Date.now();
  const read = await hashFile(path, byteLimit, slicer);
  const isOld = isSettled(read.stats, began - mappedMs);
  if (isOld && !isInMemory(path))
    keepRecent(known, path, { signature: signatureOf(read.stats), digest: read.digest }, mostKnown);
  return { digest: withMode(read.digest, read.stats), bytes: read.stats.size };
}

/**
 * Who has mapped a file into memory can change it without its times showing it, until the system has written the page
 * to the disk and looks at it anew: after half a minute. A file in memory is never written anywhere.
 */
const mappedMs = 60_000;
const inMemory: ReadonlySet<number> = new Set([0x0102_1994, 0x8584_58f6]);

function isInMemory(path: string): boolean {
  return inMemory.has(statfsSync(path).type);
}

function withMode(digest: string, { mode }: Stats): string {
  return (mode & 0o111) === 0 ? digest : digest + executableMark;
}

/**
 * The digest of a file's bytes, which are read once, and handed on as they are read to whoever wants them too. In pieces,
 * so that one large file holds nobody up; never through a link, and never waiting for a FIFO.
 */
export async function hashFile(
  path: string,
  byteLimit: number,
  slicer: Slicer,
  onBytes?: (bytes: Uint8Array) => void,
): Promise<{ digest: string; stats: Stats }> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it was changed in the meantime');
    if (stats.size > byteLimit) return { digest: '', stats }; // who counts the bytes refuses it
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    let read = 0;
    for (let got = -1; got !== 0 && read <= byteLimit; read += got) {
      got = readSync(descriptor, chunk);
      hash.update(chunk.subarray(0, got));
      onBytes?.(chunk.subarray(0, got));
      if (slicer.isDue) await slicer.pause();
    }
    if (read !== stats.size) throw new Error('it was changed in the meantime');
    return { digest: `sha256:${hash.digest('hex')}`, stats };
  } finally {
    closeSync(descriptor);
  }
}
