import { openObjects } from '../../../cluster/buckets.ts';
import { bringBundle } from '../../../cluster/bundles.ts';
import type { Cluster } from '../../../cluster/connection.ts';
import { patiently } from '../../../cluster/patience.ts';
import { type Ending, inputKeptMs, type Offer } from '../../../cluster/workers/messages.ts';
import { startPulse } from '../../../cluster/workers/pulse.ts';
import { startWorker, type Worker } from '../../../cluster/workers/worker.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { isObject } from '../../../core/formats/documents.ts';
import { keepRecent } from '../../../core/maps.ts';
import { parseTrace } from '../../../core/telemetry.ts';
import { kept } from '../../../get/install/store.ts';
import { readPolicy } from '../../../run/policy/operator.ts';
import type { RuntimeName } from '../../../run/policy/types.ts';
import type { Outcome, Watcher } from '../../../run/sandbox/types.ts';
import { keepForAll } from '../../cluster/jobs.ts';
import { createEngine, type Engine, type Request } from '../../engine.ts';
import { execute, recordingAbsence } from '../execute.ts';
import { runnerOf } from '../runner.ts';
import { shapingSent } from '../shaping.ts';
import type { Execution, ExecutionResult } from '../types.ts';

export interface WorkerTerms {
  readonly name: string;
  readonly labels: readonly string[];
  /** The runtimes to offer; those that this machine can run if there are none. */
  readonly runtimes: readonly RuntimeName[] | undefined;
  /** Executions at once; as many as the policy allows if missing. */
  readonly concurrency: number | undefined;
}

/** Engines that are kept for the next execution of a version. */
const mostEngines = 64;

/** Takes executions of a cluster, and carries them out as this machine's own: under its grants, policy and audit log. */
export async function workFor(engine: Engine, cluster: Cluster, terms: WorkerTerms): Promise<Worker> {
  const connection = await cluster.connected();
  const { runtimes } = await runnerOf(engine);
  const policy = await readPolicy(engine.environment);
  const wanted = (terms.runtimes ?? policy.runtimes).filter((name) => policy.runtimes.includes(name));
  const readiness = await Promise.all(
    wanted.map(async (name) => {
      const is = await (await runtimes.get(name)).readiness();
      // Runtimes that were asked for by name must be there.
      if (!is.ready && terms.runtimes !== undefined)
        throw new SkillError('unavailable', is.reason, { hint: is.remedy });
      return is.ready ? { name, enforcement: is.enforcement } : null;
    }),
  );
  const ready = readiness.filter((one) => one !== null);
  const [first] = ready;
  if (first === undefined)
    throw new SkillError('unavailable', 'no runtime can run tools on this machine', {
      hint: 'Run: repertoire doctor --sandbox',
    });
  const engines = new Map<string, Engine>();
  const pulse = startPulse(engine.configuration.values, engine.environment);
  engine.disposers.add(() => pulse.close());
  return startWorker(cluster, connection, {
    name: terms.name,
    labels: terms.labels,
    runtimes: ready.map(({ name }) => name),
    concurrency: Math.min(terms.concurrency ?? policy.maxConcurrent, policy.maxConcurrent),
    enforcement: first.enforcement,
    pulse,
    run: (offer, watcher, wanted) => runOffer({ engine, cluster, worker: terms.name, engines }, offer, watcher, wanted),
  });
}

interface Workplace {
  readonly engine: Engine;
  readonly cluster: Cluster;
  readonly worker: string;
  readonly engines: Map<string, Engine>;
}

/** Carries out what a server has offered; null where the cluster does not have the files of the skill. */
async function runOffer(
  place: Workplace,
  offer: Offer,
  watcher: Watcher,
  wanted: Promise<boolean>,
): Promise<Ending | null> {
  const { engine, worker } = place;
  const { id, server, limits, skill, tool, instance } = offer;
  let outcome: Outcome | undefined;
  const request: Request = {
    origin: offer.by,
    client: offer.client,
    subject: offer.subject,
    requestId: offer.request,
    trace: parseTrace(offer.traceparent, offer.tracestate),
    signal: watcher.signal,
    onOutput: (stream, bytes) => watcher.onOutput(stream, bytes),
    ...(offer.measured && { onUsage: (usage) => watcher.onUsage?.(usage) }),
    onBehalf: {
      ...{ id, server, worker, limits, wanted },
      onOutcome: (one) => {
        outcome = one;
      },
    },
  };
  try {
    const asked = { skill, tool, parameters: {} };
    const folder = await recordingAbsence(engine, asked, request, () => folderOf(place, offer, watcher.signal));
    if (folder === null) return null;
    const own = await engineFor(place, folder);
    const name = await nameIn(own, skill);
    const call = {
      ...{ skill: name, tool, parameters: await parametersOf(place, offer), instance },
      // A server shapes what it is sent by itself; nobody else does where it need not be there any more.
      get shaping() {
        return watcher.detached?.aborted ? shapingSent(offer.shaping) : {};
      },
    };
    const execution = await execute(own, call, request);
    const keeping = keptOnceDetached(place, offer, execution, watcher);
    const result = await execution.result;
    await keeping();
    return endingOf(result, outcome, { worker, name, folder });
  } catch (error) {
    const denied = error instanceof SkillError && ['denied', 'unreadable'].includes(error.code);
    return {
      ...{ reason: denied ? 'denied' : 'engine_error', exitCode: null, signal: null },
      message: `${worker}: ${reasonOf(error)}`,
      hint: error instanceof SkillError ? (error.hint ?? null) : null,
      ...{ notes: [], enforcement: [], denials: [] },
    };
  }
}

/** Keeps an execution as a job once its caller says that it may go. Returns what waits until all of it is kept. */
function keptOnceDetached(
  { engine, worker }: Workplace,
  offer: Offer,
  execution: Execution,
  watcher: Watcher,
): () => Promise<void> {
  const { detached } = watcher;
  const onKept = (): void => watcher.onKept?.();
  let keeping = Promise.resolve();
  const keep = (): void => {
    keeping = keepForAll(engine, offer, { worker, execution, onKept }).catch((error: unknown) => {
      engine.log?.warn(`job ${offer.id} is not kept: ${reasonOf(error)}`);
    });
  };
  if (detached?.aborted) keep();
  else detached?.addEventListener('abort', keep, { once: true });
  return () => keeping;
}

/** The folder with the very files of the digest; null where the cluster does not have them. */
async function folderOf(place: Workplace, { digest }: Offer, signal: AbortSignal): Promise<string | null> {
  const { engine, cluster } = place;
  const known = await kept(engine.environment, digest);
  if (known !== null) return known.folder; // without asking the cluster for anything
  try {
    const connection = await cluster.connected();
    const { folder } = await patiently(async () => {
      const bundles = await openObjects(connection, cluster.names.bundles);
      return bringBundle(engine.environment, bundles, digest, signal);
    });
    return folder;
  } catch (error) {
    if (error instanceof SkillError && error.code === 'not-found') return null;
    throw error;
  }
}

/** The engine for the one skill in a folder, which shares everything that runs with that of the worker. */
async function engineFor({ engine, engines }: Workplace, folder: string): Promise<Engine> {
  const known = engines.get(folder);
  if (known !== undefined) return known;
  const { configuration, environment, isLongLived, log } = engine;
  const alone = { skillDirs: [folder], scanDefaultDirs: false, skipPlugins: true, include: [], exclude: [] };
  const here = { remotes: 'off', executions: 'local', unsafeNoSandbox: false, cluster: undefined } as const;
  const values = { ...configuration.values, ...alone, ...here };
  const made = createEngine({ ...configuration, values }, environment, { isLongLived, ...(log && { log }) });
  made.runner = runnerOf(engine);
  made.telemetry = engine.telemetry;
  keepRecent(engines, folder, made, mostEngines);
  return made;
}

async function nameIn(engine: Engine, skill: string): Promise<string> {
  const { skills } = await engine.registry.snapshot();
  const [first] = skills;
  if (first !== undefined) return first.fullName;
  throw new SkillError('unreadable', `there is no skill '${skill}' in its files`);
}

async function parametersOf({ cluster }: Workplace, offer: Offer): Promise<Readonly<Record<string, unknown>>> {
  const text = offer.parameters ?? (await inputOf(cluster, offer.id));
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return value;
  throw new SkillError('usage', 'the parameters must be an object');
}

async function inputOf(cluster: Cluster, id: string): Promise<string> {
  const connection = await cluster.connected();
  const bytes = await patiently(async () => {
    const inputs = await openObjects(connection, cluster.names.inputs, inputKeptMs);
    return inputs.getBlob(id);
  });
  if (bytes === null) throw new SkillError('unavailable', 'the parameters are not in the cluster');
  return Buffer.from(bytes).toString('utf8');
}

interface Whereabouts {
  readonly worker: string;
  readonly name: string;
  readonly folder: string;
}

/** The end of an execution for the server: whoever reads it must know that something is to be done here, not there. */
function endingOf(
  result: ExecutionResult,
  outcome: Outcome | undefined,
  { worker, name, folder }: Whereabouts,
): Ending {
  const { reason, exitCode, signal, message, hint, notes, enforcement, denials } = result;
  const isRefused = outcome === undefined;
  const here = hint?.replaceAll(`repertoire grant ${name}`, `repertoire grant ${folder}`) ?? null;
  return {
    ...{ reason, exitCode, signal, notes, enforcement, denials },
    message: isRefused && message !== null ? `${worker}: ${message}` : message,
    hint: isRefused && here !== null ? `On ${worker}: ${here}` : hint,
    ...(outcome?.limit !== undefined && { limit: outcome.limit }),
  };
}
