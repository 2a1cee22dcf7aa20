import { SkillError } from '../../../core/errors.ts';
import { cut, oneLine } from '../../../core/text/text.ts';
import type { Request } from '../../../engine/engine.ts';
import { invoke } from '../../../engine/operation.ts';
import { decodeOutput } from '../../../run/output/decode.ts';
import { checkArguments } from './arguments.ts';
import { definitions, inText, listedName, portableName, type ToolId, toolNamed } from './definitions.ts';
import { execute } from './execute.ts';
import { listSkills, skillsList } from './list-skills.ts';
import { searchSkills, skillsSearch } from './search-skills.ts';
import { skill } from './skill.ts';
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
  const spelled = ownArguments(id, given ?? {}, own !== id);
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

/** Interval between progress notifications. */
const intervalMs = 200;
const longest = 200;

interface ProgressReporter {
  /** Takes output that a run has written. */
  onOutput(bytes: Uint8Array): void;
  end(): void;
}

/** Reports a run's last line of output to a client from time to time; and that it lives, when it writes nothing. */
function createProgressReporter(report: (message: string) => void): ProgressReporter {
  let line = '';
  let isNew = false;
  const started = Date.now();
  let reportedAt = started;
  const timer = setInterval(() => {
    const now = Date.now();
    if (isNew) report(line);
    else if (now - reportedAt >= 5_000) report(`running for ${Math.round((now - started) / 1000)} s`);
    else return;
    reportedAt = now;
    isNew = false;
  }, intervalMs);
  return {
    onOutput(bytes) {
      const lines = decodeOutput(bytes.subarray(-4 * longest))
        .trimEnd()
        .split('\n');
      line = cut(oneLine(lines.at(-1) ?? ''), longest);
      isNew = line !== '';
    },
    end: () => clearInterval(timer),
  };
}

/** A tool of ours under the name that it has in an earlier server. */
interface OtherName {
  readonly id: ToolId;
  /** Tools of which one must be listed for the name to be accepted; the tool itself by default. */
  readonly where?: readonly ToolId[];
}

/** Names that earlier servers list, in the portable spelling. */
const otherNames: ReadonlyMap<string, OtherName> = new Map([
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
  const other = otherNames.get(portable);
  return other !== undefined && (other.where ?? [other.id]).some((id) => listed.includes(id)) ? other.id : undefined;
}

/** Arguments that earlier servers do without, though ours are listed as required. */
const defaults: { readonly [T in ToolId]?: Arguments } = { 'skill-engine/execute': { parameters: {} } };

/**
 * The arguments as they are called here. Those that are given under our own name as well are left, to be refused. A call
 * made for an earlier server, by its tool's name or by its arguments', may leave out what that one did not require.
 */
function ownArguments(id: ToolId, given: unknown, isOtherName: boolean): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const args = Object.entries(spellings[id] ?? {}).reduce<object>((args, [other, own]) => {
    if (!Object.hasOwn(args, other) || Object.hasOwn(args, own)) return args;
    return Object.fromEntries(Object.entries(args).map(([key, value]) => [key === other ? own : key, value]));
  }, given);
  return isOtherName || args !== given ? { ...defaults[id], ...args } : args;
}
