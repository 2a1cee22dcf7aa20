import { Agent } from 'node:http';
import type Docker from 'dockerode';
import { settlesWithin } from '../../kernel/settles-within.ts';
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
