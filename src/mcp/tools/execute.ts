import type { Request } from '../../engine/engine.ts';
import { questionOf } from '../../engine/operations/grant.ts';
import { execute } from '../../engine/running/execute.ts';
import { aboutOf, isSameRequest, keepGrant, missingGrant } from '../../engine/running/granting.ts';
import { keepJob } from '../../engine/running/jobs.ts';
import { shapingOf } from '../../engine/running/shaping.ts';
import type { ToolCall } from '../../engine/running/types.ts';
import { SkillError } from '../../kernel/errors.ts';
import { settlesWithin } from '../../kernel/settles-within.ts';
import type { OutputFormat, Shaping } from '../../output/types.ts';
import { executionFailed } from '../errors.ts';
import { resultFor } from './execution-result.ts';
import { callJobs, detached, jobsName } from './jobs.ts';
import { createTeller } from './progress.ts';
import type { ToolContext, ToolResult } from './tool.ts';

interface Input {
  readonly skill_name: string;
  readonly tool_name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly instance?: string;
  readonly grep?: string;
  readonly head?: number;
  readonly tail?: number;
  readonly jq?: string;
  readonly format?: OutputFormat;
  readonly max_output?: number;
}

/** Runs a tool of a skill; or asks about a run that was too long to wait for. */
export async function callExecute(context: ToolContext, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const input = given as unknown as Input;
  if (input.skill_name === jobsName) {
    return callJobs(context.engine, input.tool_name, input.parameters, shapingIn(input));
  }
  const { engine, check, caller } = context;
  await check(input.skill_name);
  const call = callFrom(input);
  const question = await questionBefore(context, call);
  if (question !== null) return question;
  const teller = caller.progress === undefined ? undefined : createTeller(caller.progress);
  const { detachAfter, errors } = engine.configuration.values;
  const request: Request = {
    ...{ origin: 'mcp', client: caller.client, signal: caller.signal },
    onOutput: teller && ((_stream, bytes) => teller.heard(bytes)),
  };
  const execution = await execute(engine, call, request).catch((error: unknown) => {
    teller?.end();
    throw errors === 'protocol' && error instanceof SkillError ? executionFailed(error) : error;
  });
  const isDone = await settlesWithin(detachAfter, execution.result).finally(() => teller?.end());
  // Where a job cannot be kept, its caller has to wait.
  if (!isDone && keepJob(engine.environment, execution)) return detached(execution);
  return resultFor(await execution.result, errors);
}

function callFrom(input: Input): ToolCall {
  return {
    skill: input.skill_name,
    tool: input.tool_name,
    parameters: input.parameters,
    instance: input.instance ?? null,
    shaping: shapingIn(input),
  };
}

function shapingIn({ grep, head, tail, jq, format, max_output: maxOutput }: Input): Shaping {
  return shapingOf({ grep, head, tail, jq, format, maxOutput });
}

/** Where a grant is missing and somebody can be asked for it: the question. A yes is kept, and the call goes on. */
async function questionBefore(
  { engine, caller: { client, asking } }: ToolContext,
  call: ToolCall,
): Promise<ToolResult | null> {
  if (asking === undefined || engine.configuration.problems.length > 0) return null;
  const request: Request = { origin: 'mcp', client };
  const missing = await missingGrant(engine, call, request);
  if (missing === null) return null;
  const said = await asking.ask(aboutOf(missing), questionOf(missing));
  if (typeof said === 'object') return said;
  // People take their time, and whoever waits for them may use it.
  const isStillSo = said === 'yes' && isSameRequest(missing, await missingGrant(engine, call, request));
  if (isStillSo) await keepGrant(engine, missing, request);
  return null;
}
