import { closeSync, constants, type Dirent, lstatSync, openSync, readdirSync, type StatsFs, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../../core/attempt.ts';
import type { Limits, Mount } from '../../policy/types.ts';

/** Watches the folders in which a run can create files that lie in memory. */
export interface ScratchWatch {
  /** Number of files. Empty ones take none of the size, but memory all the same. */
  files(): number;
  /** Bytes that the files take. */
  bytes(): number;
  /** Whether there is no room left. */
  isFull(): boolean;
  /** Whether there is a file that was cut short at the limit. */
  hasCutFile(): boolean;
  close(): void;
}

const scratch = '/tmp';
const others = ['/dev/shm'];

/**
 * Watches the scratch folder of a process, given its process ID. An open folder stays while its descriptor is held, so
 * it can be read after everything in the sandbox has ended and nothing can be hidden any more. Returns null if there is
 * none, or if it is not the expected one.
 */
export function watchScratch(
  pid: number,
  limits: Limits,
  isRight = (_folder: string): boolean => true,
): ScratchWatch | null {
  const held = [scratch, ...others].flatMap((place) => opened(`/proc/${pid}/root${place}`));
  const [folder] = held;
  if (folder === undefined || !isRight(pathOf(folder))) {
    for (const one of held) closeSync(one);
    return null;
  }
  let isOpen = true;
  const ask = <T>(question: () => T, otherwise: T): T => {
    return attempt(() => (isOpen ? question() : otherwise), otherwise);
  };
  const total = (of: (one: StatsFs) => number): number =>
    ask(() => held.reduce((sum, one) => sum + of(statfsSync(pathOf(one))), 0), 0);
  return {
    files: () => total(({ files, ffree }) => files - ffree),
    bytes: () => total(({ blocks, bfree, bsize }) => (blocks - bfree) * bsize),
    isFull: () => ask(() => statfsSync(pathOf(folder)).bfree === 0, false),
    hasCutFile: () =>
      ask(() => {
        const { blocks, bfree, bsize } = statfsSync(pathOf(folder));
        return (blocks - bfree) * bsize >= limits.fileBytes && hasCutFile(pathOf(folder), limits);
      }, false),
    close: () => {
      if (isOpen) for (const one of held) closeSync(one);
      isOpen = false;
    },
  };
}

function pathOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function opened(path: string): number[] {
  // just ended, or has no such folder
  return attempt(() => [openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)], []);
}

/** Number of entries that are checked: folders can be of any size, and every run would wait. */
const mostEntries = 5_000;

/** Block size in which shells count file sizes, so that the effective limit may be larger by less than one block. */
const blockBytes = 512;

/** Milliseconds by which the clock of files may be behind ours. */
const clockMs = 50;

/** The files that count as the run's own. */
interface Own {
  /** The time since which a file must have been changed. */
  readonly sinceMs: number;
  /** Whether a user belongs to another run. */
  readonly isOther?: (user: number) => boolean;
}

const all: Own = { sinceMs: 0 };

/**
 * Tells whether a folder has a file that was cut short: as long as the limit, to the byte. The kernel reports this only
 * to the program that wrote it, and many programs go on. No link is followed.
 */
function hasCutFile(folder: string, { fileBytes }: Pick<Limits, 'fileBytes'>, own = all): boolean {
  const folders = [folder];
  let entries = 0;
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    for (const entry of entriesIn(next)) {
      if (++entries > mostEntries) return false;
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && isCut(path, fileBytes, own)) return true;
    }
  }
  return false;
}

/** Tells whether any folder of the host that a run could write to has a file that was cut short. */
export function hasCutFileIn(mounts: readonly Mount[], limits: Limits, own: Own): boolean {
  return mounts.some(({ source, access }) => {
    return access === 'write' && (isCut(source, limits.fileBytes, own) || hasCutFile(source, limits, own));
  });
}

function isCut(path: string, fileBytes: number, { sinceMs, isOther }: Own): boolean {
  try {
    const stats = lstatSync(path);
    const isAtLimit = stats.size >= fileBytes && stats.size < fileBytes + blockBytes;
    return isAtLimit && stats.isFile() && stats.mtimeMs >= sinceMs - clockMs && isOther?.(stats.uid) !== true;
  } catch {
    return false; // gone already
  }
}

function entriesIn(folder: string): readonly Dirent[] {
  // a file, or a folder that is closed to us
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []);
}
