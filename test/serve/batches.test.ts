import { describe, expect, it } from 'vitest';
import { modernMeta, type StdioServer, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { slowSkills } from './slow.ts';

/** Every line of stdout so far, as it came. */
function lines(server: StdioServer): unknown[] {
  return server.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** Sends a batch and gives the line that comes for it. */
async function send(server: StdioServer, ...messages: unknown[]): Promise<unknown> {
  const before = lines(server).length;
  server.write(`${JSON.stringify(messages)}\n`);
  await expect.poll(() => lines(server).length, { interval: 10 }).toBeGreaterThan(before);
  return lines(server)[before];
}

const request = (id: number | string, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
const ids = (batch: unknown): unknown[] =>
  (batch as { id: unknown }[]).map(({ id }) => id).sort((a, b) => String(a).localeCompare(String(b)));

describe.each(['2024-11-05', '2025-03-26'])('revision %s', (revision) => {
  it('a batch is answered by a batch, before and after the library is loaded', async () => {
    const server = startStdio(createWorld(), ['serve']);
    await server.initialize(revision);
    expect(ids(await send(server, request('a', 'ping'), request('b', 'tools/list')))).toEqual(['a', 'b']);
    const mixed = await send(
      server,
      request('c', 'prompts/list'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request('d', 'no/such/method'),
      { not: 'a message' },
      request('e', 'ping'),
    );
    expect(ids(mixed)).toEqual(['c', 'd', 'e', null]);
    const errors = (mixed as { id: unknown; error?: { code: number } }[]).filter(({ error }) => error !== undefined);
    expect(new Map(errors.map(({ id, error }) => [id, error?.code]))).toEqual(
      new Map<unknown, unknown>([
        ['d', -32601],
        [null, -32600],
      ]),
    );
    expect(lines(server)).toHaveLength(3); // nothing was answered twice, or alone
  });

  it('a batch of notifications alone gets no answer', async () => {
    const server = startStdio(createWorld(), ['serve']);
    await server.initialize(revision);
    server.write(`${JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/initialized' }])}\n`);
    expect(await server.request('ping')).toEqual({});
    expect(lines(server)).toHaveLength(2);
  });

  it('an empty batch, one that is too long, and a handshake in one are refused', async () => {
    const server = startStdio(createWorld(), ['serve']);
    await server.initialize(revision);
    const refusal = (message: string) => ({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: `Invalid request: ${message}` },
    });
    expect(await send(server)).toEqual(refusal('the batch is empty'));
    const many = Array.from({ length: 101 }, (_, at) => request(at, 'ping'));
    expect(await send(server, ...many)).toEqual(refusal('a batch may hold 100 messages, not 101'));
    expect(await send(server, request(1, 'initialize'), request(2, 'ping'))).toEqual(
      refusal('`initialize` cannot be part of a batch'),
    );
    expect(ids(await send(server, ...many.slice(1)))).toHaveLength(100);
  });

  it('the answer to a batch leaves out cancelled requests', async () => {
    const world = createWorld();
    slowSkills(world, 600);
    const server = startStdio(world, ['serve']);
    await server.initialize(revision);
    server.write(`${JSON.stringify([request('slow', 'tools/list'), request('quick', 'ping')])}\n`);
    await server.request('ping');
    expect(lines(server)).toHaveLength(2); // the handshake and the ping: the batch waits
    server.notify('notifications/cancelled', { requestId: 'slow' });
    await server.request('ping');
    expect(lines(server)[2]).toEqual([{ jsonrpc: '2.0', id: 'quick', result: {} }]);
  });
});

it.each([
  ['2025-06-18', { name: 'test', version: '1' }],
  ['2025-11-25', { name: 'test', version: '1' }],
  // This handshake is answered by the library.
  ['2025-11-25', { name: 'test', version: '1', icons: [{ src: 'https://example.com/i.png' }] }],
])('revision %s has no batches', async (protocolVersion, clientInfo) => {
  const server = startStdio(createWorld(), ['serve']);
  await server.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
  const refusal = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: `Invalid request: revision ${protocolVersion} has no batches` },
  };
  expect(await send(server, request(8, 'ping'))).toEqual(refusal);
  await server.request('prompts/list');
  expect(await send(server, request(9, 'ping'))).toEqual(refusal);
  expect(await server.request('ping')).toEqual({});
});

it('the newer protocol era has no batches either', async () => {
  const server = startStdio(createWorld(), ['serve']);
  await server.request('server/discover', modernMeta);
  expect(await send(server, request(9, 'tools/list', modernMeta))).toMatchObject({ id: null, error: { code: -32600 } });
});
