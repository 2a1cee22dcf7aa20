import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../core/disk/package-file.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import type { EmbedderChoice } from '../../search/embedders/embedder.ts';
import { type Builder, type Built, createBuilder, type Wanted } from './building.ts';
import { type Merged, type MergeJob, mergeAndKeep } from './merging.ts';

/** The task that a thread is started for. */
export type ThreadTask =
  | { readonly kind: 'build'; readonly embedder: EmbedderChoice | null; readonly environment: Environment }
  | { readonly kind: 'merge'; readonly job: MergeJob };

/** Work on threads. It does not keep the process alive. */
export interface ThreadWork<T> {
  /** Rejects if a thread fails or is ended. */
  readonly done: Promise<T>;
  end(): void;
}

const program = 'dist/cli/indexer.cjs';
const mostThreads = 4;

/** Batches to be built, all of them at hand or still on their way. */
export type Batches = Iterator<readonly Wanted[]> | AsyncIterator<readonly Wanted[]>;

/** Builds batches on as many threads as are of use, and reports each as it is ready. */
export function buildOnThreads(
  batches: Batches,
  embedder: EmbedderChoice | null,
  environment: Environment,
  hear: (built: Built) => void,
): ThreadWork<void> {
  const file = packageFile(program);
  if (file === undefined) return { done: buildHere(batches, createBuilder(embedder, environment), hear), end() {} };
  // One thread alone asks a service: several would ask it for more at a time than it is meant to get.
  const count = embedder?.kind === 'http' ? 1 : Math.min(availableParallelism(), mostThreads);
  const workers: Worker[] = [];
  let isEnded = false;
  const shift = async (): Promise<void> => {
    const first = await batches.next();
    if (first.done) return;
    if (isEnded) throw new Error('it was ended');
    const worker = startWorker(file, { kind: 'build', embedder, environment });
    workers.push(worker);
    await workThrough(worker, first.value, batches, hear);
  };
  const end = () => {
    isEnded = true;
    for (const worker of workers) void worker.terminate();
  };
  return {
    done: Promise.all(Array.from({ length: count }, shift))
      .then(() => undefined)
      .finally(end),
    end,
  };
}

/** Gives a thread one batch after another. */
function workThrough(
  worker: Worker,
  first: readonly Wanted[],
  batches: Batches,
  hear: (built: Built) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const goOn = async (built: Built): Promise<void> => {
      hear(built);
      const next = await batches.next();
      if (next.done) resolve();
      else worker.postMessage(next.value);
    };
    worker.on('message', (built: Built) => void goOn(built).catch(reject));
    failing(worker, reject);
    worker.postMessage(first);
  });
}

/** Merges segments on a thread, and saves the result. */
export function mergeOnThread(job: MergeJob): ThreadWork<Merged> {
  const file = packageFile(program);
  if (file === undefined) return { done: mergeAndKeep(job), end() {} };
  const worker = startWorker(file, { kind: 'merge', job });
  const done = new Promise<Merged>((resolve, reject) => {
    worker.once('message', resolve);
    failing(worker, reject);
  });
  return { done, end: () => void worker.terminate() };
}

function startWorker(file: string, task: ThreadTask): Worker {
  // No options are passed on that were meant for this process, such as an inspector's port.
  const worker = new Worker(file, { workerData: task, execArgv: [] });
  worker.unref();
  return worker;
}

function failing(worker: Worker, reject: (error: Error) => void): void {
  worker.once('error', (error) => reject(new Error(reasonOf(error))));
  worker.once('exit', () => reject(new Error('it was ended')));
}

/**
 * Builds batches without a thread: where they are few, or where there is no program for one, as in a library that was
 * bundled into something else.
 */
export async function buildHere(batches: Batches, build: Builder, hear: (built: Built) => void): Promise<void> {
  for (let next = await batches.next(); !next.done; next = await batches.next()) hear(await build(next.value));
}
