import { statfsSync } from 'node:fs';
import { hasEnded } from '../../kernel/owner.ts';
import type { FirstProcess } from './first-process.ts';

/** Where runs can make files that lie in memory. */
const places = ['/tmp', '/dev/shm'];

/**
 * How many files there are in the scratch folder of a run. Empty ones take none of its size, and memory all the same,
 * which nobody counts where there are no control groups.
 */
export function scratchFilesOf({ pid, started }: FirstProcess): number {
  if (hasEnded(pid, started)) return 0;
  try {
    const counts = places.map((place) => statfsSync(`/proc/${pid}/root${place}`));
    return counts.reduce((sum, { files, ffree }) => sum + files - ffree, 0);
  } catch {
    return 0; // it has just ended, or has no such place
  }
}
