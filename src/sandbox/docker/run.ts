import type { ImageInspectInfo } from 'dockerode';
import { realPathOf } from '../../kernel/files.ts';
import { proxyVariables } from '../egress/variables.ts';
import { engineError } from '../ending.ts';
import { proxyPort } from '../linux/arguments.ts';
import { supervise } from '../supervise.ts';
import type { Outcome, RunSpec, Task, Watcher } from '../types.ts';
import { enforcementBy, isPodman } from './ability.ts';
import { callOption } from './call-profile.ts';
import { containerFor, mountsOf } from './container.ts';
import type { Plan } from './create.ts';
import { type Egress, egressFor } from './egress.ts';
import { type Engine, statusOf, type Walls } from './engine.ts';
import { live } from './life.ts';
import { watchLimits } from './limit-watch.ts';
import { meterFor } from './meter.ts';
import { problemWithMounts } from './mounts.ts';
import { isImageName } from './names.ts';
import { createRunFolder } from './run-folder.ts';

type ContainerJob = Extract<Task, { kind: 'container' }>;

/** What containers are run with. */
export interface Workplace {
  readonly engine: Engine;
  /** What the engine is to run containers with; absent for its default. */
  readonly runtime?: string | undefined;
  /** Where folders for sockets go. */
  readonly socketParent: string;
  /** Called with the name of a container that the engine did not remove. */
  readonly onLeft: (name: string) => void;
  /** Removes containers whose runs are over, or whose processes have died, and that may still change these folders. */
  readonly free: (mounts: RunSpec['mounts']) => Promise<void>;
}

/** Runs one container to its end. */
export async function runContainer(place: Workplace, spec: RunSpec, watcher: Watcher): Promise<Outcome> {
  const began = performance.now();
  const { engine, onLeft } = place;
  const { task, limits, stdin } = spec;
  const folder = createRunFolder(place.socketParent);
  const egress = spec.network.length === 0 ? null : egressFor(spec, folder);
  const network = egress === null ? 'no network' : 'no network but the egress proxy';
  const enforcement = enforcementBy(engine.info, network, place.runtime);
  const problem = problemWith(spec);
  if (problem !== null || task.kind !== 'container') {
    return { ...engineError(problem ?? '', performance.now() - began), enforcement, denials: [] };
  }
  const meter = meterFor(engine.info, limits.cpuSeconds);
  const watch = watchLimits(engine.info, spec);
  const life = live(engine, {
    prepare: async () => {
      await checkFolders(place, spec);
      const walls = { callOption: callOption(engine.info, folder), runtime: place.runtime };
      return plan(engine, spec, task, egress, walls);
    },
    onCreate: ({ id }) => watch.created(id),
    onStart: meter.start,
    onQuiet: watch.reached,
    onEnd: watch.atEnd,
    onLeft,
    clear: async () => {
      await egress?.close(engine, onLeft);
      folder.remove();
    },
    input: stdin === null ? 'none' : 'pipe',
  });
  const ending = await supervise(
    { ...life, cpuSeconds: meter.seconds, memoryBytes: meter.memoryBytes, reached: watch.reached },
    { stdin, limits, watcher, began },
  );
  const denials = egress?.denials() ?? [];
  return { ...ending, message: life.note() ?? ending.message, enforcement, denials };
}

/**
 * The engine mounts by name what was looked at before. Runs under way that could turn it into a link are waited for; others, of which
 * nobody knows any more, are ended here.
 */
async function checkFolders({ free }: Workplace, { mounts, guards = [] }: RunSpec): Promise<void> {
  if (mounts.length === 0) return;
  await free(mounts);
  const turned = [...mounts, ...guards].find(({ source }) => !isItself(source));
  if (turned !== undefined) throw new Error(`${turned.source} was replaced while the run was starting`);
}

function isItself(path: string): boolean {
  const real = realPathOf(path);
  return real.ok && real.value === path;
}

async function plan(
  engine: Engine,
  spec: RunSpec,
  task: ContainerJob,
  egress: Egress | null,
  walls: Walls,
): Promise<Plan> {
  const { args } = task;
  const image = await imageOf(engine, task.image);
  const network = (await egress?.open(engine, image.Id, walls)) ?? 'none';
  const env = egress === null ? spec.env : { ...spec.env, ...proxyVariables(proxyPort) };
  return containerFor(spec, engine.info, { image, args, env, network, walls });
}

/** It is never fetched unasked: what runs is what the operator has looked at. */
async function imageOf(engine: Engine, name: string): Promise<ImageInspectInfo> {
  try {
    return await engine.docker.getImage(name).inspect();
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    const program = isPodman(engine.info) ? 'podman' : 'docker';
    throw new Error(`the image ${name} is not on this machine; fetch it with \`${program} pull ${name}\``);
  }
}

/** What no engine would understand as it is meant. */
function problemWith(spec: RunSpec): string | null {
  const { task } = spec;
  if (task.kind !== 'container') return `containers run images, not a ${task.kind}`;
  if (!isImageName(task.image)) return `\`${task.image}\` is not the name of an image`;
  const texts = [...task.args, ...Object.entries(spec.env).flat()];
  if (texts.some((text) => text.includes('\0'))) return 'arguments and variables cannot contain NUL characters';
  return problemWithMounts(mountsOf(spec));
}
