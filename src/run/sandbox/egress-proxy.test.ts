import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createListener } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { HostRule } from '../policy/types.ts';
import { type EgressProxy, startProxy } from './egress-proxy.ts';

let server: Server;
let port = 0;
const seen: { url: string; headers: Record<string, unknown>; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += String(piece);
    });
    request.on('end', () => {
      seen.push({ url: request.url ?? '', headers: { ...request.headers }, body });
      response.setHeader('keep-alive', 'timeout=99');
      response.end(`answered ${request.url}`);
    });
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => void server.close());

const rule = (host: string, more: Partial<HostRule> = {}): HostRule => ({ host, below: false, port: null, ...more });

async function proxyWith(
  rules: readonly HostRule[],
  addresses: Readonly<Record<string, string[]>> = {},
): Promise<EgressProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'egress-'));
  const resolve = async (host: string) => {
    const known = addresses[host.toLowerCase()] ?? (/^[\d.]+$/.test(host) ? [host] : null);
    if (known === null) throw new Error('ENOTFOUND');
    return known;
  };
  const proxy = await startProxy({ rules, socket: join(folder, 's'), resolve });
  onTestFinished(async () => {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return proxy;
}

function speak(proxy: EgressProxy, text: string): Promise<string> {
  return new Promise((settle) => {
    const socket = connect(proxy.socket, () => socket.write(text));
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString();
      if (/^HTTP\/1\.1 200 Connection established/.test(answer)) socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => settle(answer));
  });
}

const get = (url: string) => `GET ${url} HTTP/1.1\r\nHost: elsewhere\r\n\r\n`;
const tunnelTo = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe('the egress proxy', () => {
  it('lets through what is on the list, by both ways', async () => {
    const proxy = await proxyWith([rule('127.0.0.1', { port })]);
    expect(await speak(proxy, get(`http://127.0.0.1:${port}/a?b`))).toContain('answered /a?b');
    expect(statusOf(await speak(proxy, tunnelTo(`127.0.0.1:${port}`)))).toBe(200);
    expect(proxy.denials()).toEqual([]);
  });

  it.each([
    ['a name that only ends alike', 'http://evilexample.com/'],
    ['a name that only begins alike', 'http://example.com.evil.test/'],
    ['the name itself where only those below it are meant', 'http://below.test/'],
    ['an address instead of the name', 'http://93.184.216.34/'],
    ['another port', 'http://ported.test:8080/'],
    ['a name that leads to this machine', 'http://loop.test/'],
    ['a name that leads into a private network', 'http://inner.test/'],
    ['a name that leads to the address of machines in clouds', 'http://cloud.test/'],
    ['this machine', 'http://localhost/'],
    ['an address of this machine in other words', 'http://2130706433/'],
    ['an IPv6 address', 'http://[::1]/'],
  ])('refuses %s', async (_, url) => {
    const rules = ['example.com', 'loop.test', 'inner.test', 'cloud.test'].map((host) => rule(host));
    const proxy = await proxyWith([...rules, rule('below.test', { below: true }), rule('ported.test', { port: 443 })], {
      'loop.test': ['127.0.0.1'],
      'inner.test': ['10.1.2.3'],
      'cloud.test': ['169.254.169.254'],
      localhost: ['127.0.0.1'],
    });
    const { host, port: wanted } = new URL(url);
    expect(statusOf(await speak(proxy, get(url)))).toBe(403);
    expect(statusOf(await speak(proxy, tunnelTo(wanted === '' ? `${host}:80` : host)))).toBe(403);
    expect(proxy.denials().length).toBeGreaterThan(0);
    expect(proxy.denials()[0]?.detail).toContain('not allowed for this run');
  });

  it('takes only whole addresses', async () => {
    const proxy = await proxyWith([rule('127.0.0.1')]);
    for (const target of [
      '/',
      '*',
      `https://127.0.0.1:${port}/`,
      `http://u:p@127.0.0.1:${port}/`,
      'ftp://127.0.0.1/',
    ]) {
      expect(statusOf(await speak(proxy, get(target))), target).toBe(400);
    }
    for (const authority of ['127.0.0.1', '127.0.0.1:0', '127.0.0.1:99999', 'a b:1', '']) {
      expect(statusOf(await speak(proxy, tunnelTo(authority))) || 400, authority).toBe(400);
    }
  });

  it('sends the host of the address and nothing that concerns the connection', async () => {
    const proxy = await proxyWith([rule('127.0.0.1')]);
    const headers = 'Connection: x-drop\r\nX-Drop: 1\r\nProxy-Authorization: secret\r\nX-Keep: 2\r\nTE: trailers\r\n';
    const body = 'Content-Length: 4\r\n\r\nbody';
    const answer = await speak(
      proxy,
      `POST http://127.0.0.1:${port}/h HTTP/1.1\r\nHost: other.test\r\n${headers}${body}`,
    );
    const got = seen.find(({ url }) => url === '/h');
    expect(got?.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-keep': '2' });
    expect(Object.keys(got?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-drop']));
    expect(got?.headers['proxy-authorization']).toBeUndefined();
    expect(got?.body).toBe('body');
    expect(answer).not.toContain('timeout=99');
  });

  it('lets no second request hide behind the first', async () => {
    const proxy = await proxyWith([rule('127.0.0.1')]);
    const before = seen.length;
    await speak(proxy, get(`http://127.0.0.1:${port}/first`) + get(`http://127.0.0.1:${port}/hidden`));
    const both = 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    await speak(
      proxy,
      `POST http://127.0.0.1:${port}/both HTTP/1.1\r\nHost: x\r\n${both}${get(`http://127.0.0.1:${port}/smuggled`)}`,
    );
    expect(seen.slice(before).map(({ url }) => url)).toEqual(['/first']);
  });

  it('breaks off headers without end', async () => {
    const proxy = await proxyWith([rule('127.0.0.1')]);
    expect(await speak(proxy, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nX: ${'a'.repeat(100_000)}`)).not.toContain(
      '200',
    );
  });
});

describe('a proxy whose other side does not keep to the protocol', () => {
  it.each(['000', '099'])('lives on after the status %s', async (status) => {
    const odd = createListener((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`));
    });
    await new Promise<void>((settle) => odd.listen(0, '127.0.0.1', settle));
    onTestFinished(() => void odd.close());
    const address = odd.address();
    const oddPort = typeof address === 'object' && address !== null ? address.port : 0;
    const proxy = await proxyWith([rule('127.0.0.1')]);
    const answer = await speak(proxy, `GET http://127.0.0.1:${oddPort}/ HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 502 /);
  });
});

it('the egress proxy listens in a folder with a long path, and leaves nothing there', async () => {
  const top = mkdtempSync(join(tmpdir(), 'egress-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, 'x'.repeat(120));
  mkdirSync(folder);
  const proxy = await startProxy({ rules: [], socket: join(folder, 's') });
  expect(statSync(proxy.socket).isSocket()).toBe(true);
  await proxy.close();
  expect(readdirSync(folder)).toEqual([]);
});
