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
  const [folders, links, files]: [string[], string[], Dirent[]] = [[], [], []];
  let isDisabled = false;
  for (const entry of entries) {
    const { name } = entry;
    const isSkillFile = name.length === 8 && name.toLowerCase() === 'skill.md';
    if (isSkillFile) files.push(entry);
    if (entry.isDirectory()) {
      if (!neverEntered.has(name)) folders.push(name);
    } else if (entry.isSymbolicLink()) {
      if (!isSkillFile && !neverEntered.has(name)) links.push(name);
    } else if (name === '.SKILL.md') {
      isDisabled = true;
    }
  }
  // The proper spelling wins, then the first in order.
  const file = files.find((entry) => entry.name === 'SKILL.md') ?? files.sort((a, b) => byText(a.name, b.name))[0];
  return {
    file: file?.name ?? null,
    fileIsLink: file?.isSymbolicLink() ?? false,
    folders: folders.sort(byText),
    links: links.sort(byText),
    isDisabled: isDisabled && file === undefined,
    mayBePlugin: folders.includes('.claude-plugin'),
  };
}

/** Only what its own signature vouches for may be remembered: a link changes without its folder changing. */
export function isPlain(listing: Listing): boolean {
  return listing.links.length === 0 && !listing.fileIsLink && !listing.isDisabled && !listing.mayBePlugin;
}
