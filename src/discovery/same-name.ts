import { relative, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/diagnostics.ts';
import { fold } from '../core/text/text.ts';
import { labelOf } from '../skill/name.ts';
import type { Skill } from '../skill/types.ts';
import type { Root } from './roots.ts';

/**
 * Gives skills of one root that share a name different ones. The first by path keeps the name; the others are called by
 * their folders, so that each can be requested. Skills come in the order of their roots, then of their paths.
 */
export function renameDuplicates(
  skills: readonly Skill[],
  roots: readonly Root[],
  diagnostics: Diagnostic[],
): readonly Skill[] {
  const owners = new Map<string, Skill>();
  const clashes = new Map<Skill, Skill>();
  for (const skill of skills) {
    const owner = owners.get(skill.fullName);
    if (owner?.rank === skill.rank) clashes.set(skill, owner);
    else owners.set(skill.fullName, skill);
  }
  if (clashes.size === 0) return skills;
  // A name that a skill has given itself, anywhere, is never taken for another one's folder.
  const names = new Set(skills.map(({ fullName }) => fold(fullName)));
  const given = new Set<string>();
  return skills.map((skill) => {
    const owner = clashes.get(skill);
    if (owner === undefined) return skill;
    const fullName = freeName(skill, roots[skill.rank]?.path ?? skill.dir, (name) => {
      const key = fold(name);
      if (names.has(key) || given.has(`${skill.rank} ${key}`)) return false;
      given.add(`${skill.rank} ${key}`);
      return true;
    });
    const message = `"${skill.fullName}" is also the name of ${owner.file}, whose path comes first; this one is listed as "${fullName}"`;
    diagnostics.push(diagnostic('name-taken', skill.file, message, 'Rename one of the two.'));
    return { ...skill, fullName };
  });
}

/** A free name: the folder's, then with the folders above it, then with a number. */
function freeName({ dir, pluginName }: Skill, root: string, isFree: (name: string) => boolean): string {
  const prefix = pluginName === null ? '' : `${pluginName}:`;
  const inRoot = relative(root, dir).split(sep);
  const parts = inRoot[0] === '' || inRoot[0] === '..' ? dir.split(sep).slice(-1) : inRoot;
  const labels = parts.map((_, index) => labelOf(parts.slice(-1 - index).join('-'), 'skill'));
  const free = labels.find((label) => isFree(prefix + label));
  if (free !== undefined) return prefix + free;
  for (let number = 2; ; number++) {
    const name = `${prefix}${labels[0]}-${number}`;
    if (isFree(name)) return name;
  }
}

/** Tells whether a name consists of characters that look like no other: then only another name can look like it. */
export function isPlainName(name: string): boolean {
  return /^[a-z2-9:._-]*$/.test(name) && !/rn|vv/.test(name);
}
