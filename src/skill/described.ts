import { basename, join } from 'node:path';
import { readRegularFile } from '../core/disk/files.ts';
import { SkillError } from '../core/errors.ts';
import { oneLine } from '../core/text/text.ts';
import { limits } from './limits.ts';
import { parseSkill } from './parse.ts';

/** Reads the name and the description of the skill in a folder. */
export function describedSkill(folder: string): { readonly name: string; readonly description: string } {
  const file = join(folder, 'SKILL.md');
  const read = readRegularFile(file, limits.fileBytes);
  if (!read.ok) throw new SkillError('unreadable', `${oneLine(file)} cannot be read (${read.reason})`);
  const { skill, diagnostics } = parseSkill(read.value.bytes, file, basename(folder));
  if (skill !== null) return skill;
  throw new SkillError('unreadable', `${oneLine(file)}: ${diagnostics[0]?.message ?? 'it is not a skill'}`);
}
