import { reasonOf, SkillError } from '../../../core/errors.ts';
import { choice, integer, optional, text } from '../../../core/schema/schema.ts';
import { byText, oneLine } from '../../../core/text/text.ts';
import { decodeOutput, wholeCharacters } from '../../../run/output/decode.ts';
import type { Engine } from '../../engine.ts';
import { defineOperation } from '../../operation.ts';
import { type Job, type Jobs, jobsHere } from '../../running/admission/jobs.ts';

export const jobActions = ['list', 'status', 'output', 'cancel'] as const;
export type JobAction = (typeof jobActions)[number];

export interface JobsOutput {
  readonly jobs: readonly Job[];
  /** Reason why those of the cluster are not among them. */
  readonly missing?: string;
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
  run: (engine, { action, id, offset }, { subject, scopes }) =>
    askJobs(engine, { action, id, offset, subject: scopes?.has('admin') ? undefined : subject }),
});

interface Question {
  readonly action: JobAction;
  readonly id: string | undefined;
  readonly offset: number;
  /** The person or program that asks, who is told of no jobs but their own; all are told of where nobody is named. */
  readonly subject: string | undefined;
}

/** Handles a request about jobs, alike for every entry point. */
async function askJobs(engine: Engine, { action, id, offset, subject }: Question): Promise<JobsOutput> {
  const places = await placesOf(engine);
  const mayKnow = (job: Job): boolean => subject === undefined || job.subject === subject;
  if (action === 'list') {
    const lists = await Promise.allSettled(places.map((place) => place.list()));
    const all = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
    const failed = lists.find(({ status }) => status === 'rejected');
    const jobs = all.filter(mayKnow).sort((a, b) => byText(a.startedAt, b.startedAt));
    return failed?.status === 'rejected' ? { jobs, missing: reasonOf(failed.reason) } : { jobs };
  }
  if (id === undefined) throw new SkillError('usage', `missing job: jobs ${action} ID`);
  const { place, job } = await found(places, id, mayKnow);
  if (action === 'cancel') await place.cancel(job);
  if (action !== 'output') return { jobs: [job] };
  const written = await place.output(job, offset);
  const bytes = job.state === 'running' ? wholeCharacters(written) : written;
  return { jobs: [job], output: decodeOutput(bytes), nextOffset: offset + bytes.length };
}

/** The places where there may be jobs: this machine, and the cluster where there is one. */
async function placesOf(engine: Engine): Promise<readonly Jobs[]> {
  const here = jobsHere(engine.environment);
  if (engine.configuration.values.cluster === undefined) return [here];
  const { jobsOf } = await import('../../cluster/jobs.ts');
  return [here, jobsOf(engine)];
}

async function found(places: readonly Jobs[], id: string, mayKnow: (job: Job) => boolean) {
  for (const place of places) {
    const job = await place.find(id);
    if (job !== undefined && mayKnow(job)) return { place, job };
  }
  throw new SkillError('not-found', `there is no job '${oneLine(id).slice(0, 64)}'`, {
    hint: 'Jobs are kept for a week: `repertoire jobs` lists them.',
  });
}
