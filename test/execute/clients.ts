import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { Era } from '../extension/clients.ts';
import { program, type World } from '../support/world.ts';

/** What a person answers: yes or no in the form, or not at all; or their client breaks. */
export type Said = 'yes' | 'no' | 'decline' | 'cancel' | 'failure';
export type Answer = Said | (() => Said);

const negotiation = { legacy: 'legacy', modern: { pin: '2026-07-28' } } as const;

/** The protocol's own client, with a person behind it. Questions go to the list. */
export function askedClient(era: Era, asked: string[], answer: Answer): Client {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: negotiation[era] }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    const said = typeof answer === 'function' ? answer() : answer;
    if (said === 'failure') throw new Error('the window was closed');
    if (said === 'decline' || said === 'cancel') return { action: said };
    return { action: 'accept', content: { allow: said === 'yes' } };
  });
  onTestFinished(() => client.close().catch(() => {}));
  return client;
}

/** Connects a client to a server of its own. */
export async function overStdio(
  world: World,
  client: Client,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = ['serve', '--structured'],
): Promise<Client> {
  const all = Object.entries(world.environment(env)).filter((one): one is [string, string] => one[1] !== undefined);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, ...args],
      cwd: world.project,
      env: Object.fromEntries(all),
      stderr: 'ignore',
    }),
  );
  return client;
}
