import type { Environment } from '../../kernel/environment.ts';
import { engineError } from '../ending.ts';
import { runtimeParent } from '../linux/machine.ts';
import { orphansIn, removeFolder } from '../linux/owner.ts';
import { folderPrefix } from '../linux/system-view.ts';
import {
  type Outcome,
  type Readiness,
  type RunSpec,
  type SandboxRuntime,
  skillTarget,
  type Watcher,
} from '../types.ts';
import { judge } from './ability.ts';
import { connect, type Engine, engineMessage, letGo } from './engine.ts';
import { freeFolders } from './free-folders.ts';
import { remove } from './remove.ts';
import { runContainer } from './run.ts';
import { findSocket } from './socket.ts';
import { orphansOn, sweepContainers } from './sweep.ts';

export interface DockerOptions {
  /** The socket of the engine, where it is not to be looked for. */
  readonly socket?: string;
  /** What the engine is to run containers with, such as `runsc`; its default if absent. */
  readonly runtime?: string | undefined;
}

type Found =
  | { readonly engine: Engine; readonly readiness: Readiness & { readonly ready: true } }
  | { readonly engine: null; readonly readiness: Readiness & { readonly ready: false } };

/** How often containers are tried again that an engine did not remove. */
const sweepEveryMs = 60_000;

/** Runs containers through Docker, or through Podman where it speaks the same language. */
export function createDockerRuntime(environment: Environment, options: DockerOptions = {}): SandboxRuntime {
  /** Containers that the engine would not remove when their run was over. */
  const left = new Set<string>();
  const socketParent = runtimeParent(environment);
  let finding: Promise<Found> | null = null;
  let sweeping: Promise<unknown> = Promise.resolve();
  let sweptAt = Number.NEGATIVE_INFINITY;
  let running = 0;

  /** Asked once, and again where there was nothing: an engine may be started later. */
  const find = async (): Promise<Found> => {
    finding ??= findEngine(environment, options);
    const found = await finding;
    if (found.engine === null) finding = null;
    return found;
  };
  /** Beside a run, the first and later ones: who runs no container has not asked us to talk to an engine. */
  const sweepBeside = (engine: Engine): void => {
    if (performance.now() - sweptAt < sweepEveryMs) return;
    sweptAt = performance.now();
    sweeping = sweep(engine).catch(() => undefined);
  };
  const runOn = async (engine: Engine, spec: RunSpec, watcher: Watcher): Promise<Outcome> => {
    running += 1;
    sweepBeside(engine);
    try {
      const { runtime } = options;
      const onLeft = (name: string) => left.add(name);
      const free = async (mounts: RunSpec['mounts']) =>
        freeFolders(engine, [...left, ...(await orphansOn(engine)).map(({ id }) => id)], mounts);
      return await runContainer({ engine, runtime, socketParent, onLeft, free }, spec, watcher);
    } finally {
      running -= 1;
      void sweeping.then(() => running === 0 && letGo(engine));
    }
  };
  const removeLeft = async (engine: Engine): Promise<void> => {
    for (const name of left) if (await remove(engine, name)) left.delete(name);
  };
  const sweep = async (engine: Engine): Promise<void> => {
    await removeLeft(engine);
    await sweepContainers(engine);
  };

  return {
    name: 'docker',
    seesSkillAt: () => skillTarget,
    readiness: async () => (await find()).readiness,
    run: async (spec: RunSpec, watcher: Watcher): Promise<Outcome> => {
      const { engine, readiness } = await find();
      if (engine !== null) return runOn(engine, spec, watcher);
      return { ...engineError(`${readiness.reason}. ${readiness.remedy}`, 0), enforcement: [], denials: [] };
    },
    sweep: async () => {
      for (const orphan of orphansIn(socketParent, folderPrefix)) removeFolder(orphan);
      const { engine } = await find();
      if (engine !== null) await sweep(engine);
    },
    close: async () => {
      const found = await finding;
      if (!found?.engine) return;
      await removeLeft(found.engine);
      letGo(found.engine);
    },
  };
}

async function findEngine(environment: Environment, options: DockerOptions): Promise<Found> {
  const place = options.socket === undefined ? findSocket(environment) : { socket: options.socket };
  if (place.socket === null) {
    return { engine: null, readiness: { ready: false, reason: place.reason, remedy: place.remedy } };
  }
  try {
    const engine = await connect(place.socket);
    const readiness = judge(engine.info, options.runtime);
    return readiness.ready ? { engine, readiness } : { engine: null, readiness };
  } catch (error) {
    const reason = `the container engine at \`${place.socket}\` cannot be used: ${engineMessage(error)}`;
    const remedy = 'Start the engine, or make sure that you may use it (`docker info` must work).';
    return { engine: null, readiness: { ready: false, reason, remedy } };
  }
}
