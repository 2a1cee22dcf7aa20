import { posix, sep } from 'node:path';
import { realPathOf, statOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { type Parsed, type Problem, parsed, problem, shown } from '../../core/schema/parsed.ts';

/** The reason why a path is not that of a file of the skill. */
export interface NoFile extends Problem {
  readonly kind: 'outside' | 'absent' | 'no file';
}

/** The real path of a file of a skill, whose real folder is given: never of one that lies elsewhere. */
export function fileOf(folder: string, path: string): Parsed<string> | NoFile {
  const clean = posix.normalize(path);
  if (path.includes('\0') || posix.isAbsolute(path) || clean === '..' || clean.startsWith('../')) {
    const remedy = 'Name a file below the folder of the skill.';
    return { ...problem(`${shown(path)} is not a file of the skill`, remedy), kind: 'outside' };
  }
  const real = realPathOf(folder + sep + clean);
  if (!real.ok) {
    const message = `${shown(path)} is not in the skill (${real.reason})`;
    return { ...problem(message, 'Correct the path, or add the file.'), kind: 'absent' };
  }
  if (!isInside(folder, real.value)) {
    const message = `${shown(path)} is a link that leads out of the skill`;
    return { ...problem(message, 'Copy the file into the skill.'), kind: 'outside' };
  }
  const stats = statOf(real.value);
  if (stats.ok && stats.value.isFile()) return parsed(real.value);
  return { ...problem(`${shown(path)} is not a regular file`, 'Name a regular file.'), kind: 'no file' };
}
