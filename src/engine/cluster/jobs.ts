import { setTimeout as sleep } from 'node:timers/promises';
import { type ClusterJobs, openJobs, type SeenJob } from '../../cluster/workers/jobs.ts';
import { keyOf, type Offer } from '../../cluster/workers/messages.ts';
import { readOwn } from '../../core/schema/schema-reader.ts';
import { settlesWithin } from '../../core/settles-within.ts';
import type { Engine } from '../engine.ts';
import type { Job, Jobs } from '../running/admission/jobs.ts';
import { type Execution, executionResultSchema } from '../running/types.ts';
import { clusterOf } from './membership.ts';

/** The jobs of the cluster, opened once for an engine. */
function openedFor(engine: Engine): Promise<ClusterJobs> {
  if (engine.jobs !== undefined) return engine.jobs;
  const jobs = openJobs(clusterOf(engine));
  engine.jobs = jobs;
  jobs.catch(() => delete engine.jobs); // the next one tries again
  return jobs;
}

/** The jobs of an engine's cluster, whichever server has begun them. */
export function jobsOf(engine: Engine): Jobs {
  const open = (): Promise<ClusterJobs> => openedFor(engine);
  return {
    list: async () => (await (await open()).list()).map(jobFrom),
    async find(id) {
      const seen = await (await open()).find(id);
      return seen === undefined ? undefined : jobFrom(seen);
    },
    output: async ({ id }, from) => (await open()).output(id, from),
    async cancel({ id, state }) {
      if (state === 'running') await (await open()).cancel(id);
    },
  };
}

function jobFrom({ id, skill, tool, state, startedAt, worker, subject, result }: SeenJob): Job {
  const known = { id, skill, tool, state, startedAt, worker, ...(subject !== undefined && { subject }) };
  return { ...known, result: result === null ? null : readOwn(executionResultSchema, result) };
}

/** Milliseconds between two looks at whether there is more output. */
const lookMs = 500;
/** Milliseconds for which a worker tries to keep the end of a job, where the cluster is away. */
const endTimeoutMs = 5 * 60_000;

/** Keeps an execution of this worker in the cluster, until it has ended and its result is there. */
export async function keepForAll(
  engine: Engine,
  { skill, subject, ...offer }: Offer,
  { worker, execution, onKept }: { worker: string; execution: Execution; onKept: () => void },
): Promise<void> {
  const { id, tool, startedAt } = execution;
  const jobs = await openedFor(engine);
  const about = {
    id,
    attempt: keyOf(offer),
    skill,
    tool,
    startedAt,
    worker,
    ...(subject !== undefined && { subject }),
  };
  const held = await jobs.hold(about, () => execution.cancel());
  onKept();
  let written = 0;
  const spool = async (): Promise<void> => {
    const more = execution.partial('stdout', written);
    await held.write(more);
    written += more.length;
  };
  while (!(await settlesWithin(lookMs, execution.result))) await spool().catch(() => {}); // the next one makes up for it
  const result = await execution.result;
  const end = async (): Promise<void> => {
    await spool();
    await held.end(JSON.stringify({ ...result, skill }));
  };
  for (const until = performance.now() + endTimeoutMs; ; await sleep(lookMs)) {
    try {
      return await end();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}
