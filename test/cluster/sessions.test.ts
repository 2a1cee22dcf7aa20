import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { clientOf, eras } from '../extension/clients.ts';
import { Workshop } from '../run/workshop.ts';
import { ask, openSession } from '../serve/http.ts';
import { type HttpServer, startHttp } from '../support/mcp.ts';
import { type NatsCluster, startNats } from '../support/nats.ts';
import { createWorld, type World } from '../support/world.ts';
import { balance } from './balancer.ts';
import { shTool } from './team.ts';

/** A server of a cluster, over HTTP. */
function serve(world: World, { url }: NatsCluster): Promise<HttpServer> {
  return startHttp(world, ['serve', '--http', '--cluster', url]);
}

/** Two servers on machines of their own, which have the same skill. */
async function twoServers(nats: NatsCluster): Promise<readonly [HttpServer, HttpServer]> {
  const worlds = [createWorld(), createWorld()] as const;
  for (const world of worlds)
    world.skill('project/skills/zebra', { description: 'Counts stripes.', body: '\nSeven.\n' });
  return Promise.all([serve(worlds[0], nats), serve(worlds[1], nats)]);
}

function kill({ process: { child } }: HttpServer): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  return gone;
}

/** A session, used at the address of another server. */
function at(url: string, headers: Readonly<Record<string, string>>, method: string, params: object = {}) {
  return ask(url, { headers, body: { jsonrpc: '2.0', id: method, method, params } });
}

/** An answer without the folder that a server has its skills in. */
const alike = (answer: unknown): string => JSON.stringify(answer).replace(/\/\S*\/project\//g, '');

const load = { name: 'skill', arguments: { name: 'zebra' } };

describe('a session of the handshake era', () => {
  test('continues on another server when its own is killed', async () => {
    const [one, two] = await twoServers(await startNats());
    const session = await openSession(one.url);
    const { headers } = session;
    const before = await session.request('tools/call', load);
    await kill(one);
    const [first, second] = await Promise.all([
      at(two.url, headers, 'tools/call', load),
      at(two.url, headers, 'tools/list'),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(alike(first.messages[0]?.result)).toBe(alike(before));
  });

  test('is over everywhere once its client has ended it', async () => {
    const [one, two] = await twoServers(await startNats());
    const { headers } = await openSession(one.url);
    expect((await ask(one.url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await at(two.url, headers, 'tools/list')).status).toBe(404);
  });

  test('that nobody has opened is not found, whatever its id', async () => {
    const [one] = await twoServers(await startNats());
    for (const id of ['3f2b8c1e-0000-4000-8000-000000000000', '>', '*', '../x', 'a b']) {
      expect((await at(one.url, { 'mcp-session-id': id }, 'tools/list')).status).toBe(404);
    }
  });

  test('is not taken for ended on another server while the cluster is away', async () => {
    const nats = await startNats();
    const [one, two] = await twoServers(nats);
    const { headers } = await openSession(one.url);
    await nats.nodes[0]?.kill();
    const refused = await at(two.url, headers, 'tools/list');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.stringify(refused.messages)).toContain('try again');
    await nats.nodes[0]?.start();
    await expect.poll(async () => (await at(two.url, headers, 'tools/list')).status).toBe(200);
  });

  test('works on its own server while the cluster is away', async () => {
    const nats = await startNats();
    const [one] = await twoServers(nats);
    await nats.nodes[0]?.kill();
    const session = await openSession(one.url);
    await expect(session.request('tools/call', load)).resolves.toMatchObject({ content: expect.any(Array) });
  });
});

describe.each(eras)('a client of the %s era behind the balancer', (era) => {
  test('notices nothing of going to another server with every request, nor of a server that is killed', async () => {
    const servers = await twoServers(await startNats());
    const client = clientOf(era);
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', await balance(servers.map(({ url }) => url)))),
    );
    const answers = new Set<string>();
    for (let call = 0; call < 20; call++) {
      if (call === 10) await kill(servers[0]);
      answers.add(alike(await client.callTool(load)));
    }
    expect([...answers]).toEqual([expect.stringContaining('Seven.')]);
  });
});

describe('a client of the handshake era that has had progress', () => {
  const execute = (tool: string) => ({
    name: 'skill-engine/execute',
    arguments: { skill_name: 'demo', tool_name: tool, parameters: {} },
  });

  test('is told by another server when its own dies over the rest', async () => {
    const nats = await startNats();
    const shops = [new Workshop(), new Workshop()];
    for (const shop of shops) shop.skill(shTool('talk', 'while :; do echo tick; sleep 0.2; done'));
    const servers = await Promise.all(shops.map(({ world }) => serve(world, nats)));
    const client = clientOf('legacy');
    const url = new URL('/mcp', await balance(servers.map((server) => server.url)));
    await client.connect(new StreamableHTTPClientTransport(url));
    let lost: Promise<void> | undefined;
    await new Promise<void>((resolve) => {
      const call = client.callTool(execute('talk'), { onprogress: () => resolve() });
      lost = expect(call).rejects.toThrow('the answer with it');
    });
    const at = shops.findIndex((shop) => shop.records().length > 0);
    await kill(servers[at] as HttpServer);
    await lost;
  });

  test('has nothing to wait for when it comes back with the whole answer, as older clients do, and finds no id without progress', async () => {
    const nats = await startNats();
    const shops = [new Workshop(), new Workshop()] as const;
    for (const shop of shops) shop.skill(shTool('talk', 'echo one; sleep 1; echo two; sleep 1; echo three'));
    const [one, two] = await Promise.all([serve(shops[0].world, nats), serve(shops[1].world, nats)]);
    const { headers } = await openSession(one.url);
    const call = (params: object) => at(one.url, headers, 'tools/call', { ...execute('talk'), ...params });
    expect((await call({})).text).not.toMatch(/^id: answer/m);
    const { text } = await call({ _meta: { progressToken: 7 } });
    const [, id = ''] = /^id: (answer-to-\S+)$/m.exec(text) ?? [];
    expect(text.match(/^id: answer/gm)).toHaveLength(1);
    expect(id).not.toBe('');
    for (const { url } of [one, two]) {
      const again = await ask(url, { method: 'GET', headers: { ...headers, 'last-event-id': id } });
      expect(again.status).toBe(405);
    }
  });

  test('is told so by the same server where only the connection was lost', async () => {
    const nats = await startNats();
    const shop = new Workshop();
    shop.skill(shTool('talk', 'while :; do echo tick; sleep 0.2; done'));
    const server = await serve(shop.world, nats);
    const { headers } = await openSession(server.url);
    const leaving = new AbortController();
    const params = { ...execute('talk'), _meta: { progressToken: 7 } };
    const answer = await fetch(server.url, {
      ...{ method: 'POST', signal: leaving.signal },
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }),
    });
    const first = await answer.body?.pipeThrough(new TextDecoderStream()).getReader().read();
    const [, id = ''] = /^id: (\S+)$/m.exec(first?.value ?? '') ?? [];
    leaving.abort();
    await expect.poll(() => shop.records().at(-1)).toMatchObject({ event: 'end', result: 'cancelled' });
    const back = () => ask(server.url, { method: 'GET', headers: { ...headers, 'last-event-id': id } });
    const told = await back();
    expect([told.status, told.text]).toEqual([200, expect.stringContaining('the answer with it')]);
    expect((await back()).status).toBe(405);
  });
});

describe.each(eras)('a client of the %s era', (era) => {
  test('is told at once when its server dies over what it runs', async () => {
    const shop = new Workshop();
    const place = shop.place('here');
    shop.skill(
      `[capabilities]\nfilesystem = { write = ["${place}"] }\n${shTool('wait', `touch ${place}/begun; sleep 600`)}`,
    );
    await shop.grant();
    const server = await startHttp(shop.world, ['serve', '--http']);
    const client = clientOf(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
    const call = client.callTool({
      name: 'skill-engine/execute',
      arguments: { skill_name: 'demo', tool_name: 'wait', parameters: {} },
    });
    const told = expect(call).rejects.toThrow('fetch failed');
    await expect.poll(() => existsSync(join(place, 'begun'))).toBe(true);
    await kill(server);
    await told;
  });
});
