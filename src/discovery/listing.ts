import type { Dirent } from 'node:fs';
import { byText } from '../core/text/text.ts';

/** The entries of a folder that matter to the search for skills, in order of names. */
export interface Listing {
  /** The SKILL.md, in whatever letter case. */
  readonly file: string | null;
  /** Whether the SKILL.md is a link. */
  readonly fileIsLink: boolean;
  readonly folders: readonly string[];
  readonly links: readonly string[];
  /** Whether it holds a skill that was switched off by renaming its file. */
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

/**
 * Tells whether a listing may be remembered because its folder's signature vouches for it: a link changes without its
 * folder changing.
 */
export function isPlain(listing: Listing): boolean {
  return listing.links.length === 0 && !listing.fileIsLink && !listing.isDisabled && !listing.mayBePlugin;
}
