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
import { isAbsolute } from 'node:path';
import { entriesOf, readRegularFile, realPathOrSelf } from '../../core/disk/files.ts';
import { below } from '../../core/disk/paths.ts';
import { hasSignature, isSettled, type Signature, signatureOf } from '../../core/disk/signature.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { keepRecent } from '../../core/maps.ts';
import type { OnProgress } from '../../core/progress.ts';
import { byText, grouped, oneLine } from '../../core/text/text.ts';
import { createSlicer, type Slicer } from '../../core/time-slice.ts';
import type { FileDigests } from './types.ts';

export interface FolderDigest {
  /** The digest of all files together: `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly files: FileDigests;
}

/** Most entries and bytes of a skill. More is nobody's idea of one, and would be read before every run. */
export const mostOf = { entries: 10_000, bytes: 256 * 1024 ** 2 };

/**
 * Digests everything that a run of a skill could see in its real folder, hidden or not: whatever is left out here could
 * be changed after a grant. A second time costs checking each file, and reading those that changed.
 */
export async function digestFiles(folder: string, limits = mostOf, onProgress?: OnProgress): Promise<FolderDigest> {
  const found: [path: string, digest: string][] = [];
  let total: number | undefined;
  const slicer = createSlicer(() =>
    onProgress?.({ what: 'Reading the files of the skill', done: found.length, total }),
  );
  let left = limits.bytes;
  const paths = await pathsBelow(folder, limits.entries, slicer);
  total = paths.length;
  for (const path of paths) {
    const entry = await touched(folder, path, () => digestEntry(below(folder, path), left, slicer));
    left -= entry.bytes;
    if (left < 0) throw tooMuch(folder, `its files are larger than ${limits.bytes / 1024 ** 2} MiB`);
    found.push([path, entry.digest]);
    if (slicer.isDue) await slicer.pause();
  }
  found.sort(([a], [b]) => byText(a, b));
  return { digest: digestOf(found), files: Object.fromEntries(found) };
}

/** The digest of a list of files. Each path and digest is quoted, so that no two lists are the same text. */
function digestOf(found: readonly (readonly [string, string])[]): string {
  return `sha256:${sha256(found.map((row) => JSON.stringify(row)).join('\n'))}`;
}

async function pathsBelow(folder: string, entryLimit: number, slicer: Slicer): Promise<string[]> {
  const paths: string[] = [];
  const folders = [''];
  let seen = 0;
  for (let inner = folders.pop(); inner !== undefined; inner = folders.pop()) {
    const entries = entriesIn(folder, inner);
    seen += entries.length;
    if (seen > entryLimit) throw tooMuch(folder, `it has more than ${grouped(entryLimit)} files`);
    for (const { path, isFolder } of entries) (isFolder ? folders : paths).push(path);
    if (slicer.isDue) await slicer.pause();
  }
  return paths;
}

/** The entries of a folder in the folder, by their paths from the outer one. */
function entriesIn(folder: string, inner: string): { path: string; isFolder: boolean }[] {
  const entries = entriesOf(inner === '' ? folder : below(folder, inner));
  if (!entries.ok) throw unreadable(folder, inner || '.', entries.reason);
  return entries.value.map((entry) => {
    const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
    // Two names that are not valid text are read as the same text: one would hide behind the other.
    if (entry.name.includes('\ufffd')) throw unreadable(folder, path, 'its name is not valid UTF-8');
    return { path, isFolder: entry.isDirectory() };
  });
}

async function touched<T>(folder: string, path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw unreadable(folder, path, reasonOf(error));
  }
}

function unreadable(folder: string, path: string, reason: string): SkillError {
  const message = `${oneLine(path)} in ${oneLine(folder)} cannot be read (${reason}), so the digest of the skill cannot be computed`;
  return new SkillError('denied', message, {
    hint: 'Make it readable, or move it out of the skill.',
    cause: reason,
  });
}

function tooMuch(folder: string, what: string): SkillError {
  const hint = 'Move data out of the folder of the skill, and let it ask for that folder under [capabilities].';
  return new SkillError('denied', `nothing is run from ${oneLine(folder)}: ${what}`, { hint });
}

/** The end of the digest of a file that can be executed. */
export const executableMark = ' executable';
/** The mark of a link, before its target. */
export const linkMark = 'link:';
/** The mark of a FIFO, a socket or a device. */
export const specialMark = 'special';

interface Known {
  readonly signature: Signature;
  readonly digest: string;
}

/** Digests by path. The least recently used goes first when there are too many. */
const known = new Map<string, Known>();
const mostKnown = 50_000;
const chunk = Buffer.allocUnsafe(256 * 1024);

/** The digest of one entry of a folder, and the number of bytes it holds. */
interface EntryDigest {
  readonly digest: string;
  readonly bytes: number;
}

/**
 * Digests a file as far as a run can tell: its bytes and whether it can be executed; of a link, its target; of anything
 * else, that it is something else. A file that looks as it did is not read again.
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
 * Milliseconds after which the times of a file can be trusted. A process that has mapped a file can change it
 * without its times showing it, until the system has written the page to the disk and looks at it anew: after half a
 * minute. A file in memory is never written anywhere.
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
 * The digest of a file's bytes, which are read once, and handed on to a caller that wants them. Read in
 * pieces, so that one large file holds nobody up; never through a link, and never waiting for a FIFO.
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
    if (stats.size > byteLimit) return { digest: '', stats }; // refused by the caller, which counts the bytes
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

const byteLimit = 2 * 1024 * 1024;

/**
 * Counts files that lie outside a skill among those that were granted something: the manifest of a project can say what
 * a skill's tools run, and must not be able to say it differently afterwards. They stand in the list by their whole
 * path.
 */
export function withOutside(known: FolderDigest, outside: FileDigests): FolderDigest {
  const added = Object.entries(outside);
  if (added.length === 0) return known;
  const digest = `sha256:${sha256(JSON.stringify([known.digest, ...added]))}`;
  return { digest, files: { ...known.files, ...outside } };
}

/** The current digests of the files outside that were counted then. */
export function outsideNow(files: FileDigests): FileDigests {
  const paths = Object.keys(files).filter((path) => isAbsolute(path));
  return Object.fromEntries(
    paths.map((path) => {
      const read = readRegularFile(realPathOrSelf(path), byteLimit);
      return [path, digestOutside(read.ok ? read.value.bytes : undefined)];
    }),
  );
}

/** The digest of the bytes that were read of a file outside; a file that cannot be read never equals one that was. */
export function digestOutside(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? 'unreadable' : `sha256:${sha256(bytes)}`;
}
