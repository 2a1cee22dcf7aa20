import { basename, join } from 'node:path';
import { readRegularFile } from '../core/disk/files.ts';
import { SkillError } from '../core/errors.ts';
import { number, object, optional, text, union } from '../core/schema/schema.ts';
import { read } from '../core/schema/schema-reader.ts';
import { oneLine } from '../core/text/text.ts';
import { limits } from './limits.ts';
import { parseSkill } from './parse.ts';
import type { ParsedSkill } from './types.ts';

/** Reads the name and the description of the skill in a folder. */
export function describedSkill(folder: string): Pick<ParsedSkill, 'name' | 'description'> {
  return parsedIn(folder);
}

/** The version that the skill in a folder gives itself, by `metadata.version` or `version`; null where it gives none. */
export function declaredVersion(folder: string): string | null {
  const { frontmatter } = parsedIn(folder);
  const reading = read(versionSchema, frontmatter);
  if (!reading.ok) return null;
  const { metadata, version } = reading.value;
  return oneLine(String(metadata?.version ?? version ?? '')).slice(0, 100) || null;
}

const versionField = optional(union(text(), number()));
const versionSchema = object(
  { version: versionField, metadata: optional(object({ version: versionField }, undefined, { open: true })) },
  undefined,
  { open: true },
);

function parsedIn(folder: string): ParsedSkill {
  const file = join(folder, 'SKILL.md');
  const read = readRegularFile(file, limits.fileBytes);
  if (!read.ok) throw new SkillError('unreadable', `${oneLine(file)} cannot be read (${read.reason})`);
  const { skill, diagnostics } = parseSkill(read.value.bytes, file, basename(folder));
  if (skill !== null) return skill;
  throw new SkillError('unreadable', `${oneLine(file)}: ${diagnostics[0]?.message ?? 'it is not a skill'}`);
}
