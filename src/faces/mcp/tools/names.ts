import { SkillError } from '../../../core/errors.ts';
import { type ToolId, toolIds } from './definitions.ts';

export type ToolNaming = 'documented' | 'portable';

/**
 * Reduces a name to letters, digits and underscores: every client accepts these, and clients that rewrite names do so
 * too.
 */
export function portableName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}

/** The name under which a tool is listed. */
export function listedName(id: ToolId, naming: ToolNaming): string {
  return naming === 'portable' ? portableName(id) : id;
}

/** The tool that a name means, however it is spelled: `skills.list`, `skills/list` and `skills_list` are one. */
export function toolNamed(name: string): ToolId | undefined {
  const portable = portableName(name);
  return toolIds.find((id) => portableName(id) === portable);
}

/** The tools that configured names mean, each once, in the order given. `where` says who gave them. */
export function toolsNamed(names: readonly string[], where: string): readonly ToolId[] {
  const ids = names.map((name) => {
    const id = toolNamed(name);
    if (id !== undefined) return id;
    const hint = `Known tools: ${toolIds.join(', ')}.`;
    throw new SkillError('usage', `${where}: there is no tool '${name}'`, { hint });
  });
  return [...new Set(ids)];
}
