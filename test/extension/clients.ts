import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { type HttpServer, startHttp } from '../support/mcp.ts';
import { program, type World } from '../support/world.ts';

export type Era = 'legacy' | 'modern';
export const eras: readonly Era[] = ['legacy', 'modern'];

const negotiation = { legacy: 'legacy', modern: { pin: '2026-07-28' } } as const;

/** The protocol's own client, before it has connected. */
export function clientOf(era: Era): Client {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: negotiation[era] }, capabilities: {} },
  );
  onTestFinished(() => client.close().catch(() => {}));
  return client;
}

/** The protocol's own client, connected to a server of its own over stdio. */
export async function clientOverStdio(world: World, era: Era, args: readonly string[] = ['serve']): Promise<Client> {
  const client = clientOf(era);
  const environment = Object.entries(world.environment()).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    cwd: world.project,
    env: Object.fromEntries(environment),
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

/** The protocol's own client, connected to a server over HTTP. */
export async function clientOverHttp(world: World, era: Era, server?: HttpServer): Promise<Client> {
  const { url } = server ?? (await startHttp(world));
  const client = clientOf(era);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}
