import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { balance } from '../cluster/balancer.ts';
import { shTool } from '../cluster/team.ts';
import { Workshop } from '../run/workshop.ts';
import { startHttp } from '../support/mcp.ts';
import { startNats } from '../support/nats.ts';
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

it('is told by another server of the cluster when its own dies after some progress', async () => {
  const nats = await startNats();
  const shops = [new Workshop(), new Workshop()];
  for (const shop of shops) shop.skill(shTool('talk', 'while :; do echo tick; sleep 0.2; done'));
  const args = ['serve', '--http', '--cluster', nats.url];
  const servers = await Promise.all(shops.map((shop) => startHttp(shop.world, args)));
  const client = new Client({ name: 'judge', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', await balance(servers.map(({ url }) => url)))),
  );
  onTestFinished(() => client.close());
  let lost: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    const name = 'skill-engine/execute';
    const call = client.callTool(
      { name, arguments: { skill_name: 'demo', tool_name: 'talk', parameters: {} } },
      undefined,
      { onprogress: () => resolve() },
    );
    lost = expect(call).rejects.toThrow('the answer with it');
  });
  servers[shops.findIndex((shop) => shop.records().length > 0)]?.process.child.kill('SIGKILL');
  await lost;
});
