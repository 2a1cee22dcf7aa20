import { join } from 'node:path';
import { stateFolder } from '../../core/disk/own-folders.ts';
import { type Audit, openAudit } from '../../run/audit/writer.ts';
import { readPolicy } from '../../run/policy/operator.ts';
import type { Engine } from '../engine.ts';
import { type Admission, createAdmission } from './admission/admission.ts';
import { type Places, sharedPlaces } from './admission/places.ts';
import { createRuntimes, type Runtimes } from './runtimes.ts';

/** The services that all executions of one engine share. */
export interface Runner {
  /** The admission of runs, by the operator's policy; a policy that cannot be read admits none. */
  admission(): Promise<Admission>;
  /** Removes what processes that were killed during a run have left behind, if one was noticed. */
  tidy(): Promise<void>;
  readonly runtimes: Runtimes;
  readonly audit: Audit;
  /** Callbacks for when the engine ends: each run under way must leave its record then. */
  readonly underWay: Set<() => void>;
  /** Number of executions that are over, by their results. */
  readonly results: ReadonlyMap<string, number>;
}

/**
 * Maximum number of concurrent runs. Root runs each as a user of its own, of which there are 256; some are taken by
 * processes started ahead.
 */
const mostAtOnce = 200;

/** The one runner of an engine, created with its first execution. */
export function runnerOf(engine: Engine): Promise<Runner> {
  engine.runner ??= createRunner(engine);
  return engine.runner;
}

async function createRunner(engine: Engine): Promise<Runner> {
  const { environment, isLongLived } = engine;
  const { wasmEngine, wasmIsolation, containerRuntime, auditStrict, maxPerSubject } = engine.configuration.values;
  let admission: Admission | undefined;
  let places: Places | undefined;
  const results = new Map<string, number>();
  const audit = openAudit(environment, { strict: auditStrict });
  const runner: Runner = {
    async admission() {
      const policy = await readPolicy(environment);
      if (admission === undefined) {
        places = sharedPlaces(join(stateFolder(environment), 'running'), policy);
        if (isLongLived) places.keep();
        admission = createAdmission({ ...policy, maxConcurrent: Math.min(policy.maxConcurrent, mostAtOnce) }, places);
      }
      return admission;
    },
    async tidy() {
      if (places?.foundDead()) await runner.runtimes.sweep();
    },
    runtimes: createRuntimes(environment, {
      wasmEngine,
      wasmIsolation,
      containerRuntime,
      pool: isLongLived ? 'warm' : 'none',
      cluster: async () => (await import('../cluster/membership.ts')).clusterOf(engine),
      maxPerSubject,
    }),
    audit: {
      ...audit,
      end(record) {
        results.set(record.result, (results.get(record.result) ?? 0) + 1);
        return audit.end(record);
      },
    },
    underWay: new Set(),
    results,
  };
  engine.disposers.add(() => {
    for (const end of runner.underWay) end();
    places?.close();
    void runner.runtimes.close();
    runner.audit.close();
  });
  return runner;
}

/** Removes what processes that were killed have left behind. */
export async function sweep(engine: Engine): Promise<void> {
  const { runtimes } = await runnerOf(engine);
  await runtimes.sweep();
}
