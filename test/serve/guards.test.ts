import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { startHttp, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { ask, askModern, listenTo, openSession } from './http.ts';

const token = 'tok-9f8e7d6c5b4a39281706';
const bearer = { authorization: `Bearer ${token}` };
const outside = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const hasIPv6 = (networkInterfaces()['lo'] ?? []).some(({ family }) => family === 'IPv6');

/** Every kind of address to bind to, as far as this machine has it. */
const binds: readonly string[] = [
  ...['127.0.0.1', 'localhost', '127.0.0.3', '0.0.0.0'],
  ...(hasIPv6 ? ['::1', '::'] : []),
  ...(outside === undefined ? [] : [outside]),
];

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

it('a foreign Host or Origin is refused on every bind address [C2-TRANS-09 C2-TRANS-10]', async () => {
  expect(binds.length).toBeGreaterThan(3);
  for (const host of binds) {
    const args = ['mcp', '--transport', 'sse', '--host', host, '--auth-token', token];
    const { url } = await startHttp(createWorld(), args);
    const { port } = new URL(url);
    for (const foreign of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.nip.io']) {
      const headers = { ...bearer, host: foreign };
      for (const method of ['POST', 'GET', 'DELETE']) {
        const body = method === 'POST' ? initialize : undefined;
        expect((await ask(url, { method, headers, body })).status, `${host} ${method} ${foreign}`).toBe(403);
      }
    }
    const pages = ['https://evil.example', `http://evil.example:${port}`, 'null', 'http://localhost.evil.example'];
    for (const origin of pages) {
      const answer = await ask(url, { headers: { ...bearer, origin }, body: initialize });
      expect(answer.status, `${host} ${origin}`).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect((await ask(url, { method: 'GET', headers: { ...bearer, origin } })).status).toBe(403);
    }
    // The same request, honestly addressed, is served.
    expect((await ask(url, { headers: bearer, body: initialize })).status, host).toBe(200);
    const local = { ...bearer, origin: 'http://localhost:5173' };
    expect((await ask(url, { headers: local, body: initialize })).status, host).toBe(200);
  }
});

it('allowed hosts and origins are served, others still not', async () => {
  const { url } = await startHttp(createWorld(), [
    ...['serve', '--http', '--allowed-host', 'skills.example.com', '--allowed-origin', 'https://app.example.com'],
  ]);
  const status = async (headers: Record<string, string>) => (await ask(url, { headers, body: initialize })).status;
  expect(await status({ host: 'skills.example.com' })).toBe(200);
  expect(await status({ host: 'other.example.com' })).toBe(403);
  expect(await status({ origin: 'https://app.example.com' })).toBe(200);
  expect(await status({ origin: 'https://app.example.com.evil.example' })).toBe(403);
});

it('beyond loopback the server does not start without a token [C2-TRANS-11 S3-SEC-04]', async () => {
  const world = createWorld();
  for (const host of ['0.0.0.0', '::', ...(outside === undefined ? [] : [outside])]) {
    for (const transport of ['http', 'sse']) {
      const run = await world.run(['serve', '--transport', transport, '--host', host, '--port', '0']);
      expect([run.code, run.stdout], host).toEqual([2, '']);
      expect(run.stderr).toContain(`${host} can be reached from other machines: a token is required`);
      expect(run.stderr).toContain('--auth-token or REPERTOIRE_TOKEN');
      expect(run.stderr).not.toContain('listening');
    }
  }
  for (const empty of [
    ['--auth-token', ''],
    ['--auth-token', '  '],
  ]) {
    expect((await world.run(['serve', '--http', '--host', '0.0.0.0', ...empty])).code).toBe(2);
  }
});

it('over stdio and on loopback nobody needs to prove who they are [S3-SEC-04]', async () => {
  const world = createWorld();
  world.skill('project/skills/pdf');
  const server = startStdio(world, ['mcp']);
  await server.initialize();
  expect(await server.load('pdf')).toContain('Loading: pdf');
  for (const host of ['127.0.0.1', 'localhost', ...(hasIPv6 ? ['::1'] : [])]) {
    const { url } = await startHttp(world, ['mcp', '--http', '--host', host]);
    expect((await (await openSession(url)).ask('tools/list')).status, host).toBe(200);
    expect((await askModern(url, 'tools/list')).status, host).toBe(200);
  }
});

it('a token, by option or variable, lets the server bind beyond loopback [C2-TRANS-12]', async () => {
  const ways = [
    { args: ['--auth-token', token], env: {} },
    { args: [], env: { REPERTOIRE_TOKEN: token } },
  ];
  for (const { args, env } of ways) {
    const { url } = await startHttp(createWorld(), ['serve', '--http', '--host', '0.0.0.0', ...args], { env });
    expect((await openSession(url, '2025-11-25', bearer)).id).toBeTruthy();
    if (outside === undefined) continue;
    const reached = url.replace(/\/\/[^:]+/, `//${outside}`);
    expect((await openSession(reached, '2025-11-25', bearer)).id).toBeTruthy();
    expect((await ask(reached, { body: initialize })).status).toBe(401);
  }
});

it('with a token set, requests without it are refused, on loopback too [C2-TRANS-13]', async () => {
  const world = createWorld();
  const { url } = await startHttp(world, ['mcp', '--transport', 'sse'], { env: { REPERTOIRE_TOKEN: token } });
  const session = await openSession(url, '2025-11-25', bearer);
  const messages = url.replace('/mcp', '/messages');
  const stream = await listenTo(url, { headers: bearer });
  await expect.poll(stream.text).toContain('sessionId=');
  const place = new URL(/data: (\S+)/.exec(stream.text())?.[1] ?? '', url).href;
  const wrong: readonly Record<string, string>[] = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${token.slice(0, -1)}` },
    { authorization: `Basic ${token}` },
    { authorization: token },
    { cookie: `token=${token}` },
    { 'x-auth-token': token },
  ];
  for (const headers of wrong) {
    const title = JSON.stringify(headers);
    const mine = { 'mcp-session-id': session.id, ...headers };
    expect((await ask(url, { headers, body: initialize })).status, title).toBe(401);
    expect((await ask(url, { headers: mine, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status, title).toBe(
      401,
    );
    expect((await ask(url, { method: 'GET', headers })).status, title).toBe(401);
    expect((await ask(url, { method: 'DELETE', headers: mine })).status, title).toBe(401);
    expect((await ask(place, { headers, body: initialize })).status, title).toBe(401);
    expect((await ask(`${messages}?sessionId=x&token=${token}`, { headers, body: initialize })).status, title).toBe(
      401,
    );
    expect((await askModern(url, 'tools/list', {}, headers)).status, title).toBe(401);
  }
  expect(await session.request('ping')).toEqual({});
  expect((await askModern(url, 'tools/list', {}, bearer)).status).toBe(200);
  expect((await ask(place, { headers: bearer, body: initialize })).status).toBe(202);
  expect((await ask(url.replace('/mcp', '/healthz'), { method: 'GET' })).status).toBe(200);
});

it('a token that can be guessed is refused beyond loopback', async () => {
  const world = createWorld();
  for (const short of ['x', '0123456789abcde']) {
    const run = await world.run(['serve', '--http', '--host', '0.0.0.0', '--port', '0', '--auth-token', short]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('the token has fewer than 16 characters')]);
  }
});

it('a token may come from a file, which may be a link', async () => {
  const world = createWorld();
  world.write('secret/token', `${token}\n`);
  world.link('secret/token', 'linked');
  const env = { REPERTOIRE_TOKEN_FILE: world.path('linked') };
  const given = ['--auth-token-file', '../secret/token'];
  for (const [args, options] of [
    [given, {}],
    [[], { env }],
  ] as const) {
    const { url, process } = await startHttp(world, ['serve', '--http', '--host', '0.0.0.0', ...args], options);
    expect((await openSession(url, '2025-11-25', bearer)).id).toBeTruthy();
    expect((await ask(url, { body: initialize })).status).toBe(401);
    expect(process.stderr).not.toContain(token);
  }
  const twice = await world.run(['serve', '--http', '--auth-token', token, ...given]);
  expect([twice.code, twice.stderr]).toEqual([
    2,
    expect.stringContaining('the token is given twice: by --auth-token and by --auth-token-file'),
  ]);
  const missing = await world.run(['serve', '--http', '--auth-token-file', 'nowhere']);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringMatching(/cannot be read from .*nowhere \(ENOENT\)/),
  ]);
});

it('the log says which address is bound, and how this machine reaches it', async () => {
  const { url, process } = await startHttp(createWorld(), [
    'serve',
    '--http',
    '--host',
    '0.0.0.0',
    '--auth-token',
    token,
  ]);
  const { port } = new URL(url);
  expect(process.stderr).toContain(`listening on http://0.0.0.0:${port}/mcp\n`);
  await process.logged(new RegExp(`on this machine: http://127\\.0\\.0\\.1:${port}/mcp`));
});
