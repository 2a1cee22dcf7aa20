import type Docker from 'dockerode';
import { within } from '../../kernel/patience.ts';
import type { EngineInfo } from './ability.ts';

/** An engine that has answered. */
export interface Engine {
  readonly docker: Docker;
  readonly socket: string;
  readonly info: EngineInfo;
}

/** How long an engine may take for an answer that it has ready. */
const answerMs = 10_000;

/** The library is loaded here and nowhere else: only who runs containers pays for it. */
export async function connect(socket: string): Promise<Engine> {
  const { default: Library } = await import('dockerode');
  // All of them said, because what is not said is taken from variables of the process.
  const docker = new Library({ socketPath: socket, host: '', protocol: 'http', timeout: 0 });
  const asked = docker.ping().then(() => docker.info() as Promise<EngineInfo>);
  if (!(await within(answerMs, asked))) throw new Error('it does not answer');
  return { docker, socket, info: await asked };
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
