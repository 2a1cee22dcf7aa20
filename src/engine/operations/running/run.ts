import { SkillError } from '../../../core/errors.ts';
import { isObject } from '../../../core/formats/documents.ts';
import { flag, type Infer, list, optional, text, union } from '../../../core/schema/schema.ts';
import { coerceParameters } from '../../../run/tools/parameters/parameters.ts';
import type { SkillTool } from '../../../run/tools/types.ts';
import { type Engine, type Request, spelled } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { dryRun } from '../../running/dry-run.ts';
import { execute, recordingAbsence } from '../../running/execute.ts';
import { goesUnsafe } from '../../running/prepare.ts';
import { shapingFields, shapingOf } from '../../running/shaping.ts';
import { targetOf, toolboxNamed } from '../../running/target.ts';
import { type DryRun, dryRunSchema, executionResultSchema, type ToolCall } from '../../running/types.ts';
import { noSandbox } from '../../running/wrong-settings.ts';

const output = union(executionResultSchema, dryRunSchema);
export type RunOutput = Infer<typeof output>;

export function isDryRun(told: RunOutput): told is DryRun {
  return 'argv' in told;
}

export const run = defineOperation({
  name: 'run',
  right: 'run',
  effect: 'executes',
  input: {
    target: text('The tool to run; the skill alone if it has only one tool.'),
    args: list(text(), 'Arguments for a script; NAME=VALUE for other tools.', { default: [] }),
    param: list(text(), 'A parameter of the tool; repeatable.', { default: [] }),
    params: optional(text('All parameters at once, as a JSON object.')),
    stdin: optional(text('What the tool reads as standard input.')),
    instance: optional(text("One of the skill's instances.")),
    dryRun: flag('Run nothing: print what would be run and what it could access.', { default: false }),
    ...shapingFields,
  },
  skillIn: ({ target }) => split(target).skill,
  output,
  async run(engine, input, request): Promise<RunOutput> {
    const paramName = spelled(request, 'param');
    const pairs = input.param.map((text) => pairIn(text, paramName));
    const whole = jsonObject(input.params, spelled(request, 'params'));
    const find = async () => {
      const { args, ...target } = await targetNamed(engine, input.target, input.args, request);
      return { args, target, found: await targetOf(engine, { ...target, instance: null }, request) };
    };
    const { skill, tool } = split(input.target);
    const asked = { skill, tool: tool || toolIn(input.args), parameters: { ...whole, ...Object.fromEntries(pairs) } };
    const { args, target, found } = await (input.dryRun ? find() : recordingAbsence(engine, asked, request, find));
    const call: ToolCall = {
      ...target,
      parameters: { ...whole, ...parametersFrom(found.tool, { args, stdin: input.stdin }, pairs) },
      instance: input.instance ?? null,
      shaping: shapingOf(input),
    };
    if (goesUnsafe(engine, request, found)) request.warn?.(noSandbox);
    if (input.dryRun) return dryRun(engine, call, request);
    return (await execute(engine, call, request)).result;
  },
});

/** Splits a target into skill and tool as they are written, whatever they mean. */
function split(text: string): { skill: string; tool: string } {
  const colon = text.lastIndexOf(':');
  return colon > 0 ? { skill: text.slice(0, colon), tool: text.slice(colon + 1) } : { skill: text, tool: '' };
}

/** The tool that the first argument names, whether it is there or not; empty where that is an option or a parameter. */
function toolIn([first = '']: readonly string[]): string {
  return /^-|=/.test(first) ? '' : first;
}

interface Named {
  readonly skill: string;
  readonly tool: string;
  /** Arguments that are left. */
  readonly args: readonly string[];
}

/**
 * Resolves a target, `plugin:skill:tool` too: the last colon divides, unless the whole names a skill. Its tool may be a
 * separate argument.
 */
async function targetNamed(engine: Engine, text: string, args: readonly string[], request: Request): Promise<Named> {
  const parts = split(text);
  if (parts.tool === '') return toolOf(engine, text, args, request);
  try {
    await toolboxNamed(engine, parts.skill, request);
    return { ...parts, args };
  } catch (error) {
    if (!(error instanceof SkillError) || error.code !== 'not-found') throw error;
    // A skill of that name whose tools are refused is what was meant.
    return toolOf(engine, text, args, request).catch((other: unknown) =>
      Promise.reject(other instanceof SkillError && other.code === 'denied' ? other : error),
    );
  }
}

/** The tool that the first argument names, or the only one. */
async function toolOf(engine: Engine, name: string, args: readonly string[], request: Request): Promise<Named> {
  const { skill, toolbox } = await toolboxNamed(engine, name, request);
  const [first, ...others] = toolbox.tools;
  const named = toolbox.tools.find((tool) => tool.name === args[0]);
  if (named !== undefined) return { skill: name, tool: named.name, args: args.slice(1) };
  if (first !== undefined && others.length === 0) return { skill: name, tool: first.name, args };
  const absent = toolIn(args);
  // The error is raised when the tool is looked up, which also records that it was asked for.
  if (first === undefined || absent !== '') return { skill: name, tool: absent, args: args.slice(1) };
  throw new SkillError('usage', `choose one of the tools of '${skill.fullName}'`, {
    hint: `For example: repertoire run ${name}:${first.name}`,
    suggestions: toolbox.tools.map((tool) => `${name}:${tool.name}`),
  });
}

interface ParameterInput {
  readonly args: readonly string[];
  readonly stdin: string | undefined;
}

type Pair = readonly [name: string, value: string];

function pairIn(text: string, name = 'argument'): Pair {
  const equals = text.indexOf('=');
  if (equals < 1) throw new SkillError('usage', `${name} ${text}: write it as NAME=VALUE`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

/** Tells whether a tool takes arguments as they are, as scripts do. */
function takesArgs({ parameters }: SkillTool): boolean {
  return isObject(parameters['properties']) && Object.hasOwn(parameters['properties'], 'args');
}

/** Tells whether arguments name parameters of a tool that its author gave one called `args`, as `args=…` does. */
function isNamed({ parameters, work }: SkillTool, args: readonly string[]): boolean {
  const { properties } = parameters;
  if (work.kind !== 'command' || args.length === 0 || !isObject(properties)) return false;
  return args.every((text) => Object.hasOwn(properties, text.slice(0, text.indexOf('='))));
}

/** Builds the parameters. Arguments like `NAME=VALUE` are parameters of a tool that has no other use for them. */
function parametersFrom(tool: SkillTool, input: ParameterInput, given: readonly Pair[]): Record<string, unknown> {
  const { stdin } = input;
  const isPairs =
    (!takesArgs(tool) || isNamed(tool, input.args)) && input.args.every((text) => /^[^=-][^=]*=/.test(text));
  const [args, pairs] = isPairs ? [[], [...given, ...input.args.map((text) => pairIn(text))]] : [input.args, given];
  return {
    ...coerceParameters(tool.parameters, pairs),
    ...(args.length > 0 && { args }),
    ...(stdin !== undefined && { [stdinParameter(tool)]: stdin }),
  };
}

function jsonObject(text: string | undefined, name: string): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new SkillError('usage', `${name} is not JSON: ${(error as Error).message}`);
  }
  throw new SkillError('usage', `${name} must be a JSON object`, {
    hint: `For example: {"resource":"pods"}`,
  });
}

function stdinParameter({ name, stdin }: SkillTool): string {
  if (stdin !== null) return stdin;
  throw new SkillError('usage', `the tool '${name}' does not read standard input`, { hint: 'Run it without.' });
}
