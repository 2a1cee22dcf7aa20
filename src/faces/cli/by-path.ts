import { realPathOrSelf } from '../../core/disk/files.ts';
import { expandPath } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import type { Engine } from '../../engine/engine.ts';
import { distinctName } from '../../registry/resolve.ts';
import type { PathGiven } from './main.ts';

/** The name of the skill in a folder that was typed in the place of a name, and whatever stood behind it. */
export async function nameAt({ environment, registry }: Engine, { path, rest }: PathGiven): Promise<string> {
  const folder = realPathOrSelf(expandPath(path, environment));
  const snapshot = await registry.snapshot();
  const skill = snapshot.skills.find(({ id }) => id === folder);
  if (skill !== undefined) return distinctName(snapshot, skill) + rest;
  const problem = snapshot.diagnostics.find(({ file, severity }) => severity === 'error' && file.startsWith(folder));
  const message = problem === undefined ? `there is no skill in ${path}` : `${problem.file}: ${problem.message}`;
  throw new SkillError('not-found', message, {
    hint: problem?.remedy ?? 'Name the folder that holds the SKILL.md, or the skill itself.',
  });
}
