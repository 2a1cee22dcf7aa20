import { mkdtempSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { entriesOf, isAbsent } from '../../core/files.ts';
import { isGone, thisProcess } from '../../core/owner.ts';
import { keepRecent } from '../../core/recent.ts';

/** The file in a kept folder that says how large it is. */
export const bytesFile = 'bytes';

/** What the names of unfinished folders begin with, before the process that makes or removes them. */
const draftPrefix = 'draft-';

const hour = 60 * 60 * 1000;

/**
 * A folder goes when it was unused for so long and it is one too many among those used since, by their number or bytes.
 * After two hours no run is in it any more, unless the operator allows longer ones. The last rule holds even so: rather
 * a run that loses its files than a disk that is full.
 */
const rules = [
  { unusedMs: 7 * 24 * hour, folders: 0, bytes: 0 },
  { unusedMs: 2 * hour, folders: 250, bytes: 1024 ** 3 },
  { unusedMs: 0, folders: 1000, bytes: 4 * 1024 ** 3 },
];

/** A new folder to be filled, and then renamed to what it is to be called: so that a kept folder is whole or not there. */
export function draftIn(base: string): string {
  void removeDead(base); // before it is filled, which may take the room that they hold
  return mkdtempSync(join(base, `${draftPrefix}${thisProcess()}-`));
}

/** Removes what killed processes have left. */
async function removeDead(base: string): Promise<void> {
  const drafts = foldersIn(base, new RegExp(`^${draftPrefix}`));
  await removeAll(
    base,
    drafts.filter(({ name, usedAt }) => isGone(name.slice(draftPrefix.length), usedAt)),
  );
}

/** Removes what nobody uses and what is too much, to be called once there is one more. Done when all of it is gone. */
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
    // What cannot be looked at just now is kept.
    return { name, usedAt: isAbsent(reasonOf(error)) ? 0 : Date.now(), size: 0 };
  }
}

let removals = 0;

/** Removes a folder: at once from where others would find it, and then file by file while others go on. */
export async function removeKept(place: string): Promise<void> {
  const draft = join(dirname(place), `${draftPrefix}${thisProcess()}-removed-${removals++}`);
  try {
    renameSync(place, draft);
    await rm(draft, { recursive: true, force: true });
  } catch {
    // somebody else removes it, or the next who prunes
  }
}

const marked = new Map<string, number>();
const mostMarked = 256;
/** Often enough for those who prune. */
const markEveryMs = 60_000;

/** Says to all processes that a folder is used. */
export function markUsed(place: string, now = Date.now()): void {
  if (now - (marked.get(place) ?? 0) < markEveryMs) return;
  try {
    utimesSync(place, now / 1000, now / 1000);
    keepRecent(marked, place, now, mostMarked);
  } catch {
    // It is removed sooner than it need be.
  }
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Create that folder',
  ENOSPC: 'Its disk is full: free some space',
  EDQUOT: 'Your quota is used up: free some space',
};

/** What there is to say where files cannot be written to a folder that a variable may move. */
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

/** A new folder among those for temporary files. */
export function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw unwritableFolder(tmpdir(), 'TMPDIR', error);
  }
}
