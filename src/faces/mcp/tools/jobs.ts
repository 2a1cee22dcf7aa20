import { SkillError } from '../../../core/errors.ts';
import { type JobAction, jobActions, jobs as operation } from '../../../engine/operations/running/jobs.ts';
import type { Job } from '../../../engine/running/admission/jobs.ts';
import type { Execution } from '../../../engine/running/types.ts';
import { shape } from '../../../run/output/shape.ts';
import { dataOf, textsOf } from './execution-result.ts';
import { type Arguments, answer, defineTool, shapingIn, type ToolResult } from './tool.ts';

/** The name by which jobs are queried; no skill can have it. */
export const jobsName = '@jobs';

/** The answer to a model when a run takes longer than clients wait. */
export function detached(execution: Execution): ToolResult {
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
export const jobs = defineTool({
  operation,
  input(given, { engine }) {
    const { tool_name: wanted, parameters } = given as Given;
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
    return { action, id: idIn(parameters), offset: offsetIn(parameters) };
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

interface Given extends Arguments {
  readonly tool_name: string;
  readonly parameters: Arguments;
}

function idIn({ job }: Arguments): string | undefined {
  if (job === undefined || typeof job === 'string') return job;
  throw new SkillError('usage', '`job` must be a string');
}

function offsetIn({ offset = 0 }: Arguments): number {
  if (typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new SkillError('usage', '`offset` must be a whole number from 0');
}

function jobLine({ id, skill, tool, state, result }: Job): string {
  return `${id} ${skill}:${tool} ${result?.reason ?? state}`;
}

/** The facts of a job without the result, which may be large: the status of the one job has it. */
function jobData({ id, skill, tool, state, startedAt, result }: Job): object {
  return { id, skill, tool, state, started_at: startedAt, ...(result !== null && { exit_reason: result.reason }) };
}
