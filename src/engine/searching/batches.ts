import { statOf } from '../../core/disk/files.ts';
import { keyBytes } from '../../search/index/key.ts';
import type { Skill } from '../../skill/types.ts';
import type { Wanted } from './building.ts';
import type { DocumentMap } from './document-map.ts';
import { sourceOf } from './source.ts';
import { toolMarkOf } from './tool-marks.ts';

/** Limits up to which skills are read on the way to an answer. More are left to threads of their own. */
export const few = { skills: 32, bytes: 256 * 1024 } as const;
/** Number of skills that are given to a thread at a time. */
export const batchSize = 256;

/** Tells whether the missing skills can be read on the way to an answer. */
export function areFew({ indexed, missing }: DocumentMap): boolean {
  if (missing.length > few.skills) return false;
  let bytes = 0;
  for (const at of missing) {
    const stats = statOf((indexed[at] as Skill).file);
    bytes += stats.ok ? stats.value.size : 0;
  }
  return bytes <= few.bytes;
}

/** The missing skills, in batches for a thread. */
export function* batchesOf({ snapshot, indexed, keys, missing }: DocumentMap): Generator<readonly Wanted[], undefined> {
  for (let from = 0; from < missing.length; from += batchSize) {
    yield missing.slice(from, from + batchSize).map((at) => ({
      key: Uint8Array.prototype.slice.call(keys, at * keyBytes, (at + 1) * keyBytes),
      source: sourceOf(indexed[at] as Skill),
      toolMark: toolMarkOf(indexed[at] as Skill, snapshot.scan.folders),
    }));
  }
}
