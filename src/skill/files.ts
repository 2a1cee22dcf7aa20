import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import { entriesOf, realPathOf, statOf } from '../kernel/files.ts';
import { isInside } from '../kernel/paths.ts';
import { byText } from '../kernel/text.ts';

/** A file that belongs to a skill. */
export interface SkillFile {
  /** From the skill's folder, with `/` between the parts. */
  readonly path: string;
  readonly bytes: number;
}

export interface SkillFiles {
  /** In order of their paths; without SKILL.md itself. */
  readonly files: readonly SkillFile[];
  /** Links that lead out of the skill, or to nothing; they are never read. */
  readonly refused: readonly string[];
  /** Whether there are more than were counted. */
  readonly truncated: boolean;
}

const most = 10_000;
const ignored = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.DS_Store']);

/** Lists the files of a skill, whose real folder is given, without reading any. */
export function filesOf(folder: string, skillFile: string): SkillFiles {
  const found: Found = { files: [], refused: [], folders: [''] };
  const { files, refused, folders } = found;
  for (let next = 0; next < Math.min(folders.length, most) && files.length < most; next++) {
    const entries = entriesAt(folder, folders[next] as string);
    for (const entry of entries) if (entry.path !== skillFile) sort(entry, folder, found);
  }
  files.sort((a, b) => byText(a.path, b.path));
  const truncated = files.length >= most || folders.length >= most;
  return { files: files.slice(0, most), refused: refused.sort(byText), truncated };
}

interface Entry {
  readonly path: string;
  readonly kind: 'folder' | 'link' | 'file';
}

interface Found {
  readonly files: SkillFile[];
  readonly refused: string[];
  /** Still to be looked into, in the order they were met. */
  readonly folders: string[];
}

function sort({ path, kind }: Entry, folder: string, { files, refused, folders }: Found): void {
  if (kind === 'folder') {
    folders.push(path);
    return;
  }
  const target = targetInside(folder, path);
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

/** What a path leads to, if that really lies in the folder. */
function targetInside(folder: string, path: string): Stats | null {
  const real = realPathOf(folder + sep + path);
  if (!real.ok || !isInside(folder, real.value)) return null;
  const stats = statOf(real.value);
  return stats.ok ? stats.value : null;
}
