import { basename, sep } from 'node:path';
import { readRegularPart, realPathOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { isIgnored } from '../../skill/files.ts';
import { sampleBytes, typeByName, typeOf } from '../../skill/mime.ts';
import type { Skill } from '../../skill/types.ts';

/** The real path of something in a skill, or the reason why there is none. */
export type Located =
  | { readonly ok: true; readonly real: string }
  | {
      readonly ok: false;
      /** Kind of failure: not a path at all, nothing that a listing shows, or there but closed to us. */
      readonly kind: 'malformed' | 'absent' | 'unreadable';
      readonly reason: string;
    };

/**
 * Resolves the real path of a file or folder of a skill from its path relative to the skill's folder. Only what a
 * listing of the skill shows is ever found: no folder is entered through a link, and no file whose link leads out of
 * the skill.
 */
export function locate(skill: Pick<Skill, 'id' | 'file'>, path: string): Located {
  const parts = path === '' ? [] : path.split('/');
  if (!parts.every(isName)) return { ok: false, kind: 'malformed', reason: 'not a path from the folder of the skill' };
  if (parts.some(isIgnored)) return { ok: false, kind: 'absent', reason: 'never listed' };
  const own = path === 'SKILL.md' ? [basename(skill.file)] : parts;
  const folder = [skill.id, ...own.slice(0, -1)].join(sep);
  const [realFolder, real] = [realPathOf(folder), realPathOf([skill.id, ...own].join(sep))];
  if (!realFolder.ok) return failed(realFolder.reason);
  if (!real.ok) return failed(real.reason);
  const isHere = realFolder.value === folder && isInside(skill.id, real.value);
  return isHere ? { ok: true, real: real.value } : { ok: false, kind: 'absent', reason: 'a link leads elsewhere' };
}

function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !/[/\\\0]/.test(part);
}

function failed(reason: string): Located {
  return { ok: false, kind: absentReasons.has(reason) ? 'absent' : 'unreadable', reason };
}

/** Errors that mean "not there": a name that is too long, or a link that leads round in circles, counts as absent. */
const absentReasons: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EINVAL']);

const noBytes = new Uint8Array(0);

/** The media type of a file of a skill. Its first bytes are read only where its name does not tell. */
export function fileTypeOf(skill: Skill, path: string): string {
  const byName = typeByName(path);
  if (byName !== null) return byName;
  const place = locate(skill, path);
  const sample = place.ok ? readRegularPart(place.real, 0, sampleBytes) : null;
  return typeOf(path, sample?.ok ? sample.value.bytes : noBytes);
}

/** The error for a file of a skill that is there and cannot be read. */
export function unreadable(skill: Skill, path: string, reason: string): SkillError {
  return new SkillError('unreadable', `${oneLine(path)} of skill '${skill.fullName}' cannot be read (${reason})`);
}
