import { basename, dirname } from 'node:path';
import { realPathOrSelf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
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

/** Whether a path is that of a SKILL.md, in any letter case. */
export function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === 'skill.md';
}

/** The part of a skill that its editor needs: a SKILL.md that was skipped has that much, too. */
export type EditedSkill = Pick<Skill, 'id' | 'dir' | 'file' | 'name' | 'fullName' | 'provider' | 'location' | 'plugin'>;

/** Finds the skill whose file is to be edited: of one that was skipped, its SKILL.md alone, so that it can be mended. */
export function chosenToEdit(
  snapshot: Snapshot,
  chosen: { name: string; file?: string | undefined },
  path: string,
): EditedSkill {
  return (path === 'SKILL.md' ? skippedSkill(snapshot, chosen.file) : undefined) ?? chosenSkill(snapshot, chosen);
}

function skippedSkill({ scan }: Snapshot, file: string | undefined): EditedSkill | undefined {
  if (file === undefined || !isSkillFile(file)) return undefined;
  const isSkipped = scan.diagnostics.some((one) => one.file === file && one.severity === 'error');
  const around = scan.roots.map(({ root }) => root).filter(({ path }) => isInside(path, file));
  const [root] = around.sort((a, b) => b.path.length - a.path.length); // a plugin's lies in its agent's
  if (!isSkipped || root === undefined) return undefined;
  const dir = dirname(file);
  const { provider, location, plugin } = root;
  const name = basename(dir);
  return { id: realPathOrSelf(dir), dir, file, name, fullName: name, provider, location, plugin: plugin?.key ?? null };
}
