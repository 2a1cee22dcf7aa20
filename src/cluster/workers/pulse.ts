import { Worker } from 'node:worker_threads';
import { packageFile } from '../../core/disk/package-file.ts';
import type { Environment } from '../../core/environment.ts';
import type { ClusterSettings } from '../connection.ts';
import type { WorkerFacts } from './messages.ts';

/**
 * Signs of life from a thread of their own, for as long as this one is too busy to give any: a long text that is read,
 * or a machine with much else to do, does not make a worker one that is lost, or that is not there.
 */
export interface Pulse {
  /** Says these facts to whoever asks for the workers of the cluster, when need be. */
  speakFor(facts: WorkerFacts): void;
  /** Speaks for an execution, whose caller listens at this subject, when need be. */
  begin(place: string): void;
  end(place: string): void;
  close(): void;
}

/** The parts that a thread is started with. */
export interface PulseData {
  readonly settings: ClusterSettings;
  readonly environment: Environment;
  /** The time when the worker's own thread was last heard of, in nanoseconds of the monotonic clock. */
  readonly heard: BigInt64Array;
}

/** A word to the thread: whom it speaks for, or that an execution has begun or ended. */
export type PulseWord = { readonly facts: WorkerFacts } | { readonly begin: string } | { readonly end: string };

/** Milliseconds between two signs of this thread to the other. */
export const heardMs = 100;

/** Starts the thread. Without its program, as where sources are run as they are, nobody speaks for this one. */
export function startPulse(given: ClusterSettings, environment: Environment): Pulse {
  const { cluster, clusterName, clusterCredentials, clusterCa, offline } = given;
  const settings = { cluster, clusterName, clusterCredentials, clusterCa, offline };
  const program = packageFile('dist/cli/pulse.cjs');
  if (program === undefined) return { speakFor() {}, begin() {}, end() {}, close() {} };
  const heard = new BigInt64Array(new SharedArrayBuffer(8));
  const note = (): void => void Atomics.store(heard, 0, process.hrtime.bigint());
  note();
  const timer = setInterval(note, heardMs).unref();
  const data: PulseData = { settings, environment: { ...environment, env: { ...environment.env } }, heard };
  const thread = new Worker(program, { workerData: data, execArgv: [] });
  thread.unref();
  thread.on('error', () => {}); // the worker gives signs of life itself
  const say = (word: PulseWord): void => thread.postMessage(word);
  return {
    speakFor: (facts) => say({ facts }),
    begin: (place) => say({ begin: place }),
    end: (place) => say({ end: place }),
    close() {
      clearInterval(timer);
      void thread.terminate();
    },
  };
}
