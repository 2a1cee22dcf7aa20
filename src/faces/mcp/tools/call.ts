import { SkillError } from '../../../core/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { Request } from '../../../engine/engine.ts';
import { invoke } from '../../../engine/operation.ts';
import { checkArguments } from './arguments.ts';
import { definitions, inText } from './definitions.ts';
import { execute } from './execute.ts';
import { listSkills } from './list-skills.ts';
import { listedName, portableName, toolNamed } from './names.ts';
import { otherTool, ownArguments } from './other-names.ts';
import { createProgressReporter } from './progress.ts';
import { searchSkills } from './search-skills.ts';
import { skill } from './skill.ts';
import { skillsList } from './skills-list.ts';
import { skillsSearch } from './skills-search.ts';
import { type Answering, type Arguments, type Tool, type ToolResult, type Tools, Unanswered } from './tool.ts';

/** All tools by id. */
export const tools: Tools = {
  skill,
  'skills.list': skillsList,
  'skills.search': skillsSearch,
  'skill-engine/list_skills': listSkills,
  'skill-engine/search_skills': searchSkills,
  'skill-engine/execute': execute,
};

/** Calls one of the listed tools by any spelling of its name. */
export async function callTool(context: Answering, name: string, given: unknown): Promise<ToolResult> {
  const { tools: listed, naming, structured } = context.surface;
  const own = toolNamed(name);
  const id = own !== undefined && listed.includes(own) ? own : otherTool(portableName(name), listed);
  if (id === undefined) {
    throw new SkillError('usage', `Unknown tool: ${oneLine(name).slice(0, 100)}`, {
      hint: `This server lists ${listed.map((one) => listedName(one, naming)).join(', ')}.`,
    });
  }
  const spelled = ownArguments(id, given ?? {});
  const values = id === 'skill' ? named(spelled) : spelled;
  const input = checkArguments(definitions[id].input, values);
  const tool = tools[id];
  const result = await callWith(typeof tool === 'function' ? tool(input) : tool, input, context);
  if (structured || !inText.includes(id)) return result;
  const { structuredContent: _, ...rest } = result;
  return rest;
}

async function callWith(tool: Tool, given: Arguments, context: Answering): Promise<ToolResult> {
  const { operation, spelling = {} } = tool;
  const { client, who, requestId, trace, signal, progress, confirm } = context.caller;
  const reporter =
    progress !== undefined && operation.effect === 'executes' ? createProgressReporter(progress) : undefined;
  const request: Request = {
    ...{ origin: 'mcp', client, ...who, requestId, trace, signal, confirm, ...tool.request },
    spell: (field) => `\`${spelling[field] ?? field}\``,
    onOutput: reporter && ((_stream, bytes) => reporter.onOutput(bytes)),
  };
  try {
    const output = await invoke(context.engine, operation, tool.input(given, context), request);
    return await tool.answer(output, given, context);
  } catch (error) {
    if (error instanceof Unanswered) return error.result;
    if (!(error instanceof SkillError) || tool.failure === undefined) throw error;
    return await tool.failure(error, given, context);
  } finally {
    reporter?.end();
  }
}

/** Throws the one prescribed message for an empty name. */
function named(given: unknown): unknown {
  if (typeof given === 'object' && given !== null && 'name' in given && given.name === '') {
    throw new SkillError('usage', 'Skill name cannot be empty');
  }
  return given;
}
