import { join } from 'node:path';
import type { Environment } from '../../core/environment.ts';
import { readPolicy } from '../../run/policy/operator.ts';
import { itemsOf, needsGrant } from '../../run/policy/request.ts';
import { askedByAll, toolboxOf } from '../../run/tools/toolbox.ts';

/** The keys of what a skill asks for beyond the default, the same for every user who gets it. */
export async function asksOf(environment: Environment, folder: string, name: string): Promise<readonly string[]> {
  const skill = { id: folder, name, fullName: name, file: join(folder, 'SKILL.md') };
  // The manifest of the project that one happens to be in says nothing of the skill.
  const toolbox = await toolboxOf(skill, { ...environment, cwd: folder });
  const asked = needsGrant(await readPolicy(environment), askedByAll(toolbox));
  return itemsOf(asked).map(({ key }) => key.replace(`:${environment.home}/`, ':~/'));
}
