import { basename } from 'node:path';
import type { Environment } from '../../core/environment.ts';
import { addTo } from '../../core/groups.ts';
import { suggest } from '../../core/near.ts';
import { expandPath } from '../../core/paths.ts';
import { fold } from '../../core/text.ts';
import { resolveName, uriName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { isPathLike } from '../../skill/name.ts';
import type { Skill } from '../../skill/types.ts';
import { sameness } from '../searching/ask.ts';

/** What a label means: the hits that answer to it, by what makes copies one hit. */
export type Meaning = ReadonlySet<string>;

export interface Labels {
  /** Nothing for a label that no search can find. */
  readonly meaningOf: (label: string) => Meaning;
  /** Why a label means nothing, in words. */
  readonly whyNot: (label: string) => string;
}

/**
 * A label is a name, as everywhere else, or else the end of a skill's path, of which the folder's name is the shortest.
 * Where a name is that of several skills, each of them answers to it.
 */
export function createLabels(snapshot: Snapshot, environment: Environment): Labels {
  const known = new Map<string, Meaning>();
  const visible = new Set(snapshot.visible.map(sameness));
  let folders: ReadonlyMap<string, readonly Skill[]> | undefined;

  function skillsOf(label: string): readonly Skill[] {
    const named = skillsCalled(snapshot, label);
    if (named.length > 0) return named;
    folders ??= byFolder(snapshot.skills);
    return skillsAt(label, folders, environment);
  }

  return {
    meaningOf(label) {
      const meaning =
        known.get(label) ??
        new Set(
          skillsOf(label)
            .map(sameness)
            .filter((one) => visible.has(one)),
        );
      known.set(label, meaning);
      return meaning;
    },
    whyNot(label) {
      const [hidden] = skillsOf(label);
      if (hidden !== undefined) return `is hidden by another skill of its name (${hidden.file})`;
      const names = snapshot.visible.flatMap(({ fullName, dir }) => [fullName, basename(dir)]);
      const near = suggest(partsOf(label).at(-1) ?? label, names, 3);
      return near.length > 0 ? `is not a skill; did you mean ${near.join(' or ')}?` : 'is not a skill';
    },
  };
}

function skillsCalled(snapshot: Snapshot, label: string): readonly Skill[] {
  if (isPathLike(uriName(label) ?? label)) return [];
  const resolution = resolveName(snapshot, label);
  if (resolution.kind === 'not-found') return [];
  return resolution.kind === 'found' ? [resolution.skill, ...resolution.beaten] : resolution.candidates;
}

/** By the names of their folders, as found and as they really are. */
function byFolder(skills: readonly Skill[]): Map<string, Skill[]> {
  const folders = new Map<string, Skill[]>();
  for (const skill of skills) {
    const ends = new Set([skill.dir, skill.id].map((path) => partsOf(path).at(-1) ?? ''));
    for (const end of ends) addTo(folders, end, skill);
  }
  return folders;
}

function skillsAt(
  label: string,
  folders: ReadonlyMap<string, readonly Skill[]>,
  environment: Environment,
): readonly Skill[] {
  const isPlaced = /^(?:~|\.{1,2})(?:[\\/]|$)/.test(label);
  const end = partsOf(isPlaced ? expandPath(label, environment) : label);
  const candidates = folders.get(end.at(-1) ?? '') ?? [];
  return candidates.filter(({ dir, id }) => [dir, id].some((path) => endsWith(partsOf(path), end)));
}

/**
 * The folders of a path, without the SKILL.md in the last one. A whole path has an empty part before its first slash,
 * which only the beginning of another one equals.
 */
function partsOf(path: string): string[] {
  return fold(path.replace(/[\\/]+$/, ''))
    .replace(/(^|[\\/]+)skill\.md$/, '')
    .split(/[\\/]+/);
}

function endsWith(path: readonly string[], end: readonly string[]): boolean {
  return end.length <= path.length && end.every((part, at) => part === path[path.length - end.length + at]);
}
