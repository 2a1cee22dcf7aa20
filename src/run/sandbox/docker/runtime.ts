import type { ContainerInspectInfo } from 'dockerode';
import { discard } from '../../../core/disk/replace.ts';
import type { Environment } from '../../../core/environment.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import type { Mount } from '../../policy/types.ts';
import { engineError } from '../ending.ts';
import { couldTurn } from '../folder-reach.ts';
import { runtimeParent } from '../linux/machine.ts';
import { isOrphaned, orphansIn } from '../linux/owner.ts';
import { folderPrefix } from '../linux/system-view.ts';
import {
  type Outcome,
  type Readiness,
  type RunSpec,
  type SandboxRuntime,
  skillTarget,
  type Watcher,
} from '../types.ts';
import { isPodman, judge } from './ability.ts';
import { connect, type Engine, engineMessage, findSocket, labels, letGo, remove, statusOf } from './engine.ts';
import { missingImage, runContainer } from './run.ts';

interface DockerOptions {
  /** The socket of the engine; found automatically if absent. */
  readonly socket?: string;
  /** The runtime that the engine is to use for containers, such as `runsc`; its default if absent. */
  readonly runtime?: string | undefined;
}

type Found =
  | { readonly engine: Engine; readonly readiness: Readiness & { readonly ready: true } }
  | { readonly engine: null; readonly readiness: Readiness & { readonly ready: false } };

/** Milliseconds between attempts to remove containers that an engine did not remove. */
const sweepEveryMs = 60_000;

/** Runs containers through Docker, or through Podman, which speaks the same API. */
export function createDockerRuntime(environment: Environment, options: DockerOptions = {}): SandboxRuntime {
  /** Containers that the engine did not remove when their run was over. */
  const left = new Set<string>();
  const socketParent = runtimeParent(environment);
  let finding: Promise<Found> | null = null;
  let sweeping: Promise<unknown> = Promise.resolve();
  let sweptAt = Number.NEGATIVE_INFINITY;
  let running = 0;

  /** Finds the engine once, and again if there was none: an engine may be started later. */
  const find = async (): Promise<Found> => {
    finding ??= findEngine(environment, options);
    const found = await finding;
    if (found.engine === null) finding = null;
    return found;
  };
  /** Sweeps alongside a run, the first and later ones: without containers, nobody has asked us to talk to an engine. */
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
    lacks: async (task) => {
      const { engine } = await find();
      if (engine === null || task.kind !== 'container') return null;
      const lack = await missingImage(engine, task.image);
      if (running === 0) letGo(engine);
      return lack;
    },
    run: async (spec: RunSpec, watcher: Watcher): Promise<Outcome> => {
      const { engine, readiness } = await find();
      if (engine !== null) return runOn(engine, spec, watcher);
      return { ...engineError(`${readiness.reason}. ${readiness.remedy}`, 0), enforcement: [], denials: [] };
    },
    sweep: async () => {
      for (const orphan of orphansIn(socketParent, folderPrefix)) discard(orphan);
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

/** Milliseconds an engine may take to list and remove containers; another sweep finds those that are left. */
const sweepMs = 10_000;

/** A container as the engine identifies it. */
interface Orphan {
  readonly id: string;
  readonly part: string | undefined;
}

/** Removes the containers of processes that are certainly gone, as far as the engine manages it in time. */
async function sweepContainers(engine: Engine): Promise<void> {
  await settlesWithin(sweepMs, removeOrphans(engine));
}

/** Lists containers of processes that are certainly gone; containers outlive a reboot of the host, processes do not. */
async function orphansOn({ docker }: Engine): Promise<readonly Orphan[]> {
  const listing = docker.listContainers({ all: true, filters: { label: [labels.owner] } });
  if (!(await settlesWithin(sweepMs, listing)))
    throw new Error('the container engine takes too long to list containers');
  const ours = await listing;
  const orphans = ours.filter((container) => isOrphaned(container.Labels[labels.owner] ?? ''));
  return orphans.map(({ Id, Labels }) => ({ id: Id, part: Labels[labels.part] }));
}

async function removeOrphans(engine: Engine): Promise<void> {
  const orphans = await orphansOn(engine);
  // A bridge is removed last: its network is in use as long as the container of the tool exists.
  const bridges = orphans.filter(({ part }) => part === 'bridge');
  const tools = orphans.filter((orphan) => !bridges.includes(orphan));
  for (const group of [tools, bridges]) await Promise.all(group.map(({ id }) => remove(engine, id)));
}

/** Milliseconds an engine may take to describe a container. */
const inspectTimeoutMs = 10_000;

/** States in which a container changes nothing any more; one in state `created` may be about to start. */
const ended: ReadonlySet<string> = new Set(['exited', 'dead']);

/**
 * Removes those of the given containers, whose runs are over, that could still replace a folder about to be mounted by
 * a link. Throws if the engine does not remove one of them.
 */
async function freeFolders(engine: Engine, others: Iterable<string>, mounts: readonly Mount[]): Promise<void> {
  await Promise.all([...others].map((id) => free(engine, id, mounts)));
}

async function free(engine: Engine, id: string, mounts: readonly Mount[]): Promise<void> {
  const { name, writable } = await lookAt(engine, id);
  const folder = writable.find((source) => source === null || mounts.some((mount) => couldTurn(source, mount)));
  if (folder === undefined || (await remove(engine, id))) return;
  const where = folder === null ? 'folders that the engine does not tell' : folder;
  throw new Error(
    `the container ${name}, whose run is over, may still change ${where}, and the engine does not remove it; remove it with \`${removal(engine, name)}\``,
  );
}

interface Seen {
  readonly name: string;
  /** Folders of the host that it can write to; null for an unknown one. */
  readonly writable: readonly (string | null)[];
}

async function lookAt({ docker }: Engine, id: string): Promise<Seen> {
  const asked = docker.getContainer(id).inspect();
  try {
    return (await settlesWithin(inspectTimeoutMs, asked)) ? seenIn(await asked) : { name: id, writable: [null] };
  } catch (error) {
    return { name: id, writable: statusOf(error) === 404 ? [] : [null] };
  }
}

/** Reads an engine's description of a container. Anything missing from it is taken to be unknown. */
function seenIn({ Name, State, Mounts }: Partial<ContainerInspectInfo> & { readonly Name: string }): Seen {
  const name = Name.replace(/^\//, '');
  if (State !== undefined && ended.has(State.Status)) return { name, writable: [] };
  const writable = Mounts?.filter(({ RW }) => RW).map(({ Source }) => Source || null);
  return { name, writable: writable ?? [null] };
}

function removal({ info, socket }: Engine, name: string): string {
  return isPodman(info)
    ? `podman --url unix://${socket} rm --force ${name}`
    : `docker --host unix://${socket} rm --force ${name}`;
}
