import { SkillError } from '../../../core/errors.ts';
import { type ToolId, toolIds } from './definitions.ts';

export type ToolNaming = 'documented' | 'portable';

/** Letters, digits and underscores: what every client takes, and what those that rewrite names make of ours. */
export function portableName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}

/** How a tool is listed. */
export function listedName(id: ToolId, naming: ToolNaming): string {
  return naming === 'portable' ? portableName(id) : id;
}

/** The tool that a name means, however it is spelled: `skills.list`, `skills/list` and `skills_list` are one. */
export function toolNamed(name: string): ToolId | undefined {
  const portable = portableName(name);
  return toolIds.find((id) => portableName(id) === portable);
}

/** The tools that names from outside mean, each once, in the order given. `where` says who gave them. */
export function toolsNamed(names: readonly string[], where: string): readonly ToolId[] {
  const ids = names.map((name) => {
    const id = toolNamed(name);
    if (id !== undefined) return id;
    const hint = `Known tools: ${toolIds.join(', ')}.`;
    throw new SkillError('usage', `${where}: there is no tool '${name}'`, { hint });
  });
  return [...new Set(ids)];
}
