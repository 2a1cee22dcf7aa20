import { basename, resolve } from 'node:path';
import { realPathOf, statOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import type { SkillPlace } from './check.ts';

/** The place of a SKILL.md on disk, given the real folder that it lies in. */
export function placeIn(file: string, folder: string): SkillPlace {
  return {
    file,
    fileName: basename(file),
    folder: basename(folder),
    lookUp(path) {
      const target = resolve(folder, path);
      if (!isInside(folder, target)) return 'outside';
      if (!statOf(target).ok) return 'missing';
      const real = realPathOf(target);
      return real.ok && isInside(folder, real.value) ? 'there' : 'outside';
    },
  };
}
