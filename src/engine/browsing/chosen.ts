import { SkillError } from '../../core/errors.ts';
import { optional, text } from '../../core/schema/schema.ts';
import { cut } from '../../core/text/text.ts';
import { checkName, requireKnown } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../skill/types.ts';

/** The fields that name a skill while browsing. */
export const chosenFields = {
  name: text('The skill: its name, plugin:skill, provider:name, or a skill:// address.'),
  file: optional(text('Its SKILL.md as a list shows it, for a skill that is hidden by another one.')),
};

/** Finds the skill that is meant. A file is only compared with those of known skills, and never read. */
export function chosenSkill(snapshot: Snapshot, { name, file }: { name: string; file?: string | undefined }): Skill {
  if (file === undefined) return requireKnown(snapshot, name);
  checkName(name);
  // A disabled one can be looked at, so that it can be enabled again.
  const skill = [...snapshot.skills, ...snapshot.disabled.keys()].find((one) => one.file === file);
  if (skill !== undefined) return skill;
  const hint = 'It may have been moved or removed; list the skills again.';
  throw new SkillError('not-found', `No skill has the file ${cut(file, 200)}`, { hint });
}
