import { closeSync, constants, openSync, type StatsFs, statfsSync } from 'node:fs';
import type { Limits } from '../../policy/types.ts';
import { hasCutFile } from '../cut-files.ts';

/** Looks at the folders in which a run can make files that lie in memory. */
export interface ScratchWatch {
  /** How many files there are. Empty ones take none of the size, and memory all the same. */
  files(): number;
  /** What the files take. */
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
 * Watches the scratch folder of a process by its number. An open folder stays while it is held, so that it can be
 * looked at when everything in the sandbox has ended and nothing can be hidden any more. Null where there is none, or
 * where it is not the one that was asked for.
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
    try {
      return isOpen ? question() : otherwise;
    } catch {
      return otherwise;
    }
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
  try {
    return [openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)];
  } catch {
    return []; // it has just ended, or has no such place
  }
}
