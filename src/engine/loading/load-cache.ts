import { areUnchanged, type Signatures, signaturesAt } from '../../core/disk/signature.ts';
import type { Skill } from '../../skill/types.ts';

/** The files something was made of, and when the making began. */
interface Making {
  readonly paths: readonly string[];
  readonly began: number;
}

/**
 * Cache of what was made of skills that were loaded before. Each entry is valid while everything it was made of looks
 * the same: some skills are loaded all the time, and a stat of a file costs a fraction of reading it and listing its
 * folder.
 */
export interface LoadCache<T> {
  recall(skill: Skill): T | undefined;
  keep(skill: Skill, made: T, making: Making, characters: number): void;
}

const most = 100;
const mostPaths = 20;
const mostCharacters = 200_000;

export function createLoadCache<T>(): LoadCache<T> {
  /** Skills loaded once: most are never loaded again, and caching those would only burden the garbage collector. */
  const once = new Set<string>();
  const kept = new Map<string, { readonly skill: Skill; readonly signatures: Signatures; readonly made: T }>();
  return {
    recall(skill) {
      const known = kept.get(skill.id);
      return known?.skill === skill && areUnchanged(known.signatures) ? known.made : undefined;
    },
    keep(skill, made, { paths, began }, characters) {
      if (!once.delete(skill.id) && !kept.has(skill.id)) {
        if (once.size >= most) once.delete(once.keys().next().value as string);
        once.add(skill.id);
        return;
      }
      const isSmall = paths.length <= mostPaths && characters <= mostCharacters;
      const signatures = isSmall ? signaturesAt(paths, began) : null;
      kept.delete(skill.id); // the newest stands last
      if (signatures !== null) kept.set(skill.id, { skill, signatures, made });
      if (kept.size > most) kept.delete(kept.keys().next().value as string);
    },
  };
}
