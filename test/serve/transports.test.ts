import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { type HttpServer, startHttp, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { ask, askModern, listenTo, openSession, pdfWorld } from './http.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts a server with these options alone, and waits until it says where it listens, or that it cannot. */
async function started(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const server = startStdio(pdfWorld(), args, { env });
  return server.logged(/listening on \S+|is in use by another program|a token is required/);
}

it('without options the server speaks over stdio [S0-TRANS-01 C2-TRANS-01]', async () => {
  for (const command of ['mcp', 'mcp-server', 'serve']) {
    const server = startStdio(pdfWorld(), [command]);
    expect(await server.initialize()).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(await server.end()).toBe(0);
    expect(server.stderr).not.toContain('listening');
  }
});

it('`--transport http` serves streamable HTTP at /mcp, and nothing elsewhere [S0-TRANS-02 S0-TRANS-04 C2-TRANS-02 S4-TRANS-03]', async () => {
  const { url, process } = await startHttp(pdfWorld(), ['mcp', '--transport', 'http']);
  expect(new URL(url).pathname).toBe('/mcp');
  const session = await openSession(url);
  const answer = await session.ask('tools/call', { name: 'skill', arguments: { name: 'pdf' } });
  expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
  expect(answer.text).toMatch(/^event: message\n/m);
  expect(JSON.stringify(answer.messages[0]?.result)).toContain('How to read PDF.');
  const nowhere = await ask(url.replace('/mcp', '/'), { body: '{}' });
  expect([nowhere.status, nowhere.messages[0]?.error?.message]).toEqual([404, 'nothing is served here; try /mcp']);
  expect((await ask(url.replace('/mcp', '/messages'), { body: '{}' })).status).toBe(404);
  expect((await ask(url, { method: 'PUT', body: '{}' })).status).toBe(405);
  for (const method of ['GET', 'DELETE']) {
    expect((await ask(url, { method })).status, 'without a session').toBe(400);
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    const modern = await ask(url, { method, headers });
    expect([modern.status, modern.headers.allow], 'in the era without sessions').toEqual([405, 'POST']);
  }
  expect((await ask(url.replace('/mcp', '/healthz'), { method: 'GET' })).text).toBe('{"status":"ok"}');
  expect(process.stdout).toBe('');
});

it('`--transport sse` opens a stream at GET /mcp and takes messages at /messages [S0-TRANS-03 S0-TRANS-07 S0-TRANS-08 C2-TRANS-03 C2-TRANS-04]', async () => {
  const { url } = await startHttp(pdfWorld(), ['mcp', '--transport', 'sse']);
  const [mine, other] = [await listenTo(url), await listenTo(url)];
  expect(mine.response.headers['content-type']).toBe('text/event-stream');
  await expect.poll(mine.text).toMatch(/^event: endpoint\ndata: \/messages\?sessionId=[0-9a-f-]{36}\n\n/);
  await expect.poll(other.text).toContain('sessionId=');
  const place = (text: string) => new URL(/data: (\S+)/.exec(text)?.[1] ?? '', url).href;
  expect(place(mine.text())).not.toBe(place(other.text()));
  const say = (message: object) => ask(place(mine.text()), { body: { jsonrpc: '2.0', ...message } });
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
  expect(await say({ id: 1, method: 'initialize', params })).toMatchObject({ status: 202, text: 'Accepted' });
  await expect.poll(mine.messages).toMatchObject([{ id: 1, result: { protocolVersion: '2024-11-05' } }]);
  await say({ method: 'notifications/initialized' });
  await say({ id: 2, method: 'tools/call', params: { name: 'skill', arguments: { name: 'pdf' } } });
  await expect.poll(() => JSON.stringify(mine.messages()[1]?.result)).toContain('How to read PDF.');
  expect(other.messages()).toEqual([]); // what belongs to one session goes to no other
  // The newer ways are there as well: the same endpoint, by POST.
  expect((await openSession(url)).result['protocolVersion']).toBe('2025-11-25');
  expect((await askModern(url, 'tools/list')).status).toBe(200);
});

it('messages for no stream, or none that is open, are refused', async () => {
  const { url } = await startHttp(createWorld(), ['mcp', '--transport', 'sse']);
  const messages = url.replace('/mcp', '/messages');
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await ask(messages, { body })).status).toBe(400);
  expect((await ask(`${messages}?sessionId=`, { body })).status).toBe(400);
  expect((await ask(`${messages}?sessionId=00000000-0000-4000-8000-000000000000`, { body })).status).toBe(404);
  expect((await ask(messages, { method: 'GET' })).status).toBe(405);
  const stream = await listenTo(url);
  await expect.poll(stream.text).toContain('sessionId=');
  const place = new URL(/data: (\S+)/.exec(stream.text())?.[1] ?? '', url).href;
  for (const [wrong, code] of [
    ['{', -32700],
    ['{}', -32600],
    ['[]', -32600],
  ] as const) {
    const answer = await ask(place, { body: wrong });
    expect([answer.status, answer.messages[0]?.error?.code]).toEqual([400, code]);
  }
  stream.close();
  await expect.poll(async () => (await ask(place, { body })).status).toBe(404);
});

it('`--host` sets the address, 127.0.0.1 by default [S0-TRANS-05 C2-TRANS-05]', async () => {
  expect(await started(['serve', '--http', '--port', '0'])).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const elsewhere = await startHttp(pdfWorld(), ['serve', '--http', '--host', '127.0.0.2']);
  expect(elsewhere.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/mcp$/);
  expect((await openSession(elsewhere.url)).id).toBeTruthy();
  const { port } = new URL(elsewhere.url);
  await expect(ask(`http://127.0.0.1:${port}/mcp`)).rejects.toThrow('ECONNREFUSED');
});

it('`--port` sets the port, 3000 by default [S0-TRANS-06 C2-TRANS-06 C2-TRANS-07 S4-TRANS-02]', async () => {
  const port = await freePort();
  expect(await started(['serve', '--transport', 'http', '--port', `${port}`])).toBe(
    `listening on http://127.0.0.1:${port}/mcp`,
  );
  // Somebody else may hold the port of the default; then the server says so, and which it is.
  for (const args of [
    ['serve', '--http'],
    ['serve', '--transport', 'http'],
    ['serve', '--http', '--port', '3000'],
  ]) {
    const server = startStdio(pdfWorld(), args);
    const outcome = await server.logged(/(listening on|port) [^\n]*/);
    expect(outcome).toMatch(/listening on http:\/\/127\.0\.0\.1:3000\/mcp|port 3000 of 127\.0\.0\.1 is in use/);
    if (outcome.startsWith('listening')) expect((await openSession('http://127.0.0.1:3000/mcp')).id).toBeTruthy();
    server.child.kill('SIGTERM');
    await server.exited;
  }
});

it('`--http` means `--transport http` [C2-TRANS-07]', async () => {
  const { url } = await startHttp(pdfWorld(), ['serve', '--http']);
  expect((await openSession(url)).id).toBeTruthy();
  // It is not the transport with a stream at GET.
  expect((await ask(url, { method: 'GET' })).status).toBe(400);
});

it('a wrong host or port is an error that names it, with exit code 2', async () => {
  const world = pdfWorld();
  const taken: HttpServer = await startHttp(world);
  const { port } = new URL(taken.url);
  for (const [args, message] of [
    [['--port', port], `port ${port} of 127.0.0.1 is in use by another program`],
    [['--host', 'no such host'], `'no such host' is not a host to listen on`],
    [['--port', '70000'], '70000'],
    [['--port', 'x'], 'x'],
    [['--host', '203.0.113.7', '--auth-token', 'a-token-of-a-fair-length'], 'this machine has no address 203.0.113.7'],
  ] as const) {
    const run = await world.run(['serve', '--http', ...args]);
    expect([run.code, run.stdout], args.join(' ')).toEqual([2, '']);
    expect(run.stderr).toContain(message);
  }
});

it.each([
  ['close', 'close'],
  ['keep-alive', 'keep-alive'],
])('to a client that asks for `Connection: %s`, a stream of events says %s', async (asked, said) => {
  const { url } = await startHttp(pdfWorld(), ['mcp', '--transport', 'http']);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const answer = await ask(url, { headers: { connection: asked }, body });
  expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
  expect(answer.headers.connection).toBe(said);
});
