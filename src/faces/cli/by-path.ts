import { isThere, realPathOrSelf } from '../../core/disk/files.ts';
import { expandPath } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';
import type { Engine } from '../../engine/engine.ts';
import { distinctName } from '../../registry/resolve.ts';
import type { PathGiven } from './main.ts';

/** Checks that the folder which was typed in the place of a name is there, before it is searched for skills. */
export function requireFolder({ path }: PathGiven, environment: Environment): void {
  if (!isThere(expandPath(path, environment))) throw noSkillIn(path);
}

/** The name of the skill in a folder that was typed in the place of a name, and whatever stood behind it. */
export async function nameAt({ environment, registry }: Engine, { path, rest }: PathGiven): Promise<string> {
  const folder = realPathOrSelf(expandPath(path, environment));
  const snapshot = await registry.snapshot();
  const skill = snapshot.skills.find(({ id }) => id === folder);
  if (skill !== undefined) return distinctName(snapshot, skill) + rest;
  const problem = snapshot.diagnostics.find(({ file, severity }) => severity === 'error' && file.startsWith(folder));
  if (problem === undefined) throw noSkillIn(path);
  throw new SkillError('not-found', `${problem.file}: ${problem.message}`, { hint: problem.remedy });
}

function noSkillIn(path: string): SkillError {
  return new SkillError('not-found', `there is no skill in ${path}`, {
    hint: 'Name the folder that holds the SKILL.md, or the skill itself.',
  });
}
