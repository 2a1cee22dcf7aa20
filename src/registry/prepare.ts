import { runSliced, type Slicer } from '../kernel/time-slice.ts';
import { allNames } from './names.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Works out, in time slices, what lookups will ask the next snapshot, and whether it differs from the one before. Only who
 * stays needs this, so it is loaded apart.
 */
export async function prepare(next: Snapshot, before: Snapshot, slicer: Slicer): Promise<void> {
  await runSliced(allNames(next), slicer);
  for (const snapshot of [before, next]) await runSliced(snapshot.digestSteps(), slicer);
}
