import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeeds } from '../../../core/attempt.ts';
import { isThere } from '../../../core/disk/files.ts';
import { makeFolder } from '../../../core/disk/make-folder.ts';
import { stateFolder } from '../../../core/disk/own-folders.ts';
import { isGone, thisProcess } from '../../../core/disk/owner.ts';
import { putFile } from '../../../core/disk/replace.ts';
import type { Environment } from '../../../core/environment.ts';
import { readOwnFile } from '../../../core/schema/own-file.ts';
import { type Infer, nullable, object, optional, text } from '../../../core/schema/schema.ts';
import { type Execution, executionResultSchema } from '../types.ts';

/** The facts of a job, as its file has them. */
const keptSchema = object({
  id: text(),
  skill: text(),
  tool: text(),
  startedAt: text(),
  worker: optional(text('The worker of a cluster that runs it, or did.')),
  subject: optional(text('The person or program that it was begun for, where an access token named one.')),
  owner: text('The process that runs it.'),
  result: nullable(executionResultSchema, 'Null while the job runs, and forever if its process died.'),
});
type Kept = Infer<typeof keptSchema>;

/** An execution that went on after its caller had been told to come back later. */
export interface Job extends Omit<Kept, 'owner'> {
  readonly state: 'running' | 'done' | 'lost';
}

/** A place where jobs are kept. Whoever knows an id may ask about its job, so no other ids are disclosed. */
export interface Jobs {
  list(): Promise<readonly Job[]>;
  find(id: string): Promise<Job | undefined>;
  /** The standard output of a job from an offset on. */
  output(job: Job, from: number): Promise<Uint8Array>;
  /** Asks whoever runs a job to cancel it. */
  cancel(job: Job): Promise<void>;
}

/** Milliseconds after which jobs are forgotten: a week. */
const keptMs = 7 * 24 * 60 * 60 * 1000;
/** Milliseconds between checks of a running job whether another process wants it cancelled. */
const lookMs = 500;

/**
 * The folder where jobs are kept. They are files, so that whoever asks may be another process than the one that runs
 * them: a job's facts, its output so far, and the wish that it be cancelled.
 */
function jobFolder(environment: Environment): string {
  return join(stateFolder(environment), 'jobs');
}

const places = (folder: string, id: string) => ({
  facts: join(folder, `${id}.json`),
  output: join(folder, `${id}.out`),
  wish: join(folder, `${id}.cancel`),
});

/**
 * Keeps an execution as a job until it ends, and its result after. False where it cannot be kept, or has ended before
 * its worker could keep it.
 */
export async function keepJob(
  environment: Environment,
  execution: Execution,
  subject: string | undefined,
): Promise<boolean> {
  const atWorker = execution.keep?.().then(() => true);
  if (atWorker !== undefined) return Promise.race([atWorker, execution.result.then(() => false)]);
  return keepHere(environment, execution, subject);
}

function keepHere(environment: Environment, execution: Execution, subject: string | undefined): boolean {
  const folder = jobFolder(environment);
  const at = places(folder, execution.id);
  const { id, skill, tool, startedAt } = execution;
  const facts = { id, skill, tool, startedAt, ...(subject !== undefined && { subject }), owner: thisProcess() };
  let written = 0;
  const spool = (): void => {
    const more = execution.partial('stdout', written);
    if (more.length > 0) appendFileSync(at.output, more, { mode: 0o600 });
    written += more.length;
    if (isThere(at.wish)) execution.cancel();
  };
  const isKept = succeeds(() => {
    makeFolder(folder);
    forgetOld(folder);
    keep(at.facts, { ...facts, result: null });
    spool();
  });
  if (!isKept) return false;
  const timer = setInterval(() => succeeds(spool), lookMs);
  void execution.result.then((result) => {
    clearInterval(timer);
    succeeds(spool);
    succeeds(() => keep(at.facts, { ...facts, result }));
    rmSync(at.wish, { force: true });
  });
  return true;
}

function keep(file: string, facts: Kept): void {
  putFile(file, JSON.stringify(facts));
}

function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > keptMs) rmSync(path, { force: true });
  }
}

/** The jobs of this machine, whichever process runs them. */
export function jobsHere(environment: Environment): Jobs {
  const folder = jobFolder(environment);
  const find = (id: string): Job | undefined => (/^[\w-]{1,64}$/.test(id) ? readJob(folder, id) : undefined);
  return {
    async list() {
      if (!isThere(folder)) return [];
      const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
      return names.flatMap((name) => find(name.slice(0, -5)) ?? []);
    },
    find: async (id) => find(id),
    async output({ id }, from) {
      const { output } = places(folder, id);
      return isThere(output) ? readFileSync(output).subarray(from) : new Uint8Array();
    },
    /** Leaves a wish, which the process that runs the job sees within a second. */
    async cancel({ id, state }) {
      if (state === 'running') writeFileSync(places(folder, id).wish, '', { mode: 0o600 });
    },
  };
}

function readJob(folder: string, id: string): Job | undefined {
  // No limit on size: a result holds everything that the tool has written.
  const kept = readOwnFile(keptSchema, places(folder, id).facts, Number.POSITIVE_INFINITY);
  if (kept === null) return undefined;
  const { owner, ...job } = kept;
  const state = job.result !== null ? 'done' : isGone(owner, Date.parse(job.startedAt)) ? 'lost' : 'running';
  return { ...job, state };
}
