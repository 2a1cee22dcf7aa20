import {
  type FileContent,
  knownRealPathOf,
  readRegularFile,
  readRegularPart,
  type Touched,
} from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import { requireSkill } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';
import { limits } from '../../skill/types.ts';
import { audienceOf, type Engine, type Request } from '../engine.ts';

/** A skill's SKILL.md as it stands on disk now. */
export interface LoadedSkill {
  /** The snapshot in which the skill was found. */
  readonly snapshot: Snapshot;
  readonly skill: Skill;
  readonly bytes: Buffer;
}

/** Finds a skill by its name and reads it. */
export async function loadSkill(engine: Engine, name: string, request: Request): Promise<LoadedSkill> {
  const snapshot = await engine.registry.snapshot();
  const skill = requireSkill(snapshot, name, audienceOf(request));
  return { snapshot, skill, bytes: readSkillFile(skill) };
}

/** Reads the file anew, so that an edit since the scan is served, and only if it still lies in its own folder. */
export function readSkillFile(skill: Pick<Skill, 'id' | 'file'>): Buffer {
  return readWith(skill, (path) => readRegularFile(path, limits.fileBytes));
}

/** Reads the beginning of SKILL.md under the same rule, no more of it than fits into the given memory. */
export function readSkillBeginning(skill: Pick<Skill, 'id' | 'file'>, scratch: Buffer): Buffer {
  return readWith(skill, (path) => readRegularPart(path, 0, scratch.length, scratch));
}

function readWith(skill: Pick<Skill, 'id' | 'file'>, read: (path: string) => Touched<FileContent>): Buffer {
  const target = knownRealPathOf(skill.file);
  if (target.ok && !isInside(skill.id, target.value)) {
    throw new SkillError('unreadable', `${skill.file} now leads outside its skill; it is not read`);
  }
  const found = target.ok ? read(target.value) : target;
  if (found.ok) return found.value.bytes;
  const hint = 'It may just have been removed; run the command again.';
  throw new SkillError('unreadable', `${skill.file} cannot be read (${found.reason})`, { hint });
}
