import type { Environment } from '../../core/environment.ts';
import type { SkillTool } from '../../run/tools/types.ts';
import type { SkillSource } from './source.ts';

/** The tools that a skill brings, whichever project it is used in: projects share an index. */
export async function ownToolsOf(skill: SkillSource, environment: Environment): Promise<readonly SkillTool[]> {
  const { toolboxOf } = await import('../../run/tools/toolbox.ts');
  const { tools } = await toolboxOf(skill, withoutProject(environment));
  return tools;
}

/** The environment without its project, and as plain data, so that it can be handed to another thread. */
export function withoutProject(environment: Environment): Environment {
  return { ...environment, env: { ...environment.env }, cwd: '/' };
}

/** The searched text of a skill's tools: each by its name and what it does. */
export function toolTextOf(tools: readonly Pick<SkillTool, 'name' | 'description'>[]): string {
  return tools.map(({ name, description }) => `${name}\n${description}`).join('\n');
}
