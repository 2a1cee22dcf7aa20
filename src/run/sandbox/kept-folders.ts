import { mkdtempSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { entriesOf, isAbsent } from '../../core/disk/files.ts';
import { isGone, thisProcess } from '../../core/disk/owner.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { keepRecent } from '../../core/maps.ts';

/** The file in a kept folder that holds its size. */
export const bytesFile = 'bytes';

/** Prefix of the names of unfinished folders, followed by the process that creates or removes them. */
const draftPrefix = 'draft-';

const hour = 60 * 60 * 1000;

/**
 * Rules for removal: a folder is removed if it was unused for that long and is beyond the number or the bytes allowed,
 * counted from the most recently used. After two hours no run uses it any more, unless the operator allows longer ones.
 * The last rule applies even so: a run that loses its files is better than a full disk.
 */
const rules = [
  { unusedMs: 7 * 24 * hour, folders: 0, bytes: 0 },
  { unusedMs: 2 * hour, folders: 250, bytes: 1024 ** 3 },
  { unusedMs: 0, folders: 1000, bytes: 4 * 1024 ** 3 },
];

/** Creates a folder to be filled and then renamed to its final name: a kept folder is either complete or absent. */
export function draftIn(base: string): string {
  void removeDead(base); // before the new one is filled, which may need the space they take
  return mkdtempSync(join(base, `${draftPrefix}${thisProcess()}-`));
}

/** Removes drafts that killed processes left behind. */
async function removeDead(base: string): Promise<void> {
  const drafts = foldersIn(base, new RegExp(`^${draftPrefix}`));
  await removeAll(
    base,
    drafts.filter(({ name, usedAt }) => isGone(name.slice(draftPrefix.length), usedAt)),
  );
}

/** Removes folders that are unused or too many; to be called after one was added. Resolves when all are gone. */
export async function prune(base: string, now = Date.now()): Promise<void> {
  await removeAll(base, tooMany(foldersIn(base, /^[0-9a-f]{40,64}$/), now));
}

function foldersIn(base: string, form: RegExp): readonly Kept[] {
  const entries = entriesOf(base);
  const names = entries.ok ? entries.value.map(({ name }) => name) : [];
  return names.filter((name) => form.test(name)).map((name) => lookAt(base, name));
}

async function removeAll(base: string, folders: readonly Kept[]): Promise<void> {
  await Promise.all(folders.map(({ name }) => removeKept(join(base, name))));
}

function tooMany(kept: readonly Kept[], now: number): readonly Kept[] {
  let [folders, bytes] = [0, 0];
  const latestFirst = kept.toSorted((one, other) => other.usedAt - one.usedAt);
  return latestFirst.filter(({ usedAt, size }) => {
    folders++;
    bytes += size;
    return rules.some((rule) => now - usedAt > rule.unusedMs && (folders > rule.folders || bytes > rule.bytes));
  });
}

interface Kept {
  readonly name: string;
  readonly usedAt: number;
  readonly size: number;
}

function lookAt(base: string, name: string): Kept {
  const place = join(base, name);
  try {
    const usedAt = statSync(place).mtimeMs;
    if (name.startsWith(draftPrefix)) return { name, usedAt, size: 0 };
    return { name, usedAt, size: Number(readFileSync(join(place, bytesFile), 'latin1')) };
  } catch (error) {
    // A folder that cannot be read just now is kept.
    return { name, usedAt: isAbsent(reasonOf(error)) ? 0 : Date.now(), size: 0 };
  }
}

let removals = 0;

/** Removes a folder: renames it at once so that nobody finds it, then deletes it file by file in the background. */
export async function removeKept(place: string): Promise<void> {
  const draft = join(dirname(place), `${draftPrefix}${thisProcess()}-removed-${removals++}`);
  try {
    renameSync(place, draft);
    await rm(draft, { recursive: true, force: true });
  } catch {
    // another process removes it, or the next prune does
  }
}

const marked = new Map<string, number>();
const mostMarked = 256;
/** Milliseconds between updates of a folder's time: often enough for pruning. */
const markEveryMs = 60_000;

/** Marks a folder as used, for all processes. */
export function markUsed(place: string, now = Date.now()): void {
  if (now - (marked.get(place) ?? 0) < markEveryMs) return;
  try {
    utimesSync(place, now / 1000, now / 1000);
    keepRecent(marked, place, now, mostMarked);
  } catch {
    // The folder is merely removed sooner than necessary.
  }
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Create that folder',
  ENOSPC: 'Its disk is full: free some space',
  EDQUOT: 'Your quota is used up: free some space',
};

/** The error for files that cannot be written to a folder which a variable may move. */
export function unwritableFolder(
  folder: string,
  variable: 'TMPDIR' | 'XDG_RUNTIME_DIR' | 'XDG_CACHE_HOME',
  error: unknown,
): SkillError {
  const reason = reasonOf(error);
  return new SkillError('unavailable', `files for a run cannot be written to ${folder} (${reason})`, {
    hint: `${remedies[reason] ?? 'Make it writable for you'}, or set ${variable} to another folder.`,
    cause: error,
  });
}

/** Creates a folder in the system's folder for temporary files. */
export function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw unwritableFolder(tmpdir(), 'TMPDIR', error);
  }
}
