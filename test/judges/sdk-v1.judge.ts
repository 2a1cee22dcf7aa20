import { rmSync } from 'node:fs';
import { afterAll, beforeAll, it } from 'vitest';
import { command, type JudgingClient, judgeServer } from './client.ts';
import { exampleWorld } from './example-world.ts';
import {
  Client,
  SSEClientTransport,
  StdioClientTransport,
  StreamableHTTPClientTransport,
  ToolListChangedNotificationSchema,
  type Transport,
} from './packages/sdk-v1.mjs';
import { type JudgedServer, startServer } from './server.ts';

const world = exampleWorld();
let http: JudgedServer;
let sse: JudgedServer;

beforeAll(async () => {
  [http, sse] = await Promise.all([
    startServer(world, ['serve', '--transport', 'http']),
    startServer(world, ['serve', '--transport', 'sse']),
  ]);
});

afterAll(async () => {
  await Promise.all([http.stop(), sse.stop()]);
  rmSync(world.root, { recursive: true, force: true });
});

const transports: Readonly<Record<string, () => Transport>> = {
  stdio: () => new StdioClientTransport(command(world, ['serve'])),
  'streamable HTTP': () => new StreamableHTTPClientTransport(new URL(http.url)),
  'streamable HTTP where SSE is served': () => new StreamableHTTPClientTransport(new URL(sse.url)),
  SSE: () => new SSEClientTransport(new URL(sse.url)),
};

async function connect(transport: Transport): Promise<JudgingClient> {
  const client = new Client({ name: 'judge', version: '1.0.0' });
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes++;
  });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    prompts: async () => (await client.listPrompts()).prompts,
    changes: () => changes,
    close: () => client.close(),
  };
}

it.for(Object.entries(transports))('%s', async ([name, open]) => {
  const client = await connect(open());
  try {
    await judgeServer(client, world, `new-by-${name.toLowerCase().replaceAll(' ', '-')}`);
  } finally {
    await client.close();
  }
});
