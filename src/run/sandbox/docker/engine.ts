import { statSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Container, ContainerCreateOptions, HostConfig } from 'dockerode';
import { sessionDir } from '../../../core/disk/paths.ts';
import { type Environment, variable } from '../../../core/environment.ts';
import { reasonOf } from '../../../core/errors.ts';
import { settlesWithin } from '../../../core/settles-within.ts';
import type { EngineInfo } from './ability.ts';

/** A container engine that has answered. */
export interface Engine {
  readonly docker: Docker;
  readonly socket: string;
  readonly info: EngineInfo;
  /** The HTTP agent, which opens a connection for each request and keeps none. */
  readonly agent: Agent;
}

/** Settings that every container of ours is created with, besides its limits. */
export interface Walls {
  /** The security option with our seccomp filter. */
  readonly callOption: string;
  /** The runtime that the engine uses for containers; absent for its default. */
  readonly runtime?: string | undefined;
}

/** Milliseconds an engine may take for an answer that it has ready. */
const answerMs = 10_000;

/** Connects to an engine. Only this function loads the library, so that only callers that run containers pay for it. */
export async function connect(socket: string): Promise<Engine> {
  const { default: Library } = await import('dockerode');
  // Every option is set explicitly, because the library takes missing ones from environment variables.
  const agent = new Agent();
  const options = { socketPath: socket, host: '', protocol: 'http', timeout: 0, agent } as const; // types lack `agent`
  const docker = new Library(options);
  const asked = docker.ping().then(() => docker.info() as Promise<EngineInfo>);
  if (await settlesWithin(answerMs, asked)) return { docker, socket, info: await asked, agent };
  // An open request would keep the process alive for as long as the engine stays silent.
  agent.destroy();
  throw new Error('it does not answer');
}

/** Lets the process end while the engine still owes answers; if the process goes on, they are still received. */
export function letGo({ agent }: Engine): void {
  for (const sockets of Object.values(agent.sockets)) for (const socket of sockets ?? []) socket.unref();
}

/** The engine's own message when it refused, without the library's words around it. */
export function engineMessage(error: unknown): string {
  const { json, message, code } = error as { json?: { message?: unknown }; message?: string; code?: string };
  const text = typeof json?.message === 'string' ? json.message : (message ?? String(error));
  return (code === undefined || text.includes(code) ? text : `${text} (${code})`)
    .replace(/^\(HTTP code \d+\) [a-z ]+ - /, '')
    .replace(/\bpreparing container [0-9a-f]{64} for attach: /, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The HTTP status of the engine's answer; null if there was none. */
export function statusOf(error: unknown): number | null {
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : null;
}

/** A container to be created, always with a name: it must be found again even if the answer is lost. */
export type Plan = ContainerCreateOptions & { readonly name: string };

/** Limits that some engines drop with no more than a warning. */
const checked: readonly (keyof HostConfig)[] = [
  ...(['Memory', 'MemorySwap', 'PidsLimit', 'ReadonlyRootfs', 'NetworkMode', 'Runtime'] as const),
];

const trusted = new WeakSet<Engine>();

/** Creates a container, and verifies for the first one of each engine that it has the settings that were requested. */
export async function create(engine: Engine, plan: Plan): Promise<Container> {
  const { name, ...body } = plan;
  // Name and body are passed separately; the library would otherwise put everything, including variables and their
  // secrets, into the URL too.
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

/** Milliseconds an engine may take to kill and remove a container. */
const removalMs = 15_000;
const tries = 5;
const pauseMs = 100;

/** Kills and removes a container with everything that belongs to it. Returns whether it is gone. */
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
    // Any other error, such as a removal under way or a busy engine, is retried.
    return statusOf(error) === 404;
  }
}

/** Labels that tell our containers from everybody else's. */
export const labels = {
  execution: 'repertoire.execution',
  owner: 'repertoire.owner',
  part: 'repertoire.part',
} as const;

/** The purpose of a container: to run a tool, or to hold the network of one. */
export type Part = 'tool' | 'bridge';

/**
 * Returns a name that is known before the engine answers, so that a container can be removed even if the answer to its
 * creation was missed.
 */
export function containerName(execution: string, part: Part): string {
  return `repertoire-${part}-${execution.replace(/[^A-Za-z0-9_.-]/g, '-')}`;
}

/**
 * Tells whether a text can be the name of an image. It becomes part of a path of the engine's API, where a `?` or a
 * `..` would request something else.
 */
export function isImageName(image: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/.test(image) && !/\.\.|\/\//.test(image) && image.length <= 512;
}

/** The socket on which the engine listens, or the reason why it is not used. */
type Place = { readonly socket: string } | { readonly socket: null; readonly reason: string; readonly remedy: string };

const install =
  'Install Docker or Podman and start it (`systemctl enable --now docker`, or `systemctl --user enable --now podman.socket`).';

/** The variables that name an engine, in order of precedence. */
const variables = ['DOCKER_HOST', 'CONTAINER_HOST'] as const;

/** Finds the socket of the engine: the configured one, or else the first that exists. */
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
  // Folders of this machine are mounted into the container; a remote engine has others at the same paths.
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
