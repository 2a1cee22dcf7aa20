import { followQuarantine } from '../../../cluster/quarantine.ts';
import { mostLabels } from '../../../cluster/workers/messages.ts';
import { SkillError } from '../../../core/errors.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import { count } from '../../../core/text/text.ts';
import { parseLabel } from '../../../run/policy/names.ts';
import { runtimeNames } from '../../../run/policy/types.ts';
import { viewOf } from '../../cluster/catalogue.ts';
import { clusterOf } from '../../cluster/membership.ts';
import { copyRecords } from '../../cluster/records.ts';
import { type Engine, endEngine } from '../../engine.ts';
import { workFor } from './worker.ts';

export interface WorkerInput {
  readonly name: string;
  readonly labels: readonly string[];
  readonly runtimes: readonly string[];
  readonly concurrency: number | undefined;
}

/** A worker that serves. */
export interface ServingWorker {
  /** Takes nothing more, ends what runs by itself, and leaves. */
  drain(): Promise<void>;
  /** Ends what runs. */
  stop(): void;
}

/** Milliseconds that a worker that leaves waits until the cluster has its records. */
const recordedMs = 2000;

/** Runs tools for the servers of a cluster until it is told to stop. */
export async function serveWorker(engine: Engine, input: WorkerInput): Promise<ServingWorker> {
  const { log } = engine;
  const labels = [...new Set(input.labels.map(labelIn))];
  if (labels.length > mostLabels) throw new SkillError('usage', `a worker can have at most ${mostLabels} labels`);
  const runtimes = input.runtimes.length === 0 ? undefined : [...new Set(input.runtimes.map(runtimeIn))];
  if (engine.configuration.values.otlpEndpoint !== undefined) {
    engine.telemetry = (await import('../../telemetry/telemetry.ts')).startTelemetry(engine, 'worker');
  }
  const cluster = clusterOf(engine);
  cluster.onStatus(({ state, node, failure }) => {
    if (state === 'connected') log?.info(`connected to ${node}`);
    else log?.warn(`${cluster.address} is out of reach`, { reason: failure });
  });
  const ending = new AbortController();
  engine.disposers.add(() => ending.abort());
  await followQuarantine(cluster, viewOf(engine), ending.signal);
  const recorded = copyRecords(engine);
  const { name, concurrency } = input;
  const worker = await workFor(engine, cluster, { name, labels, runtimes, concurrency }).catch((error: unknown) => {
    endEngine(engine);
    throw error;
  });
  log?.info(`worker ${name} takes executions`, { labels: labels.join(','), cluster: cluster.name });
  return {
    async drain() {
      if (worker.running > 0) log?.info(`draining: ${count(worker.running, 'execution')} under way`);
      await worker.drain();
      await settlesWithin(recordedMs, recorded()); // the rest is sent by the next start
      await engine.telemetry?.close();
      await cluster.close();
      endEngine(engine);
    },
    stop: () => worker.stop(),
  };
}

function labelIn(text: string): string {
  const label = parseLabel(text);
  if (label.ok) return label.value;
  throw new SkillError('usage', label.message, { hint: label.remedy });
}

function runtimeIn(text: string) {
  const found = runtimeNames.find((name) => name === text);
  if (found !== undefined) return found;
  throw new SkillError('usage', `there is no runtime '${text}'`, { suggestions: runtimeNames });
}
