import { SkillError } from '../kernel/errors.ts';
import { knownRealPathOf, readRegularFile } from '../kernel/files.ts';
import { isInside } from '../kernel/paths.ts';
import { requireSkill } from '../registry/resolve.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { limits } from '../skill/limits.ts';
import type { Skill } from '../skill/types.ts';
import type { Engine } from './engine.ts';

/** A skill's SKILL.md as it stands on disk now. */
export interface LoadedSkill {
  /** The snapshot it was found in. */
  readonly snapshot: Snapshot;
  readonly skill: Skill;
  readonly bytes: Buffer;
}

/** Finds a skill by its name and reads it. */
export async function loadSkill(engine: Engine, name: string): Promise<LoadedSkill> {
  const snapshot = await engine.registry.snapshot();
  const skill = requireSkill(snapshot, name);
  return { snapshot, skill, bytes: readSkillFile(skill) };
}

/** Reads the file anew, so that an edit since the scan is served; and only if it still lies in its own folder. */
export function readSkillFile(skill: Skill): Buffer {
  const target = knownRealPathOf(skill.file);
  if (target.ok && !isInside(skill.id, target.value)) {
    throw new SkillError('unreadable', `${skill.file} now leads out of its skill; it is not read`);
  }
  const read = target.ok ? readRegularFile(target.value, limits.fileBytes) : target;
  if (read.ok) return read.value.bytes;
  const hint = 'It may just have been removed; run the command again.';
  throw new SkillError('unreadable', `${skill.file} cannot be read (${read.reason})`, { hint });
}
