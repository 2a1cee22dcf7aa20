import { hostname, networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { messageOf, serve } from './server.ts';

const token = 'a-token-of-a-fair-length';
const authorization = `Bearer ${token}`;

const strangers = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1.nip.io',
  'evil-localhost',
  'localhostx',
  '127.0.0.1@evil.example',
  'localhost:80@evil.example',
  'user:pass@localhost',
  'evil.example#localhost',
  'evil.example/localhost',
  'localhost/',
  'localhost?',
  'localhost, evil.example',
  'localhost evil.example',
  'localhost..',
  '.localhost',
  'localhost:',
  'localhost:x',
  'localhost:99999',
  'localhost:80:80',
  'http://localhost',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '127.0.0.01',
  '127.0.0.2',
  '0.0.0.0',
  '0',
  '::1',
  '[::1',
  '::1]',
  '[::ffff:127.0.0.1]',
  '[::1%25lo]',
  '[localhost]',
  '[127.0.0.1]',
  'locαlhost',
  'localhost%00',
  '*',
];

describe('the Host header', () => {
  it.each(strangers)('is refused as %s', async (host) => {
    const { ask, lines } = await serve();
    // Two spellings are not text that Node's client would send.
    const answer = await ask('/mcp', { headers: { host: Buffer.from(host).toString('latin1') } });
    expect(answer.status).toBe(403);
    expect(messageOf(answer)).toContain('Host not allowed');
    expect(lines().filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it.each([
    'localhost',
    'LocalHost',
    'localhost.',
    'localhost.:3000',
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:8080',
    '[0:0:0:0:0:0:0:1]',
  ])('is accepted as %s, whatever the port', async (host) => {
    const { ask } = await serve();
    expect((await ask('/mcp', { headers: { host } })).text).toBe('hello');
  });

  it('must be there, once', async () => {
    const { raw } = await serve();
    expect(await raw('GET /mcp HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw('GET /mcp HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET /mcp HTTP/1.0\r\nHost:\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    for (const [first, second] of [
      ['localhost', 'evil.example'],
      ['evil.example', 'localhost'],
      ['localhost', 'localhost'],
    ]) {
      const text = `GET /mcp HTTP/1.1\r\nHost: ${first}\r\nhOST: ${second}\r\nConnection: close\r\n\r\n`;
      expect(await raw(text)).toMatch(/^HTTP\/1\.1 40[03] /);
    }
  });

  it('is what counts: a path that looks like a name, or a whole URL, is no way around', async () => {
    const { raw, ask } = await serve();
    expect((await ask('//evil.example/mcp')).status).toBe(404);
    expect((await ask('/\\evil.example/mcp')).status).toBe(404);
    const whole = 'GET http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await raw(whole)).toMatch(/^HTTP\/1\.1 400 /);
    const other = 'GET http://localhost/mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    expect(await raw(other)).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  it('is checked for the health path too, and beyond loopback, with the right token', async () => {
    const { ask } = await serve({ host: '0.0.0.0', token });
    const headers = { authorization, host: 'evil.example' };
    expect((await ask('/healthz', { headers })).status).toBe(403);
    expect((await ask('/mcp', { headers })).status).toBe(403);
  });

  it('may name this machine when every address is bound', async () => {
    const { ask, server } = await serve({ host: '0.0.0.0', token });
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const literals = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
    for (const name of ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', hostname(), ...literals]) {
      const answer = await ask('/mcp', { headers: { authorization, host: `${name}:${server.port}` } });
      expect([name, answer.status]).toEqual([name, 200]);
    }
  });

  it('may be what the person allowed; with a port, that port alone', async () => {
    const { ask } = await serve({
      allowedHosts: ['Skills.Example.com', 'other.example:8443', '[fd00::1]', 'fd00:0::2'],
    });
    const statusOf = async (host: string) => (await ask('/mcp', { headers: { host } })).status;
    for (const host of [
      'skills.example.com',
      'SKILLS.example.com.:99',
      'other.example:8443',
      '[fd00::1]:4',
      '[fd00::2]',
    ]) {
      expect([host, await statusOf(host)]).toEqual([host, 200]);
    }
    for (const host of ['a.skills.example.com', 'other.example', 'other.example:8444', '[fd00::3]']) {
      expect([host, await statusOf(host)]).toEqual([host, 403]);
    }
  });
});
