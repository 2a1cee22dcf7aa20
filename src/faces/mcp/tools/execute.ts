import { succeeds } from '../../../core/attempt.ts';
import { SkillError } from '../../../core/errors.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import { execute as operation } from '../../../engine/operations/running/execute.ts';
import { type JobAction, jobActions, jobs as jobsOperation } from '../../../engine/operations/running/jobs.ts';
import { type Job, keepJob } from '../../../engine/running/admission/jobs.ts';
import type { Execution, ExecutionResult } from '../../../engine/running/types.ts';
import { shape } from '../../../run/output/shape.ts';
import { ownTool } from '../catalogue/words.ts';
import { ExecutionFailed, executionFailed } from '../protocol/errors.ts';
import type { Surface } from '../surface.ts';
import { listedName } from './definitions.ts';
import { type Arguments, answer, defineTool, shapingIn, type Tool, type ToolResult } from './tool.ts';

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

/** Exit reasons that are mistakes in the call itself. */
const asked: ReadonlySet<string> = new Set(['invalid_parameters', 'not_found']);

/** The result of an execution: the output for a model, and the data for programs. */
function resultFor(result: ExecutionResult, errors: 'result' | 'protocol'): ToolResult {
  const isFailed = result.reason !== 'exited' || result.exitCode !== 0;
  if (isFailed && errors === 'protocol')
    throw new ExecutionFailed(asked.has(result.reason) ? 'invalidParams' : 'internalError', [
      'Tool execution failed',
      ...remarks(result),
      result.stderr,
    ]);
  return {
    content: textsOf(result).map((text) => ({ type: 'text', text })),
    structuredContent: dataOf(result),
    ...(isFailed && { isError: true as const }),
  };
}

/** The output first, and then remarks about it. Never empty: some clients take no content for a failure. */
function textsOf(result: ExecutionResult): readonly string[] {
  const texts = [asText(result.stdout), result.stderr === '' ? '' : `[stderr]\n${result.stderr}`, ...remarks(result)];
  const said = texts.filter((text) => text !== '');
  return said.length === 0 ? [''] : said;
}

/**
 * The output as text; JSON that is not an object gets a line of words before it: Gemini CLI takes a first text that is
 * JSON for data, and then refuses all but objects.
 */
function asText(output: string): string {
  return isBareJson(output) ? `Output:\n${output}` : output;
}

/**
 * Whether the output is JSON but no object; a text that would take long to parse is judged by its first and last
 * character.
 */
function isBareJson(output: string): boolean {
  if (!/^\s*["[\d\-tfn]/.test(output)) return false;
  if (output.length > 250_000) return ['[]', '""'].includes(`${output.trimStart()[0]}${output.trimEnd().at(-1)}`);
  return succeeds(() => JSON.parse(output));
}

function remarks({ reason, exitCode, message, hint, notes, denials }: ExecutionResult): string[] {
  const end =
    reason !== 'exited'
      ? [`${reason}: ${message ?? ''}${hint === null ? '' : `\n\n${hint}`}`]
      : exitCode === 0
        ? []
        : [`The tool ended with exit code ${exitCode}.`];
  return [...notes, ...denials.map(({ what, detail }) => `Denied: ${what}: ${detail}`), ...end];
}

/** The data of an execution, for programs. */
function dataOf(result: ExecutionResult): Record<string, unknown> {
  return {
    id: result.id,
    skill: result.skill,
    tool: result.tool,
    runtime: result.runtime,
    exit_reason: result.reason,
    ...(result.exitCode !== null && { exit_code: result.exitCode }),
    ...(result.value === undefined ? { stdout: result.stdout } : { value: result.value }),
    stderr: result.stderr,
    ...(result.message !== null && { message: result.message }),
    ...(result.hint !== null && { hint: result.hint }),
    ...(result.notes.length > 0 && { notes: result.notes }),
    duration_ms: Math.round(result.durationMs),
    ...(result.limits !== null && { limits: result.limits }),
    enforcement: Object.fromEntries(result.enforcement.map(({ what, by }) => [what, by])),
    denials: result.denials.map(({ what, detail }) => `${what}: ${detail}`),
    digest: result.digest,
  };
}

/** The name by which jobs are queried; no skill can have it. */
export const jobsName = '@jobs';

/** The answer to a model when a run takes longer than clients wait. */
function detached(execution: Execution): ToolResult {
  const { id, skill, tool } = execution;
  execution.release();
  const ask = (tool_name: JobAction): object => ({ skill_name: jobsName, tool_name, parameters: { job: id } });
  const text = [
    `${skill}:${tool} is still running, as job ${id}.`,
    `To check on it, call this tool again with ${JSON.stringify(ask('status'))};`,
    `"output" instead of "status" returns what it has written so far, and "cancel" stops it.`,
  ].join('\n');
  return answer(text, { id, skill, tool, job: { id, state: 'running', ask: ask('status') } });
}

/** Queries runs that were too long to wait for. */
const jobs = defineTool({
  operation: jobsOperation,
  spelling: { id: 'job' },
  input(given, { engine }) {
    const { tool_name: wanted, parameters } = given as JobQuery;
    const action = jobActions.find((one) => one === wanted);
    if (action === undefined) {
      throw new SkillError('not-found', `'${wanted}' is not an action on jobs.`, {
        hint: `Use one of ${jobActions.join(', ')}.`,
      });
    }
    if (action === 'list' && engine.configuration.values.transport !== 'stdio') {
      // Anyone may be behind a client, and anyone who knows the id of a job can read its output.
      throw new SkillError('denied', 'Jobs are not listed over HTTP.', { hint: 'Ask about a job by its id.' });
    }
    return { action, id: parameters.job, offset: parameters.offset };
  },
  async answer({ jobs: all, missing, output, nextOffset }, given) {
    const data = { jobs: all.map(jobData) };
    if (output !== undefined) {
      const { text, notes } = await shape(output, shapingIn(given));
      return answer(text, { ...data, stdout: text, notes, next_offset: nextOffset });
    }
    const lack = missing === undefined ? [] : [`Those of the cluster are missing: ${missing}`];
    const lines = [...(all.length === 0 ? ['No jobs.'] : all.map(jobLine)), ...lack];
    const result = given['tool_name'] === 'status' ? (all[0]?.result ?? null) : null;
    if (result === null) return answer(lines.join('\n'), data);
    return answer([...lines, ...textsOf(result)].join('\n'), { ...dataOf(result), ...data });
  },
});

interface JobQuery extends Arguments {
  readonly tool_name: string;
  /** Parameters as they were given: the operation reads them. */
  readonly parameters: { readonly job?: string; readonly offset?: number };
}

function jobLine({ id, skill, tool, state, result }: Job): string {
  return `${id} ${skill}:${tool} ${result?.reason ?? state}`;
}

/** The facts of a job without the result, which may be large: the status of the one job has it. */
function jobData({ id, skill, tool, state, startedAt, result }: Job): object {
  return { id, skill, tool, state, started_at: startedAt, ...(result !== null && { exit_reason: result.reason }) };
}
