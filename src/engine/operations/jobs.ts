import { SkillError } from '../../kernel/errors.ts';
import { decodeOutput, wholeCharacters } from '../../output/decode.ts';
import type { Engine } from '../engine.ts';
import { defineOperation } from '../operation.ts';
import { cancelJob, type Job, listJobs, outputOf, requireJob } from '../running/jobs.ts';

export const jobActions = ['list', 'status', 'output', 'cancel'] as const;
export type JobAction = (typeof jobActions)[number];

export interface JobsOutput {
  readonly jobs: readonly Job[];
  /** What the job has written so far, where that was asked for. */
  readonly output?: string;
  /** Where its output goes on. */
  readonly nextOffset?: number;
}

export const jobs = defineOperation({
  fields: {
    action: {
      kind: 'choice',
      positional: true,
      value: 'ACTION',
      choices: jobActions,
      description: 'list, status ID, output ID or cancel ID.',
      default: 'list',
    },
    id: { kind: 'text', positional: true, value: 'ID', description: 'The job.' },
    offset: { kind: 'integer', min: 0, value: 'BYTES', default: 0, description: 'Where to continue in its output.' },
  },
  run: async (engine, { action, id, offset }) => askJobs(engine, action, id, offset),
});

/** The same for every door. */
export function askJobs(
  { environment }: Engine,
  action: JobAction,
  id: string | undefined,
  offset: number,
): JobsOutput {
  if (action === 'list') return { jobs: listJobs(environment) };
  if (id === undefined) throw new SkillError('usage', `missing job: jobs ${action} ID`);
  if (action === 'cancel') return { jobs: [cancelJob(environment, id)] };
  const job = requireJob(environment, id);
  if (action === 'status') return { jobs: [job] };
  const written = outputOf(environment, id, offset);
  const bytes = job.state === 'running' ? wholeCharacters(written) : written;
  return { jobs: [job], output: decodeOutput(bytes), nextOffset: offset + bytes.length };
}
