import type { Dirent, Stats } from 'node:fs';
import { byText } from '../kernel/text.ts';

/** What tells that a file or folder has not changed. The change time catches tools that set the modification time back. */
export type Signature = readonly [size: number, mtimeMs: number, ctimeMs: number, inode: number];

export function signatureOf(stats: Stats): Signature {
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino];
}

export function hasSignature(stats: Stats, [size, mtime, ctime, inode]: Signature): boolean {
  return size === stats.size && mtime === stats.mtimeMs && ctime === stats.ctimeMs && inode === stats.ino;
}

/**
 * Whether a signature can be believed later. What changed within the clock's last tick may change again without its
 * times showing it; on disks that count whole seconds the tick is that long.
 */
export function isSettled(stats: Stats, now: number): boolean {
  const tick = Number.isInteger(stats.mtimeMs / 1000) ? 2000 : 20;
  return Math.max(stats.mtimeMs, stats.ctimeMs) < now - tick;
}

/** Of a folder's entries, those that the search for skills cares about, in order of names. */
export interface Listing {
  /** The SKILL.md, however its letters are cased. */
  readonly file: string | null;
  /** Whether that is a link. */
  readonly fileIsLink: boolean;
  readonly folders: readonly string[];
  readonly links: readonly string[];
  /** A skill that was switched off by renaming its file. */
  readonly isDisabled: boolean;
  /** Whether it holds a folder `.claude-plugin`. */
  readonly mayBePlugin: boolean;
}

/** Folders that hold copies, history or other people's packages, never skills of their own. */
const neverEntered = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  'bower_components',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.Trash',
]);

export function listingOf(entries: readonly Dirent[]): Listing {
  const entered = entries.filter((entry) => !neverEntered.has(entry.name));
  const namesOf = (those: readonly Dirent[]): string[] => those.map((entry) => entry.name).sort(byText);
  const named = entered.filter((entry) => entry.name.length === 8 && entry.name.toLowerCase() === 'skill.md');
  // A folder of that name counts only where there is no file, so that it is reported.
  const plain = named.filter((entry) => !entry.isDirectory());
  const files = plain.length > 0 ? plain : named;
  // The proper spelling wins, then the first in order.
  const file = files.find((entry) => entry.name === 'SKILL.md') ?? files.sort((a, b) => byText(a.name, b.name))[0];
  const folders = namesOf(entered.filter((entry) => entry.isDirectory()));
  return {
    file: file?.name ?? null,
    fileIsLink: file?.isSymbolicLink() ?? false,
    folders,
    links: namesOf(entered.filter((entry) => entry.isSymbolicLink() && !files.includes(entry))),
    isDisabled: file === undefined && entered.some((entry) => entry.name === '.SKILL.md'),
    mayBePlugin: folders.includes('.claude-plugin'),
  };
}

/** Only what its own signature vouches for may be remembered: a link changes without its folder changing. */
export function isPlain(listing: Listing): boolean {
  return listing.links.length === 0 && !listing.fileIsLink && !listing.isDisabled && !listing.mayBePlugin;
}
