import { statSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Container, ContainerCreateOptions, HostConfig } from 'dockerode';
import { type Environment, variable } from '../../../core/environment.ts';
import { reasonOf } from '../../../core/errors.ts';
import { sessionDir } from '../../../core/paths.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import type { EngineInfo } from './ability.ts';

/** An engine that has answered. */
export interface Engine {
  readonly docker: Docker;
  readonly socket: string;
  readonly info: EngineInfo;
  /** Makes a connection for each request, and keeps none. */
  readonly agent: Agent;
}

/** What every container of ours is made with, besides its limits. */
export interface Walls {
  /** The security option with our filter of system calls. */
  readonly callOption: string;
  /** What the engine runs containers with; absent for its default. */
  readonly runtime?: string | undefined;
}

/** How long an engine may take for an answer that it has ready. */
const answerMs = 10_000;

/** The library is loaded here and nowhere else: only who runs containers pays for it. */
export async function connect(socket: string): Promise<Engine> {
  const { default: Library } = await import('dockerode');
  // All of them said, because what is not said is taken from variables of the process.
  const agent = new Agent();
  const options = { socketPath: socket, host: '', protocol: 'http', timeout: 0, agent } as const; // its types lack the agent
  const docker = new Library(options);
  const asked = docker.ping().then(() => docker.info() as Promise<EngineInfo>);
  if (await settlesWithin(answerMs, asked)) return { docker, socket, info: await asked, agent };
  // Else the open request would keep the process alive for as long as the engine stays silent.
  agent.destroy();
  throw new Error('it does not answer');
}

/** Lets the process end though the engine still owes answers; where the process goes on, they are still heard. */
export function letGo({ agent }: Engine): void {
  for (const sockets of Object.values(agent.sockets)) for (const socket of sockets ?? []) socket.unref();
}

/** What the engine said when it refused: without the library's words around it. */
export function engineMessage(error: unknown): string {
  const { json, message, code } = error as { json?: { message?: unknown }; message?: string; code?: string };
  const text = typeof json?.message === 'string' ? json.message : (message ?? String(error));
  return (code === undefined || text.includes(code) ? text : `${text} (${code})`)
    .replace(/^\(HTTP code \d+\) [a-z ]+ - /, '')
    .replace(/\bpreparing container [0-9a-f]{64} for attach: /, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The engine's answer by its number; null where there was none. */
export function statusOf(error: unknown): number | null {
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : null;
}

/** Always with a name: what is created must be found again, whatever becomes of the answer. */
export type Plan = ContainerCreateOptions & { readonly name: string };

/** Limits that some engines leave out with no more than a warning. */
const checked: readonly (keyof HostConfig)[] = [
  ...(['Memory', 'MemorySwap', 'PidsLimit', 'ReadonlyRootfs', 'NetworkMode', 'Runtime'] as const),
];

const trusted = new WeakSet<Engine>();

/** Creates a container, and makes sure of the first one of each engine that it is what was asked for. */
export async function create(engine: Engine, plan: Plan): Promise<Container> {
  const { name, ...body } = plan;
  // Said apart, or the library puts all of it, with the variables and their secrets, into the address too.
  const request = { _query: { name }, _body: body } as unknown as ContainerCreateOptions;
  const container = await engine.docker.createContainer(request);
  if (!trusted.has(engine)) {
    const { HostConfig: kept } = await container.inspect();
    const dropped = checked.filter((key) => plan.HostConfig?.[key] !== undefined && plan.HostConfig[key] !== kept[key]);
    if (dropped.length > 0) throw new Error(`the engine ignores ${dropped.join(', ')}; update or replace it`);
    trusted.add(engine);
  }
  return container;
}

/** How long an engine may take to kill and remove a container. */
const removalMs = 15_000;
const tries = 5;
const pauseMs = 100;

/** Kills and removes a container with all that came with it. Tells whether it is gone. */
export async function remove(engine: Engine, name: string): Promise<boolean> {
  let gone = false;
  const removal = (async () => {
    for (let i = 0; i < tries && !gone; i++) {
      if (i > 0) await pause(pauseMs * i);
      gone = await removeOnce(engine, name);
    }
  })();
  await settlesWithin(removalMs, removal);
  return gone;
}

async function removeOnce(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.docker.getContainer(name).remove({ force: true, v: true });
    return true;
  } catch (error) {
    // Anything else, a removal under way or an engine that is busy, is tried again.
    return statusOf(error) === 404;
  }
}

/** How our containers are told from everybody else's. */
export const labels = {
  execution: 'repertoire.execution',
  owner: 'repertoire.owner',
  part: 'repertoire.part',
} as const;

/** What a container is there for: to run a tool, or to hold the network of one. */
export type Part = 'tool' | 'bridge';

/** A name that we know before the engine answers, so that a container whose birth we missed can be removed too. */
export function containerName(execution: string, part: Part): string {
  return `repertoire-${part}-${execution.replace(/[^A-Za-z0-9_.-]/g, '-')}`;
}

/**
 * Whether it can be the name of an image. It becomes part of a path of the engine's interface, where a `?` or a `..`
 * would ask for something else.
 */
export function isImageName(image: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/.test(image) && !/\.\.|\/\//.test(image) && image.length <= 512;
}

/** Where the engine listens, or why it is not spoken to. */
type Place = { readonly socket: string } | { readonly socket: null; readonly reason: string; readonly remedy: string };

const install =
  'Install Docker or Podman and start it (`systemctl enable --now docker`, or `systemctl --user enable --now podman.socket`).';

/** The variables that name an engine, the one that counts first. */
const variables = ['DOCKER_HOST', 'CONTAINER_HOST'] as const;

/** Finds the socket of the engine: the one that is named, else the first that is there. */
export function findSocket(environment: Environment): Place {
  for (const name of variables) {
    const value = variable(environment, name);
    if (value !== undefined) return namedBy(name, value);
  }
  const found = usualPlaces(environment).find((path) => problemWith(path) === null);
  if (found !== undefined) return { socket: found };
  return { socket: null, reason: 'no container engine was found on this machine', remedy: install };
}

function namedBy(name: string, value: string): Place {
  // Folders of this machine are mounted into the container: an engine elsewhere has others at the same paths.
  if (!/^unix:\/\/\/./.test(value)) {
    return {
      socket: null,
      reason: `${name} is \`${value}\`, but only an engine on this machine can be used`,
      remedy: `Set ${name} to the engine's socket, such as \`unix:///var/run/docker.sock\`, or unset it.`,
    };
  }
  const socket = value.slice('unix://'.length);
  const problem = problemWith(socket);
  if (problem === null) return { socket };
  return {
    socket: null,
    reason: `${name} names \`${socket}\`, which ${problem}`,
    remedy: `Start the engine, or unset ${name}.`,
  };
}

function usualPlaces(environment: Environment): string[] {
  const session = sessionDir(environment);
  return [
    '/var/run/docker.sock',
    ...(session === undefined ? [] : [join(session, 'docker.sock'), join(session, 'podman', 'podman.sock')]),
    '/run/podman/podman.sock',
  ];
}

function problemWith(path: string): string | null {
  try {
    return statSync(path).isSocket() ? null : 'is not a socket';
  } catch (error) {
    return `cannot be reached (${reasonOf(error)})`;
  }
}
