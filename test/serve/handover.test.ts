import { existsSync, readdirSync } from 'node:fs';
import type { Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import type { Logger } from '../../src/core/log.ts';
import { createServerFactory } from '../../src/faces/mcp/server.ts';
import { createConnection } from '../../src/faces/mcp/stdio/connection.ts';
import { startProtocol } from '../../src/faces/mcp/stdio/protocol.ts';
import { connectStdio, type Message, modernMeta, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { longTimers, slowSkills } from './slow.ts';
import { serviceOn } from './twins.ts';

const quiet: Logger = { error() {}, warn() {}, info() {}, debug() {} };

it('the library is told of a handshake that was answered before it was loaded', async () => {
  const service = await serviceOn(createWorld());
  const servers: Server[] = [];
  const written: Message[] = [];
  const output = {
    write: (line: string) => void written.push(JSON.parse(line) as Message),
    flushed: async () => {},
  };
  const connection = createConnection(service, output, async (send) =>
    startProtocol(
      (era) => {
        const server = createServerFactory(service)(era);
        servers.push(server);
        return server;
      },
      send,
      quiet,
    ),
  );
  const say = (message: object) =>
    connection.receive(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`));
  const clientInfo = { name: 'client', version: '7.5', title: 'Client' };
  const capabilities = { roots: { listChanged: true }, extensions: { 'com.example/x': { deep: [1] } } };
  say({ id: 'i', method: 'initialize', params: { protocolVersion: '2025-03-26', capabilities, clientInfo } });
  say({ method: 'notifications/initialized' });
  await connection.idle();
  expect(servers).toHaveLength(0);
  say({ id: 'p', method: 'prompts/list' });
  await connection.idle();
  expect(written.map(({ id }) => id)).toEqual(['i', 'p']);
  expect(servers).toHaveLength(1);
  expect(servers[0]?.getClientCapabilities()).toEqual(capabilities);
  expect(servers[0]?.getClientVersion()).toEqual(clientInfo);
  expect(servers[0]?.getNegotiatedProtocolVersion()).toBe('2025-03-26');
});

it('no answer is lost or doubled when many requests arrive while the library is being loaded', async () => {
  const world = createWorld();
  world.skill('project/skills/one');
  const server = startStdio(world, ['serve']);
  const methods = ['ping', 'tools/list', 'prompts/list', 'resources/list', 'skills/list', 'no/such/method'];
  const hello = server.initialize();
  const answers = Array.from({ length: 300 }, (_, at) => server.ask(methods[at % methods.length] ?? 'ping'));
  await hello;
  const outcomes = (await Promise.all(answers)).map(({ result, error }) =>
    error ? error.code : Object.keys(result ?? {}),
  );
  const expected = [[], ['tools'], ['prompts'], ['resources'], ['skills', '_meta'], -32601];
  expect(outcomes).toEqual(outcomes.map((_, at) => expected[at % expected.length]));
  expect(await server.end()).toBe(0);
  const ids = server.messages.map(({ id }) => id);
  expect(ids.length).toBe(301);
  expect(new Set(ids).size).toBe(301);
});

it('a client that gives every request the same id has an answer to each', async () => {
  const server = startStdio(createWorld(), ['serve']);
  for (const method of ['ping', 'tools/list', 'prompts/list', 'resources/list', 'ping']) server.send({ id: 1, method });
  await expect.poll(() => server.messages.length).toBe(5);
  expect(await server.end()).toBe(0);
});

/** All descriptions, however many. */
const everything = ['mcp', '--catalog-budget', '0'];

/** Of so many skills only the folders are looked at: a memory of the last start makes the list quick, and wrong. */
async function remembered() {
  const world = createWorld();
  for (let at = 0; at < 260; at++) world.skill(`home/.claude/skills/other-${at}`);
  world.skill('project/skills/pdf', { description: 'Old words.' });
  const first = await connectStdio(world, everything);
  await first.tools();
  await first.logged(/ready:/);
  const memory = world.path('cache/repertoire/said');
  await expect.poll(() => existsSync(memory) && readdirSync(memory).some((name) => name.endsWith('.json'))).toBe(true);
  await first.end();
  world.skill('project/skills/pdf', { description: 'New words.' });
  return world;
}

it('notifications flow although the library has answered nothing', async () => {
  const server = await connectStdio(await remembered(), everything, longTimers);
  const changed = server.next(({ method }) => method === 'notifications/tools/list_changed');
  expect((await server.tools())[0]?.description).toContain('Old words.');
  await changed;
  expect((await server.tools())[0]?.description).toContain('New words.');
});

it('a client that has not sent `initialized` is not notified', async () => {
  const server = startStdio(await remembered(), everything, longTimers);
  await server.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  expect((await server.tools())[0]?.description).toContain('Old words.');
  await server.logged(/ready:/);
  expect((await server.tools())[0]?.description).toContain('New words.');
  await server.end();
  expect(server.messages.filter(({ method }) => method !== undefined)).toEqual([]);
});

it('clients of the newer era are notified of what they have subscribed to, and of nothing else', async () => {
  const world = await remembered();
  const [deaf, keen] = [startStdio(world, everything), startStdio(world, everything)];
  const acknowledged = keen.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
  keen.send({
    id: 'sub',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, ...modernMeta },
  });
  for (const server of [deaf, keen]) {
    await server.request('tools/list', modernMeta);
    await server.logged(/ready:/);
  }
  await acknowledged;
  await keen.request('tools/list', modernMeta);
  for (const server of [deaf, keen]) expect(await server.end()).toBe(0);
  expect(deaf.messages.filter(({ method }) => method !== undefined)).toEqual([]);
  // Open to the last, and then closed by its result rather than waited for.
  expect(keen.messages.at(-1)).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
  expect(keen.stderr).not.toContain('given up');
});

it.each(['opening', 'library'])('a cancelled request is not answered: %s', async (when) => {
  const world = createWorld();
  const slow = slowSkills(world, 600);
  const server = await connectStdio(world, ['serve']);
  if (when === 'library') await server.ask('no/such/method');
  server.send({ id: 'gone', method: 'tools/list' });
  server.send({ id: 'kept', method: 'tools/list' });
  server.notify('notifications/cancelled', { requestId: 'gone', reason: 'changed my mind' });
  expect(await server.request('ping')).toEqual({});
  slow.remove();
  await server.next(({ id }) => id === 'kept');
  expect(await server.end()).toBe(0);
  expect(server.messages.filter(({ id }) => id === 'gone')).toEqual([]);
});
