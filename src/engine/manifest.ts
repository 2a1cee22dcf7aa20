import { isAbsent, readRegularFile, statOf } from '../core/disk/files.ts';
import { hasSignature, isSettled, type Signature, signatureOf } from '../core/disk/signature.ts';
import { sha256 } from '../core/hash.ts';
import { keepRecent } from '../core/maps.ts';
import { createSlicer } from '../core/time-slice.ts';
import type { SkillFile } from '../skill/files.ts';
import type { Skill } from '../skill/types.ts';
import { locate, unreadable } from './loading/contained.ts';
import { extensionLimits } from './loading/extension.ts';

/** A file of a skill and the digest of its bytes. */
export interface DigestedFile {
  readonly path: string;
  readonly size: number;
  /** Digest of the file: `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

interface Known {
  readonly signature: Signature;
  readonly digest: string;
}

/** Digests by path. When there are too many, the least recently used goes first. */
const known = new Map<string, Known>();
const mostKnown = 50_000;

/** Computes the digests of files, in time slices and only where they are not known. A file that is gone is left out. */
export async function digestsOf(skill: Skill, files: readonly SkillFile[]): Promise<DigestedFile[]> {
  const slicer = createSlicer();
  const digested: DigestedFile[] = [];
  for (const { path } of files) {
    const one = digestOf(skill, path);
    if (one !== null) digested.push(one);
    if (slicer.isDue) await slicer.pause();
  }
  return digested;
}

function digestOf(skill: Skill, path: string): DigestedFile | null {
  const place = locate(skill, path);
  if (!place.ok && place.kind !== 'unreadable') return null;
  if (!place.ok) throw unreadable(skill, path, place.reason);
  const stats = statOf(place.real);
  const before = known.get(place.real);
  if (stats.ok && before !== undefined && hasSignature(stats.value, before.signature)) {
    keepRecent(known, place.real, before, mostKnown);
    return { path, size: stats.value.size, digest: before.digest };
  }
  const now = Date.now();
  const read = readRegularFile(place.real, extensionLimits.bytes);
  if (!read.ok && isAbsent(read.reason)) return null;
  if (!read.ok) throw unreadable(skill, path, read.reason);
  const { bytes, stats: readStats } = read.value;
  const digest = `sha256:${sha256(bytes)}`;
  if (isSettled(readStats, now))
    keepRecent(known, place.real, { signature: signatureOf(readStats), digest }, mostKnown);
  return { path, size: bytes.length, digest };
}
