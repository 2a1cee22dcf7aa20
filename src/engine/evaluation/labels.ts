import { basename } from 'node:path';
import { expandPath } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { addTo } from '../../core/maps.ts';
import { suggest } from '../../core/text/near.ts';
import { fold } from '../../core/text/text.ts';
import { resolveName, uriName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { isPathLike } from '../../skill/name.ts';
import type { Skill } from '../../skill/types.ts';
import { sameness } from '../searching/ask.ts';

/** Meaning of a label: the keys of the hits that satisfy it. Copies of a skill share one key. */
export type Meaning = ReadonlySet<string>;

export interface Labels {
  /** Returns the meaning of a label; empty if no search can find it. */
  readonly meaningOf: (label: string) => Meaning;
  /** Explains why a label means nothing. */
  readonly whyNot: (label: string) => string;
}

/**
 * Creates a lookup of labels. A label is a name, as everywhere else, or else the end of a skill's path, of which the
 * folder's name is the shortest. Where several skills have that name, each of them satisfies the label.
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

/** Groups skills by the names of their folders, as found and as they really are. */
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
 * Splits a path into folders, without the SKILL.md in the last one. An absolute path has an empty part before its first
 * slash, which only the beginning of another one equals.
 */
function partsOf(path: string): string[] {
  return fold(path.replace(/[\\/]+$/, ''))
    .replace(/(^|[\\/]+)skill\.md$/, '')
    .split(/[\\/]+/);
}

function endsWith(path: readonly string[], end: readonly string[]): boolean {
  return end.length <= path.length && end.every((part, at) => part === path[path.length - end.length + at]);
}
