import { type Breath, inBreaths } from '../kernel/breath.ts';
import { allNames } from './names.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Works out, in breaths, what lookups will ask the next snapshot, and whether it differs from the one before. Only who
 * stays needs this, so it is loaded apart.
 */
export async function prepare(next: Snapshot, before: Snapshot, breath: Breath): Promise<void> {
  await inBreaths(allNames(next), breath);
  for (const snapshot of [before, next]) await inBreaths(snapshot.digestSteps(), breath);
}
