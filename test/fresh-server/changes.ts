import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Message, StdioServer } from '../support/mcp.ts';

export type List = 'tools' | 'resources' | 'prompts';
export const lists: readonly List[] = ['tools', 'resources', 'prompts'];

/** Every message so far that says that a list has changed. */
export function toldOf(server: StdioServer, list: List = 'tools'): Message[] {
  return server.messages.filter(({ method }) => method === `notifications/${list}/list_changed`);
}

/** The next message that says so. */
export function nextTold(server: StdioServer, list: List = 'tools'): Promise<Message> {
  return server.next(({ method }) => method === `notifications/${list}/list_changed`);
}

/** Longer than a server waits for the end of a burst of changes. */
export const pastDebounceMs = 1000;

/** Waits until the server has had nothing to say for as long as it waits for the end of a burst, and then some. */
export async function quiet(server: StdioServer): Promise<void> {
  await server.logged(/ready: /);
  const said = (): string => server.stderr.replace(/^.* refreshed: .*\n/gm, '') + server.stdout;
  for (let before: string | undefined; before !== said(); ) {
    before = said();
    await sleep(pastDebounceMs);
  }
}

/** The environment of a server that has one of the scripts beside this file loaded before its own code. */
export function withScript(name: 'hurried-clock' | 'no-watches'): { env: { NODE_OPTIONS: string } } {
  return { env: { NODE_OPTIONS: `--require=${fileURLToPath(new URL(`${name}.cjs`, import.meta.url))}` } };
}

/** The description of the tool `skill`, which lists every skill. Asking for it makes nobody look at the disk. */
export async function catalogue(server: StdioServer): Promise<string> {
  return (await server.tools())[0]?.description ?? '';
}
