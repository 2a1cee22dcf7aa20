import { SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { requireSkill } from '../../registry/resolve.ts';
import type { RuntimeName } from '../../run/policy/types.ts';
import { runtimeOfWork } from '../../run/tools/manifest/tool-work.ts';
import { propertiesOf } from '../../run/tools/parameters/schema-parts.ts';
import type { Instance, SkillTool, Toolbox } from '../../run/tools/types.ts';
import type { Skill } from '../../skill/types.ts';
import { audienceOf, type Engine, type Request } from '../engine.ts';
import { isOfOthers, toolboxFor } from '../toolbox.ts';
import type { ToolCall } from './types.ts';

/** The tool that a call means. */
export interface Target {
  readonly skill: Skill;
  readonly toolbox: Toolbox;
  readonly tool: SkillTool;
  /** Instance; null if none is named and the skill has no default. */
  readonly instance: Instance | null;
}

/** The runtime of a tool: a skill may have tools of more than one kind. */
export function runtimeOf({ tool }: Pick<Target, 'tool'>): RuntimeName {
  return runtimeOfWork(tool.work);
}

/** Finds a skill and its tools. */
export async function toolboxNamed(
  engine: Engine,
  name: string,
  request: Request,
): Promise<{ skill: Skill; toolbox: Toolbox }> {
  const skill = requireSkill(await engine.registry.snapshot(), name, audienceOf(request));
  if (isOfOthers(engine.environment, skill)) throw (await import('../remotes/provenance.ts')).notRunHere(skill);
  return { skill, toolbox: await toolboxFor(engine.environment, skill) };
}

export async function targetOf(
  engine: Engine,
  { skill: name, tool: wanted, instance }: Pick<ToolCall, 'skill' | 'tool' | 'instance'>,
  request: Request,
): Promise<Target> {
  const { skill, toolbox } = await toolboxNamed(engine, name, request);
  return targetIn(skill, toolbox, wanted, instance);
}

/** Resolves a call by the files of a copy of its skill, and not by those that may have taken their place since. */
export async function targetInCopy(
  { environment }: Engine,
  { skill }: Target,
  copy: string,
  { tool, instance }: Pick<ToolCall, 'tool' | 'instance'>,
): Promise<Target> {
  return targetIn(skill, await toolboxFor(environment, { ...skill, copy }), tool, instance);
}

function targetIn(skill: Skill, toolbox: Toolbox, wanted: string, instance: string | null): Target {
  const tool = toolbox.tools.find((one) => one.name === wanted) ?? looselyNamed(toolbox, wanted);
  if (tool === undefined) throw noSuchTool(skill, toolbox, wanted);
  return { skill, toolbox, tool, instance: instanceOf(skill, toolbox, tool, instance) };
}

/**
 * Finds a tool by a loose name: clients change letter case and the sign between words, and a tool that only one name
 * can mean is found all the same.
 */
function looselyNamed({ tools }: Toolbox, wanted: string): SkillTool | undefined {
  const loose = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  const found = tools.filter(({ name }) => loose(name) === loose(wanted));
  return found.length === 1 ? found[0] : undefined;
}

/** The first error in how a skill's tools are declared; null if there is none. */
export function brokenTools({ fullName }: Skill, { problems }: Toolbox): SkillError | null {
  const problem = problems.find(({ severity }) => severity === 'error');
  if (problem === undefined) return null;
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
  return new SkillError('unreadable', `the tools of '${fullName}' cannot be read: ${place}: ${problem.message}`, {
    hint: problem.remedy,
  });
}

/** The hint for a skill that has nothing to run. */
export const loadInstead = 'Load it and follow its text instead.';

function noSuchTool(skill: Skill, toolbox: Toolbox, wanted: string): SkillError {
  const broken = brokenTools(skill, toolbox);
  if (broken !== null) return broken;
  const { fullName } = skill;
  const { tools } = toolbox;
  const name = oneLine(wanted).slice(0, 100);
  if (tools.length === 0) {
    const problem = toolbox.problems.find(({ code }) => code === 'tool-empty') ?? toolbox.problems[0];
    const why = problem === undefined ? '' : `: ${problem.file}: ${problem.message}`;
    return new SkillError(
      'not-found',
      `Skill '${fullName}' has no tools${name === '' ? '' : `, and so no '${name}'`}${why}`,
      { hint: problem?.remedy ?? loadInstead },
    );
  }
  return new SkillError('not-found', `Skill '${fullName}' has no tool '${name}'`, {
    suggestions: tools.map((tool) => tool.name),
    hint: `It has ${tools.map((tool) => tool.name).join(', ')}.`,
  });
}

function instanceOf(
  { fullName }: Skill,
  { instances }: Toolbox,
  { parameters }: SkillTool,
  wanted: string | null,
): Instance | null {
  const found = Object.hasOwn(instances, wanted ?? 'default') ? instances[wanted ?? 'default'] : undefined;
  if (found !== undefined) return found;
  if (wanted === null || wanted === 'default') return null;
  const names = Object.keys(instances);
  const own = Object.hasOwn(propertiesOf(parameters), 'instance')
    ? ' The parameter of that name is given as instance=VALUE.'
    : '';
  throw new SkillError('not-found', `Skill '${fullName}' has no instance '${oneLine(wanted).slice(0, 100)}'`, {
    suggestions: names,
    hint: (names.length === 0 ? 'It has no instances; leave `instance` out.' : `It has ${names.join(', ')}.`) + own,
  });
}
