import { basename, relative } from 'node:path';
import type { Environment } from '../core/environment.ts';
import { showHidden } from '../core/hidden.ts';
import { isInside } from '../core/paths.ts';
import { type Infer, object, text } from '../core/schema.ts';
import { calledName } from '../skill/name.ts';
import type { Skill } from '../skill/types.ts';

/** A skill as catalogues of one checkout know it. */
export const summarySchema = object({
  installName: text("The name of the skill's folder."),
  meta: object({ name: text(), description: text() }),
  // From the working directory where it lies below it.
  skillPath: text(),
  skillFile: text(),
});
export type SkillSummary = Infer<typeof summarySchema>;

/** Paths are written as seen from the working directory. */
export function summaryOf(skill: Skill, environment: Environment): SkillSummary {
  return {
    installName: installNameOf(skill),
    meta: { name: shownName(skill), description: showHidden(skill.description).text },
    skillPath: seenFrom(skill.dir, environment),
    skillFile: seenFrom(skill.file, environment),
  };
}

/** The folder's name, with the folders above it where another skill of that name and that folder's name comes first. */
function installNameOf(skill: Skill): string {
  const [folder, called] = [basename(skill.dir), calledName(skill)];
  const isToldApart = skill.looksLike === null && called !== skill.name && called.endsWith(`-${folder}`);
  return isToldApart ? called : folder;
}

/** The name that its author gave it, unless that can be taken for another skill's. */
function shownName(skill: Skill): string {
  return skill.looksLike === null ? skill.name : calledName(skill);
}

/** A path as seen from the working directory where it lies below it. */
export function seenFrom(path: string, { cwd }: Environment): string {
  return isInside(cwd, path) ? relative(cwd, path) : path;
}
