import { SkillError } from '../../kernel/errors.ts';
import { oneLine } from '../../kernel/text.ts';
import { checkArguments } from './arguments.ts';
import { definitions, inText, type ToolId } from './definitions.ts';
import { callExecute } from './execute.ts';
import { callListSkills } from './list-skills.ts';
import { listedName, toolNamed } from './names.ts';
import { noted } from './noted.ts';
import { callSearchSkills } from './search-skills.ts';
import { callSkill, withName } from './skill.ts';
import { callSkillsList } from './skills-list.ts';
import { callSkillsSearch } from './skills-search.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

const tools: { readonly [T in ToolId]: Tool } = {
  skill: callSkill,
  'skills.list': callSkillsList,
  'skills.search': callSkillsSearch,
  'skill-engine/list_skills': callListSkills,
  'skill-engine/search_skills': callSearchSkills,
  'skill-engine/execute': callExecute,
};

/** Calls one of the listed tools by any spelling of its name. */
export async function callTool(
  context: ToolContext,
  listed: readonly ToolId[],
  name: string,
  given: unknown,
): Promise<ToolResult> {
  const id = toolNamed(name);
  const { structured, toolNames } = context.engine.configuration.values;
  if (id === undefined || !listed.includes(id)) {
    throw new SkillError('usage', `Unknown tool: ${oneLine(name).slice(0, 100)}`, {
      hint: `This server lists ${listed.map((one) => listedName(one, toolNames)).join(', ')}.`,
    });
  }
  const { inputSchema } = definitions[id];
  const values = id === 'skill' ? named(withName(given ?? {})) : (given ?? {});
  const input = checkArguments(inputSchema, values);
  const result = await noted(context, id, input, () => tools[id](context, input, listed));
  if (structured || !inText.includes(id)) return result;
  const { structuredContent: _, ...rest } = result;
  return rest;
}

/** The one wording that is laid down for an empty name. */
function named(given: unknown): unknown {
  if (typeof given === 'object' && given !== null && 'name' in given && given.name === '') {
    throw new SkillError('usage', 'Skill name cannot be empty');
  }
  return given;
}
