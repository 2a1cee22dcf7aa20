import { describe, expect, it } from 'vitest';
import { createClients, parseBase } from '../../src/faces/http/clients.ts';
import type { Route } from '../../src/faces/http/exchange.ts';
import { createWorld } from '../support/world.ts';
import { messageOf, serve } from './server.ts';

type Request = Parameters<ReturnType<typeof createClients>>[0];

const routes: Readonly<Record<string, Route>> = {
  '/mcp': ({ response, client: { address, peer, host, scheme, prefix, isProxied }, base, path }) => {
    response.end(JSON.stringify({ address, peer, host, scheme, prefix, isProxied, base, path }));
  },
};
const forwarded = {
  'X-Forwarded-For': '192.0.2.7, 127.0.0.1',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'skills.example.com',
  'X-Forwarded-Prefix': '/team/skills/',
};
const allowedHosts = ['skills.example.com'];

describe('what a proxy says of its client', () => {
  it('is ignored as long as no proxy is trusted', async () => {
    const { ask, server } = await serve({ allowedHosts }, routes);
    const { text } = await ask('/mcp', { headers: forwarded });
    expect(JSON.parse(text)).toEqual({
      ...{ address: '127.0.0.1', peer: '127.0.0.1', host: `127.0.0.1:${server.port}`, scheme: 'http', prefix: '' },
      ...{ isProxied: false, base: '', path: '/mcp' },
    });
  });

  it('is ignored from anybody else', async () => {
    const { ask } = await serve({ allowedHosts, trustedProxies: ['10.0.0.0/8', 'fd00::/8'] }, routes);
    const { text } = await ask('/mcp', { headers: forwarded });
    expect(JSON.parse(text)).toMatchObject({ address: '127.0.0.1', scheme: 'http', isProxied: false, base: '' });
  });

  it('counts where the proxy is trusted', async () => {
    const { ask } = await serve({ allowedHosts, trustedProxies: ['127.0.0.0/8'], basePath: '/x' }, routes);
    const { text } = await ask('/x/mcp', { headers: forwarded });
    expect(JSON.parse(text)).toEqual({
      ...{ address: '192.0.2.7', peer: '192.0.2.7', host: 'skills.example.com', scheme: 'https' },
      ...{ prefix: '/team/skills', isProxied: true, base: '/team/skills/x', path: '/mcp' },
    });
  });

  it('opens no host that is not allowed', async () => {
    const { ask, lines } = await serve({ trustedProxies: ['127.0.0.1'] }, routes);
    expect((await ask('/mcp', { headers: forwarded })).status).toBe(403);
    expect(lines().find(({ message }) => message === 'Host not allowed')).toMatchObject({ from: '192.0.2.7' });
  });

  it('counts wrong tokens of each client behind it by themselves, though they share its connections', async () => {
    const { ask } = await serve({ token: 'short', trustedProxies: ['127.0.0.1'] }, routes);
    const from = (address: string, token: string) =>
      ask('/mcp', { headers: { 'X-Forwarded-For': address, Authorization: `Bearer ${token}` } });
    for (let at = 0; at < 20; at++) expect((await from('192.0.2.1', `guess-${at}`)).status).toBe(401);
    expect((await from('192.0.2.1', 'short')).status).toBe(429);
    expect((await from('192.0.2.2', 'short')).status).toBe(200);
  });

  it.each<readonly [string | undefined, string]>([
    [undefined, '127.0.0.1'],
    ['', '127.0.0.1'],
    ['192.0.2.7', '192.0.2.7'],
    ['198.51.100.1, 192.0.2.7', '192.0.2.7'],
    ['192.0.2.7, 10.1.2.3, ::ffff:10.1.2.4', '192.0.2.7'],
    ['10.1.2.3', '10.1.2.3'],
    ['nonsense', '127.0.0.1'],
    ['192.0.2.7, nonsense, 10.1.2.3', '10.1.2.3'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
  ])('with the list %j leads to the address %s', (list, address) => {
    const clientOf = createClients(['127.0.0.1', '10.0.0.0/8']);
    const request = { socket: { remoteAddress: '127.0.0.1' }, headers: { 'x-forwarded-for': list }, rawHeaders: [] };
    expect(clientOf(request as unknown as Request).address).toBe(address);
  });

  it.each([
    '/..',
    '/a/../b',
    '//evil.example.com',
    'a',
    '/a b',
    '/a?b',
    '/a#b',
    '/a"',
    'https://evil.example.com',
    '/%2e',
  ])('has no beginning of a path in %j', (text) => expect(parseBase(text)).toBeNull());
});

describe('a base path', () => {
  it('stands before every path but those of whoever watches the server', async () => {
    const { ask, server } = await serve({ basePath: '/skills/' }, routes);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/skills$/);
    expect((await ask('/skills/mcp')).status).toBe(200);
    const outside = await ask('/mcp');
    expect([outside.status, messageOf(outside)]).toEqual([404, 'nothing is served here; try /skills/mcp']);
    expect((await ask('/skillset/mcp')).status).toBe(404);
    expect((await ask('/skills/healthz')).status).toBe(200);
    expect((await ask('/healthz')).status).toBe(200);
  });
});

it.each([
  [
    ['--trusted-proxy', 'proxy.example.com'],
    /'proxy\.example\.com' is not an address or a network of proxies to trust/,
  ],
  [['--trusted-proxy', '10.0.0.0/33'], /is not an address or a network/],
  [['--trusted-proxy', '10.0.0.0/'], /is not an address or a network/],
  [['--base-path', 'skills'], /'skills' is not a path to serve below/],
  [['--base-path', '/a/../b'], /is not a path to serve below/],
])('a server does not start with %j', async (more, message) => {
  const { stderr, code } = await createWorld().run(['serve', '--http', '--port', '0', ...more]);
  expect([stderr, code]).toEqual([expect.stringMatching(message), 2]);
});
