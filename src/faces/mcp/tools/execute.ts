import { SkillError } from '../../../core/errors.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import { execute as operation } from '../../../engine/operations/running/execute.ts';
import { keepJob } from '../../../engine/running/admission/jobs.ts';
import { ownTool } from '../catalogue/words.ts';
import { executionFailed } from '../protocol/errors.ts';
import type { Surface } from '../surface.ts';
import { resultFor } from './execution-result.ts';
import { detached, jobs, jobsName } from './jobs.ts';
import { listedName } from './names.ts';
import { type Arguments, defineTool, shapingIn, type Tool } from './tool.ts';

interface Given extends Arguments {
  readonly skill_name: string;
  readonly tool_name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly instance?: string;
}

/** Runs a tool of a skill; or queries a run that was too long to wait for. */
export function execute(given: Arguments): Tool {
  return given['skill_name'] === jobsName ? jobs : run;
}

const run = defineTool({
  operation,
  spelling: { skill: 'skill_name', tool: 'tool_name' },
  input(given) {
    const { skill_name: skill, tool_name: tool, parameters, instance } = given as Given;
    return { skill, tool, parameters, instance, shaping: shapingIn(given) };
  },
  async answer(execution, _given, { engine, caller }) {
    const { detachAfter, errors } = engine.configuration.values;
    const isDone = await settlesWithin(detachAfter, execution.result);
    // A caller has to wait where its job cannot be kept.
    if (!isDone && (await keepJob(engine.environment, execution, caller.who.subject))) return detached(execution);
    return resultFor(await execution.result, errors);
  },
  async failure(error, _given, { engine, surface }) {
    const told = await withOwnTool(error, surface);
    throw engine.configuration.values.errors === 'protocol' ? executionFailed(told) : told;
  },
});

/** The error for a skill without tools, with the tool of ours that loads it: an agent may have one of its own. */
async function withOwnTool(error: SkillError, { name: server, tools, naming }: Surface): Promise<SkillError> {
  const { loadInstead } = await import('../../../engine/running/target.ts'); // loaded by the call that failed
  if (error.hint !== loadInstead || !tools.includes('skill')) return error;
  const hint = `Load it with ${ownTool(listedName('skill', naming), server)}, and follow its text instead.`;
  return new SkillError(error.code, error.message, { hint });
}
