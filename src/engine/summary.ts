import { basename, relative } from 'node:path';
import { isInside } from '../core/disk/paths.ts';
import type { Environment } from '../core/environment.ts';
import { type Infer, object, text } from '../core/schema/schema.ts';
import { showHidden } from '../core/text/hidden.ts';
import { calledName } from '../skill/name.ts';
import type { Skill } from '../skill/types.ts';

/** A skill as the catalogue of one checkout lists it. */
export const summarySchema = object({
  installName: text("The name of the skill's folder."),
  meta: object({ name: text(), description: text() }),
  // Path relative to the working directory if the skill lies below it.
  skillPath: text(),
  skillFile: text(),
});
export type SkillSummary = Infer<typeof summarySchema>;

/** Sums up a skill, with paths relative to the working directory. */
export function summaryOf(skill: Skill, environment: Environment): SkillSummary {
  return {
    installName: installNameOf(skill),
    meta: { name: shownName(skill), description: showHidden(skill.description).text },
    skillPath: seenFrom(skill.dir, environment),
    skillFile: seenFrom(skill.file, environment),
  };
}

/** The folder's name, with the folders above it where another skill of the same name and folder name comes first. */
function installNameOf(skill: Skill): string {
  const [folder, called] = [basename(skill.dir), calledName(skill)];
  const isToldApart = skill.looksLike === null && called !== skill.name && called.endsWith(`-${folder}`);
  return isToldApart ? called : folder;
}

/** The name that the author gave it, unless that can be mistaken for another skill's. */
function shownName(skill: Skill): string {
  return skill.looksLike === null ? skill.name : calledName(skill);
}

/** A path, relative to the working directory if it lies below it. */
export function seenFrom(path: string, { cwd }: Environment): string {
  return isInside(cwd, path) ? relative(cwd, path) : path;
}
