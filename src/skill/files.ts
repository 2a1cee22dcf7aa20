import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import { entriesOf, linkStatOf, realPathOf, statOf } from '../core/disk/files.ts';
import { isInside } from '../core/disk/paths.ts';
import { byText } from '../core/text/text.ts';

/** A file that belongs to a skill. */
export interface SkillFile {
  /** Path relative to the skill's folder, separated by `/`. */
  readonly path: string;
  readonly bytes: number;
}

export interface SkillFiles {
  /** The files in order of their paths, without SKILL.md itself. */
  readonly files: readonly SkillFile[];
  /** Links that lead out of the skill, or to nothing; they are never read. */
  readonly refused: readonly string[];
  /** Whether there are more files than were counted. */
  readonly truncated: boolean;
  /** The folders that were read, the skill's own first, as ''. */
  readonly folders: readonly string[];
}

const most = 10_000;
const ignored = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.DS_Store']);

/** Lists the files of a skill, whose real folder is given, without reading any; no more than the limit. */
export function filesOf(folder: string, skillFile: string, limit = most): SkillFiles {
  const found: Found = { files: [], refused: [], folders: [''] };
  const { files, refused, folders } = found;
  for (let next = 0; next < Math.min(folders.length, most) && files.length < limit; next++) {
    for (const entry of entriesAt(folder, folders[next] as string)) {
      if (entry.path !== skillFile) sort(entry, folder, found);
      if (files.length >= limit) break;
    }
  }
  files.sort((a, b) => byText(a.path, b.path));
  const truncated = files.length >= limit || folders.length >= most;
  return { files, refused: refused.sort(byText), truncated, folders };
}

/** Whether a name is one that no listing shows. */
export function isIgnored(name: string): boolean {
  return ignored.has(name);
}

/** Lists one folder of a skill, unordered: files and folders by path relative to the skill's folder. */
export function childrenOf(folder: string, at: string): { files: readonly SkillFile[]; folders: readonly string[] } {
  const found: Found = { files: [], refused: [], folders: [] };
  for (const entry of entriesAt(folder, at)) sort(entry, folder, found);
  return found;
}

interface Entry {
  readonly path: string;
  readonly kind: 'folder' | 'link' | 'file';
}

interface Found {
  readonly files: SkillFile[];
  readonly refused: string[];
  /** Folders still to be read, in the order they were met. */
  readonly folders: string[];
}

function sort({ path, kind }: Entry, folder: string, { files, refused, folders }: Found): void {
  if (kind === 'folder') {
    folders.push(path);
    return;
  }
  const target = kind === 'link' ? targetInside(folder, path) : plainFile(folder, path);
  if (target?.isFile()) files.push({ path, bytes: target.size });
  else if (kind === 'link' && target === null) refused.push(path);
}

function entriesAt(folder: string, at: string): Entry[] {
  const entries = entriesOf(folder + sep + at);
  if (!entries.ok) return [];
  return entries.value
    .filter((entry) => !ignored.has(entry.name))
    .map((entry) => ({
      path: at === '' ? entry.name : `${at}/${entry.name}`,
      kind: entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file',
    }));
}

/** The state of a file that was no link when its folder was listed, and needs no other proof of where it is. */
function plainFile(folder: string, path: string): Stats | null {
  const stats = linkStatOf(folder + sep + path);
  return stats.ok ? stats.value : null;
}

/** Resolves a path if its target really lies inside the folder. */
function targetInside(folder: string, path: string): Stats | null {
  const real = realPathOf(folder + sep + path);
  if (!real.ok || !isInside(folder, real.value)) return null;
  const stats = statOf(real.value);
  return stats.ok ? stats.value : null;
}
