import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { reasonOf } from '../errors.ts';
import { byText } from '../text/text.ts';

/** The outcome of touching the file system: a value, or the reason there is none. Nothing here throws. */
export type Touched<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

const absent = { ok: false, reason: 'ENOENT' } as const;

/** Reasons that say nothing about a file: the system or the disk could not read it just now. */
const passing: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EAGAIN', 'EINTR', 'ETIMEDOUT']);
let failedAt = Number.NEGATIVE_INFINITY;

/** Whether the reason of a failure may have passed by the next attempt. */
export function isPassing(reason: unknown): boolean {
  return passing.has(reason);
}

/**
 * Whether anything could not be read since then, for a reason that may have passed. What was made meanwhile may lack it
 * and is not to be kept.
 */
export function failedSince(began: number): boolean {
  return failedAt >= began;
}

/** The remedy for a file that cannot be read: nothing is wrong with the file itself where the reason may pass. */
export function remedyFor(reason: string, usual: string): string {
  if (!isPassing(reason)) return usual;
  const files = 'Try again; if that does not help, raise the limit on open files (ulimit -n).';
  return reason.endsWith('FILE')
    ? files
    : 'Try again; if that does not help, look at the memory and the disk of the machine.';
}

function attempt<T>(action: () => T | undefined): Touched<T> {
  try {
    const value = action();
    return value === undefined ? absent : { ok: true, value };
  } catch (error) {
    const reason = reasonOf(error);
    if (isPassing(reason)) failedAt = Date.now();
    return { ok: false, reason };
  }
}

export function entriesOf(folder: string): Touched<Dirent[]> {
  return attempt(() => readdirSync(folder, { withFileTypes: true }));
}

/**
 * Tells whether a path exists. Most paths that are looked for do not, and finding that out by `stat` costs a tenth of
 * having an error made.
 */
export function isThere(path: string): boolean {
  return statOf(path).ok;
}

export function realPathOf(path: string): Touched<string> {
  return attempt(() => (statSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : undefined));
}

/** Resolves a path that nearly always exists: one call instead of two. */
export function knownRealPathOf(path: string): Touched<string> {
  return attempt(() => realpathSync.native(path));
}

/** The real path; the path itself where it cannot be resolved. */
export function realPathOrSelf(path: string): string {
  const real = realPathOf(path);
  return real.ok ? real.value : path;
}

export function statOf(path: string): Touched<Stats> {
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}

/** The state of a path, or of the link itself where the path is one. */
export function linkStatOf(path: string): Touched<Stats> {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** Whether this process may read the path. */
export function isReadable(path: string): boolean {
  return attempt(() => {
    accessSync(path, constants.R_OK);
    return true;
  }).ok;
}

/** Tells whether a path is that of a file which may be run. */
export function isProgram(path: string): boolean {
  const found = attempt(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  });
  return found.ok && found.value;
}

/** The names of the folders, and of links that may be folders, in order; none where there is nothing to list. */
export function foldersIn(folder: string): readonly string[] {
  const entries = isThere(folder) ? entriesOf(folder) : null;
  if (!entries?.ok) return [];
  const folders = entries.value.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  return folders.map((entry) => entry.name).sort(byText);
}

/** Whether the reason of a failure is that the path does not exist. */
export function isAbsent(reason: string): boolean {
  return reason === 'ENOENT' || reason === 'ENOTDIR';
}

export interface FileContent {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/**
 * Reads a regular file, of bounded size, never through a link. The check is made on the opened file, not on its name, so
 * that nothing can be swapped in between; and opening never waits, which a FIFO would otherwise make it do. A caller that
 * is done with the bytes before the next file can pass a scratch buffer, which is reused as far as the files fit.
 */
export function readRegularFile(path: string, byteLimit: number, scratch?: Buffer): Touched<FileContent> {
  return withRegularFile(path, (descriptor, stats) => {
    if (stats.size > byteLimit) throw new Error(`larger than ${byteLimit} bytes`);
    return readRange(descriptor, 0, stats.size, scratch);
  });
}

/** Reads part of a regular file, with the same checks; less than requested where the file ends. */
export function readRegularPart(path: string, start: number, length: number, scratch?: Buffer): Touched<FileContent> {
  return withRegularFile(path, (descriptor, stats) =>
    readRange(descriptor, start, Math.max(0, Math.min(length, stats.size - start)), scratch),
  );
}

function withRegularFile(path: string, read: (descriptor: number, stats: Stats) => Buffer): Touched<FileContent> {
  return attempt(() => {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(path, flags);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw new Error('not a regular file');
      return { bytes: read(descriptor, stats), stats };
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Reads from an open file; less than requested where it ends. */
export function readRange(descriptor: number, start: number, length: number, scratch?: Buffer): Buffer {
  const bytes = scratch !== undefined && length <= scratch.length ? scratch : Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(descriptor, bytes, filled, length - filled, start + filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}
