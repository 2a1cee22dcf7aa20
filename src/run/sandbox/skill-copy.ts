import {
  chmodSync,
  closeSync,
  fchmodSync,
  futimesSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isPassing, isThere, linkStatOf } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { below, xdgDir } from '../../core/disk/paths.ts';
import { hasSignature, type Signatures, signatureOf } from '../../core/disk/signature.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import { keepRecent } from '../../core/maps.ts';
import type { OnProgress } from '../../core/progress.ts';
import { oneLine } from '../../core/text/text.ts';
import { createSlicer, type Slicer } from '../../core/time-slice.ts';
import {
  digestFiles,
  executableMark,
  type FolderDigest,
  hashFile,
  linkMark,
  mostOf,
  specialMark,
} from '../policy/digest.ts';
import { bytesFile, draftIn, markUsed, prune, removeKept, unwritableFolder } from './kept-folders.ts';

/** A copy as this process left it: if every entry is unchanged, none of them needs to be read. */
interface Kept {
  readonly folder: string;
  readonly signatures: Signatures;
}

const kept = new Map<string, Kept>();
const mostKept = 256;
const underWay = new Map<string, Promise<Kept>>();

/**
 * Returns a private copy of a skill, of exactly the bytes that were digested, which runs see in place of the skill's
 * own folder: no run sees changes to that folder after it was checked or while the run is under way. The copy is kept
 * by its digest for the next run. One that another process made is read whole before it is used.
 *
 * The copy holds exactly the digested files: no FIFOs, sockets, devices or empty folders. Everybody may read it, since
 * containers and runs of root are other users; the folder above it is closed to them.
 */
export async function copyOfSkill(
  environment: Environment,
  source: string,
  now: FolderDigest,
  onProgress?: OnProgress,
): Promise<string> {
  const base = baseFor(environment);
  const place = join(base, now.digest.replace(/^sha256:/, ''));
  const before = kept.get(place);
  const copy = before !== undefined && isUntouched(before) ? before : await oneAtATime(place, source, now, onProgress);
  keepRecent(kept, place, copy, mostKept);
  markUsed(place);
  return copy.folder;
}

/** The folder of all copies, by its real path: files that a run sees are compared with where they should come from. */
function baseFor(environment: Environment): string {
  const base = below(xdgDir(environment, 'CACHE'), 'repertoire/skills');
  try {
    makeFolder(base);
    chmodSync(base, 0o700);
    return realpathSync(base);
  } catch (error) {
    throw unwritableFolder(base, 'XDG_CACHE_HOME', error);
  }
}

/** Makes one copy at a time for a place, because two runs at once need only one. */
function oneAtATime(place: string, source: string, now: FolderDigest, onProgress?: OnProgress): Promise<Kept> {
  const already = underWay.get(place);
  if (already !== undefined) return already;
  const making = foundOrMade(place, source, now, onProgress).finally(() => underWay.delete(place));
  underWay.set(place, making);
  return making;
}

async function foundOrMade(
  place: string,
  source: string,
  { files }: FolderDigest,
  onProgress?: OnProgress,
): Promise<Kept> {
  const folder = join(place, 'skill');
  const held = Object.entries(files).filter(([, digest]) => digest !== specialMark);
  const isGood = isThere(place) && (await holds(folder, held));
  if (!isGood) void removeKept(place);
  // This also runs if a bad copy could not be removed: then nothing takes its place, and nothing is run.
  if (!isGood) await make(place, source, held, onProgress);
  return { folder, signatures: signaturesIn(folder, held) };
}

type Held = readonly (readonly [path: string, digest: string])[];

/** Tells whether a folder holds exactly these files, to the byte. Throws if that cannot be determined. */
async function holds(folder: string, held: Held): Promise<boolean> {
  try {
    const { files } = await digestFiles(folder);
    return JSON.stringify(Object.entries(files)) === JSON.stringify(held);
  } catch (error) {
    if (!(error instanceof SkillError && isPassing(error.cause))) return false;
    const message = `the private copy of the skill in ${oneLine(folder)} cannot be read (${String(error.cause)})`;
    throw new SkillError('unavailable', message, {
      hint: 'Try again; if it happens again, look at the disk.',
      cause: error,
    });
  }
}

/** Makes a copy under another name first, so that it is either complete or absent. */
async function make(place: string, source: string, held: Held, onProgress?: OnProgress): Promise<void> {
  const base = dirname(place);
  const draft = written(base, () => draftIn(base));
  try {
    const bytes = await fill(join(draft, 'skill'), source, held, onProgress);
    written(base, () => writeFileSync(join(draft, bytesFile), String(bytes)));
    renameSync(draft, place);
    void prune(base);
  } catch (error) {
    void removeKept(draft);
    // Another process may have been quicker; its copy is as good if it holds the same files.
    if (!(await holds(join(place, 'skill'), held))) throw error;
  }
}

async function fill(target: string, source: string, held: Held, onProgress?: OnProgress): Promise<number> {
  let done = 0;
  let left = mostOf.bytes;
  const slicer = createSlicer(() => onProgress?.({ what: 'Copying the files of the skill', done, total: held.length }));
  written(target, () => openFolder(target));
  for (const folder of foldersOf(held)) written(target, () => openFolder(below(target, folder)));
  for (const [path, digest] of held) {
    const to = below(target, path);
    if (digest.startsWith(linkMark)) written(target, () => symlinkSync(digest.slice(linkMark.length), to));
    else left -= await copyFile({ from: below(source, path), to, digest, left, slicer });
    done++;
    if (slicer.isDue) await slicer.pause();
  }
  return mostOf.bytes - left;
}

/** All folders above the files, outer ones first. */
function foldersOf(held: Held): readonly string[] {
  const folders = new Set<string>();
  for (const [path] of held) {
    const parts = path.split('/').slice(0, -1);
    for (let count = 1; count <= parts.length; count++) folders.add(parts.slice(0, count).join('/'));
  }
  return [...folders].sort((one, other) => one.length - other.length);
}

interface Copying {
  readonly from: string;
  readonly to: string;
  /** The digest that the file had when it was checked. */
  readonly digest: string;
  readonly left: number;
  readonly slicer: Slicer;
}

/** Copies a file and verifies its digest. The bytes are read once: those digested are those written. */
async function copyFile({ from, to, digest, left, slicer }: Copying): Promise<number> {
  const descriptor = written(to, () => openSync(to, 'wx', 0o600));
  try {
    const read = await hashFile(from, left, slicer, (bytes) => written(to, () => writeFileSync(descriptor, bytes)));
    const isExecutable = digest.endsWith(executableMark);
    if (read.digest + (isExecutable ? executableMark : '') !== digest) throw changed(from);
    // Modification times are kept because programs such as Python cache compiled files by them.
    futimesSync(descriptor, read.stats.atime, read.stats.mtime);
    fchmodSync(descriptor, isExecutable ? 0o555 : 0o444);
    return read.stats.size;
  } catch (error) {
    throw error instanceof SkillError ? error : changed(from);
  } finally {
    closeSync(descriptor);
  }
}

function changed(path: string): SkillError {
  return new SkillError('denied', `${oneLine(path)} was changed while the run was starting`, {
    hint: 'Run it again once nobody changes the skill.',
  });
}

function openFolder(path: string): void {
  mkdirSync(path);
  chmodSync(path, 0o755);
}

function written<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw unwritableFolder(place, 'XDG_CACHE_HOME', error);
  }
}

function signaturesIn(folder: string, held: Held): Signatures {
  const paths = [folder, ...[...foldersOf(held), ...held.map(([path]) => path)].map((path) => below(folder, path))];
  return paths.map((path) => {
    const stats = linkStatOf(path);
    if (!stats.ok)
      throw new SkillError('unavailable', `the copy of the skill is incomplete: ${path} (${stats.reason})`);
    return [path, signatureOf(stats.value)] as const;
  });
}

function isUntouched({ signatures }: Kept): boolean {
  return signatures.every(([path, signature]) => {
    const stats = linkStatOf(path);
    return stats.ok && hasSignature(stats.value, signature);
  });
}
