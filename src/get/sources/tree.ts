import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SkillError } from '../../core/errors.ts';
import { byText, grouped } from '../../core/text/text.ts';
import type { Limits } from './limits.ts';
import { Placer, type Problem } from './placer.ts';
import type { FetchContext, RefusedSkill } from './types.ts';

/** An entry of a repository or a folder that holds skills among much else. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'submodule' | 'other';
  readonly isExecutable: boolean;
  /** The key by which the tree finds its content. */
  readonly id: string;
}

/** A tree of files of which only some are wanted. */
export interface Tree {
  readonly entries: readonly TreeEntry[];
  /** Places the content of these entries. */
  place(entries: readonly TreeEntry[], placer: Placer): Promise<void>;
}

/** A skill that was placed. */
export interface PlacedSkill {
  readonly name: string;
  readonly path: string;
}

export interface Taken {
  readonly skills: readonly PlacedSkill[];
  readonly refused: readonly RefusedSkill[];
  /** The amount that was placed. */
  readonly bytes: number;
  readonly entries: number;
}

const skipped = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/i;
const skillFile = /(?:^|\/)skill\.md$/i;

/** Whether a path lies where no skills are looked for. */
export function isSkipped(path: string): boolean {
  return skipped.test(path);
}

/** Packages that were installed into a skill are no part of it: lock files do not count them either. */
function isInstalled(path: string): boolean {
  return /(?:^|\/)node_modules(?:\/|$)/i.test(path);
}

/** Whether a path is a folder or lies in it; everything lies in the folder without a name. */
export function isBelow(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/**
 * The folders of skills among paths. What lies in a skill belongs to it; but beside a skill that is the whole, those in
 * folders for skills are skills of their own.
 */
export function skillFoldersIn(paths: Iterable<string>): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    if (skillFile.test(path) && !isSkipped(path)) folders.add(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  }
  const isWhole = folders.has('');
  return [...folders].sort(byText).filter((folder) => {
    if (folder === '') return true;
    if (isWhole && !/(?:^|\/)skills\//.test(folder)) return false;
    return !parentsOf(folder).some((parent) => folders.has(parent));
  });
}

/** The folders that a path lies in, without the whole. */
function parentsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** Whether no folder is another one or lies in another one. */
export function areApart(folders: readonly string[]): boolean {
  const set = new Set(folders);
  if (set.size < folders.length || (set.has('') && set.size > 1)) return false;
  return !folders.some((folder) => parentsOf(folder).some((parent) => set.has(parent)));
}

interface Asked {
  readonly what: string;
  readonly name: string;
  readonly limits: Limits;
  readonly onPlaced?: FetchContext['onPlaced'];
}

/** Places the skills of a tree, as far as they lie in the folder that is asked for, and what their links lead to. */
export async function takeSkills(
  tree: Tree,
  folder: string,
  asked: Asked & { readonly path?: string | undefined },
): Promise<Taken> {
  const { what, path = '' } = asked;
  const within = tree.entries.filter((entry) => isBelow(path, entry.path) && !isSkipped(entry.path));
  const folders = skillFoldersIn(within.map((entry) => entry.path));
  if (folders.length === 0) throw noSkills(what, path, tree.entries);
  return await takeFolders(tree, folders, folder, asked);
}

/** Places these folders of a tree, each of which is a skill. */
export async function takeFolders(
  tree: Tree,
  folders: readonly string[],
  folder: string,
  { what, name, limits, onPlaced }: Asked,
): Promise<Taken> {
  const problems: Problem[] = [];
  const wanted = chooserOf(folders);
  let next = tree.entries.filter((entry) => wanted(entry.path) && !isInstalled(entry.path));
  const onFile = onPlaced === undefined ? () => {} : whenWhole(folders, next, (path) => onPlaced(join(folder, path)));
  const placer = new Placer(folder, { what, limits, onFile, onProblem: (problem) => problems.push(problem) });
  if (next.length > limits.entries)
    placer.refuse(path0(next), `there are more than ${grouped(limits.entries)} files in its skills`);
  const placed = new Set<TreeEntry>();
  while (next.length > 0) {
    for (const entry of next) placed.add(entry);
    await tree.place(next, placer);
    const targets = chooserOf(placer.wanted());
    next = tree.entries.filter((entry) => !placed.has(entry) && targets(entry.path) && !isInstalled(entry.path));
  }
  placer.finish();
  const refused = folders.flatMap((path): RefusedSkill[] => {
    const problem = problems.find((one) => isBelow(path, one.path) && !inOther(one.path, path, folders));
    return problem === undefined
      ? []
      : [
          {
            name: nameFor(path, name),
            path,
            reason: `${problem.path.slice(path === '' ? 0 : path.length + 1)}: ${problem.reason}`,
          },
        ];
  });
  const bad = new Set(refused.map(({ path }) => path));
  const good = folders.filter((path) => !bad.has(path));
  const skills = await placedSkills(placer, good, name);
  const [first] = refused;
  if (skills.length === 0 && first !== undefined) {
    throw new SkillError('unreadable', `${what}: the skill ${first.name} is refused because of ${first.reason}`);
  }
  return { skills, refused, bytes: placer.bytes, entries: placer.entries };
}

/** Tells of each folder when the last of its files has been placed. Never of one that has anything else: that comes last. */
function whenWhole(
  folders: readonly string[],
  entries: readonly TreeEntry[],
  onWhole: (folder: string) => void,
): (path: string) => void {
  if (!areApart(folders)) return () => {};
  const set = new Set(folders);
  const folderOf = (path: string): string => (set.has('') ? '' : (parentsOf(path).find((one) => set.has(one)) ?? ''));
  const left = new Map<string, number>();
  for (const { path, kind } of entries) {
    const folder = folderOf(path);
    left.set(folder, (left.get(folder) ?? 0) + (kind === 'file' ? 1 : Number.POSITIVE_INFINITY));
  }
  return (path) => {
    const folder = folderOf(path);
    const rest = (left.get(folder) ?? 0) - 1;
    left.set(folder, rest);
    if (rest === 0) onWhole(folder);
  };
}

function path0([first]: readonly TreeEntry[]): string {
  return first?.path ?? '';
}

/** Whether a path lies in a skill that itself lies in this one. */
function inOther(path: string, folder: string, folders: readonly string[]): boolean {
  return folders.some((other) => other !== folder && isBelow(folder, other) && isBelow(other, path));
}

/** Tells whether a path lies in any of these folders, however many they are. */
function chooserOf(folders: readonly string[]): (path: string) => boolean {
  const set = new Set(folders);
  if (set.has('')) return () => true;
  return (path) => set.has(path) || parentsOf(path).some((parent) => set.has(parent));
}

/** The skills in what was placed as a whole, such as an archive. */
export function skillsOf(
  placer: Placer,
  name: string,
  paths: readonly string[] = placer.paths,
): Promise<readonly PlacedSkill[]> {
  return placedSkills(placer, skillFoldersIn(paths), name);
}

/** The skills in these folders, with the names that they give themselves; none where the file led nowhere. */
async function placedSkills(
  placer: Placer,
  folders: readonly string[],
  whole: string,
): Promise<readonly PlacedSkill[]> {
  const { parseSkill } = await import('../../skill/parse.ts'); // what reads YAML is not needed to ask a source
  return folders.flatMap((path) => {
    const found = ['SKILL.md', 'skill.md', 'Skill.md', 'SKILL.MD']
      .map((one) => (path === '' ? one : `${path}/${one}`))
      .find((one) => placer.kindOf(one) === 'file');
    if (found === undefined) return [];
    const file = join(placer.folder, placer.pathOf(found));
    const folder = nameFor(path, whole);
    return [{ path, name: parseSkill(readFileSync(file), file, folder).skill?.name ?? folder }];
  });
}

function nameFor(path: string, whole: string): string {
  return path === '' ? whole : basename(path);
}

function noSkills(what: string, path: string, entries: readonly TreeEntry[]): SkillError {
  const elsewhere = path === '' ? [] : skillFoldersIn(entries.map((entry) => entry.path));
  const where = path === '' ? what : `${what}, in ${path}`;
  const some = elsewhere.slice(0, 5).map((folder) => folder || '.');
  return new SkillError('not-found', `${where}: there is no skill here, that is, no folder with a SKILL.md`, {
    ...(some.length > 0 && {
      hint: `It has skills in ${some.join(', ')}${elsewhere.length > 5 ? ' and elsewhere' : ''}.`,
    }),
  });
}
