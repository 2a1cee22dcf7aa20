import { reasonOf, SkillError } from '../kernel/errors.ts';
import { entriesOf } from '../kernel/files.ts';
import { sha256 } from '../kernel/hash.ts';
import { below } from '../kernel/paths.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { byText, grouped, oneLine } from '../kernel/text.ts';
import { createSlicer, type Slicer } from '../kernel/time-slice.ts';
import { digestEntry } from './digest-file.ts';
import type { FileDigests } from './types.ts';

export interface FolderDigest {
  /** Of all files together: `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly files: FileDigests;
}

/** More than this is nobody's idea of a skill, and would be read before every run. */
export const mostOf = { entries: 10_000, bytes: 256 * 1024 ** 2 };

/**
 * Digests all that a run of a skill could see in the real folder of it, hidden or not: what is left out here could be
 * changed after a grant. A second time costs looking at each file, and reading those that changed.
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

/** Each path and digest is quoted, so that no two lists of files are the same text. */
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
    // Two names that are no text are the same text: one would hide behind the other.
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
