import { SkillError } from '../../../core/errors.ts';
import { choice, integer, optional, text } from '../../../core/schema/schema.ts';
import { decodeOutput, wholeCharacters } from '../../../run/output/decode.ts';
import type { Engine, Request } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { cancelJob, type Job, listJobs, noJob, outputOf, requireJob } from '../../running/admission/jobs.ts';

export const jobActions = ['list', 'status', 'output', 'cancel'] as const;
export type JobAction = (typeof jobActions)[number];

export interface JobsOutput {
  readonly jobs: readonly Job[];
  /** Output of the job so far, if that was asked for. */
  readonly output?: string;
  /** Offset at which its output continues. */
  readonly nextOffset?: number;
}

export const jobs = defineOperation({
  name: 'jobs',
  right: 'run',
  concernsSkills: false,
  effect: 'acts',
  input: {
    action: choice(jobActions, 'list, status ID, output ID or cancel ID.', { default: 'list' }),
    id: optional(text('The job.')),
    offset: integer('Where to continue in its output.', { min: 0, default: 0 }),
  },
  run: async (engine, { action, id, offset }, request) => askJobs(engine, action, id, offset, request),
});

/** Handles a request about jobs, alike for every entry point. */
export function askJobs(
  { environment }: Engine,
  action: JobAction,
  id: string | undefined,
  offset: number,
  { subject, scopes }: Request,
): JobsOutput {
  // Whom a token names has jobs of their own, and knows of no others, unless it is good for everything.
  const isOwn = (job: Job): boolean => subject === undefined || scopes?.has('admin') || job.subject === subject;
  if (action === 'list') return { jobs: listJobs(environment).filter(isOwn) };
  if (id === undefined) throw new SkillError('usage', `missing job: jobs ${action} ID`);
  if (!isOwn(requireJob(environment, id))) throw noJob(id);
  if (action === 'cancel') return { jobs: [cancelJob(environment, id)] };
  const job = requireJob(environment, id);
  if (action === 'status') return { jobs: [job] };
  const written = outputOf(environment, id, offset);
  const bytes = job.state === 'running' ? wholeCharacters(written) : written;
  return { jobs: [job], output: decodeOutput(bytes), nextOffset: offset + bytes.length };
}
