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

/** A tool of ours under the name that it has in an earlier server. */
interface OtherName {
  readonly id: ToolId;
  /** Tools of which one must be listed for the name to be accepted; the tool itself by default. */
  readonly where?: readonly ToolId[];
}

/** Names that earlier servers list, in the portable spelling. */
const names: ReadonlyMap<string, OtherName> = new Map([
  ['execute', { id: 'skill-engine/execute' }],
  ['list_skills', { id: 'skill-engine/list_skills' }],
  ['search_skills', { id: 'skill-engine/search_skills' }],
  // The right to list skills with their text includes showing one.
  ['skills_show', { id: 'skill', where: ['skill', 'skills.list'] }],
]);

/** Arguments that earlier servers and some agents spell in another way. */
const spellings: { readonly [T in ToolId]?: Readonly<Record<string, string>> } = {
  skill: { command: 'name', skillName: 'name' },
  'skill-engine/execute': { skill: 'skill_name', tool: 'tool_name', args: 'parameters' },
};

/** The tool that an earlier server lists under this name, if one is listed here that may take its place. */
export function otherTool(portable: string, listed: readonly ToolId[]): ToolId | undefined {
  const other = names.get(portable);
  return other !== undefined && (other.where ?? [other.id]).some((id) => listed.includes(id)) ? other.id : undefined;
}

/** The arguments as they are called here. Those that are given under our own name as well are left, to be refused. */
export function ownArguments(id: ToolId, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.entries(spellings[id] ?? {}).reduce<object>((args, [other, own]) => {
    if (!Object.hasOwn(args, other) || Object.hasOwn(args, own)) return args;
    return Object.fromEntries(Object.entries(args).map(([key, value]) => [key === other ? own : key, value]));
  }, given);
}
