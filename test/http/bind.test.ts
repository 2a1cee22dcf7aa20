import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { SkillError } from '../../src/core/errors.ts';
import { listenOn } from '../support/listen.ts';
import { serve } from './server.ts';

const token = 'a-token-of-a-fair-length';
const hasIPv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

async function refusalOf(options: Parameters<typeof serve>[0]): Promise<SkillError> {
  const error = await serve(options).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof SkillError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

describe('where the server listens', () => {
  it.each([
    '0.0.0.0',
    '::',
    '192.168.7.7',
    'skills.example.com',
    '0',
    '127.1',
    '2130706433',
    '0x7f.1',
    '::ffff:127.0.0.1',
  ])('refuses %s without a token, and says what to do', async (host) => {
    const error = await refusalOf({ host });
    expect(error.code).toBe('usage');
    expect(error.message).toContain('a token is required');
    expect(error.hint).toMatch(/--auth-token.*REPERTOIRE_TOKEN.*--host 127\.0\.0\.1/);
  });

  it('refuses before the port is taken', async () => {
    const port = await listenOn(createServer());
    expect((await refusalOf({ host: '0.0.0.0', port })).message).toContain('a token is required');
  });

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', '127.0.0.9'])('needs no token on %s', async (host) => {
    const { server } = await serve({ host });
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.\d:\d+$/);
    expect(server.url.endsWith(`:${server.port}`)).toBe(true);
  });

  it('binds localhost to IPv4', async () => {
    const { ask } = await serve({ host: 'localhost' });
    expect((await ask('/mcp')).text).toBe('hello');
  });

  it.runIf(hasIPv6).each(['::1', '[::1]', '0:0:0:0:0:0:0:1'])('listens on the IPv6 loopback as %s', async (host) => {
    const { server, ask } = await serve({ host });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    expect((await ask('/mcp')).text).toBe('hello');
  });

  it.each(hasIPv6 ? ['0.0.0.0', '::'] : ['0.0.0.0'])('names an address that can be reached for %s', async (host) => {
    const { server, ask } = await serve({ host, token });
    expect(server.url).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/);
    expect((await ask('/mcp', { headers: { authorization: `Bearer ${token}` } })).text).toBe('hello');
  });

  it.each(['', ' ', 'a b', '127.0.0.1:80', 'http://localhost', 'user@localhost', 'läden.example', '../x', '*'])(
    'refuses %j as a host',
    async (host) => {
      const error = await refusalOf({ host, token });
      expect(error.message).toBe(`'${host}' is not a host to listen on`);
    },
  );

  it.each([-1, 65_536, 1.5, Number.NaN])('refuses port %d', async (port) => {
    expect((await refusalOf({ port })).message).toContain('whole number from 0 to 65535');
  });

  it.each(['', '  ', '\n', 'with space', 'naïve-token-of-length', 'line\nbreak-line-break'])(
    'refuses the token %j',
    async (bad) => {
      for (const host of ['127.0.0.1', '0.0.0.0']) {
        const error = await refusalOf({ host, token: bad });
        expect(error.code).toBe('usage');
        expect(error.message).toMatch(/^the token /);
        if (bad.trim() !== '') expect(error.message + error.hint).not.toContain(bad);
      }
    },
  );

  it('warns of a token that can be guessed, without telling it', async () => {
    const { lines } = await serve({ token: 'sesame' });
    expect(lines()).toEqual([expect.objectContaining({ level: 'warn', message: expect.stringContaining('guessed') })]);
    expect(JSON.stringify(lines())).not.toContain('sesame');
    expect((await serve({ token })).lines()).toEqual([]);
  });

  it('says that a port is in use, and how to take another', async () => {
    const port = await listenOn(createServer());
    const error = await refusalOf({ port });
    expect(error.code).toBe('usage');
    expect(error.message).toBe(`port ${port} of 127.0.0.1 is in use by another program (EADDRINUSE)`);
    expect(error.hint).toContain('--port');
  });

  it('says that a name or an address is not there', async () => {
    expect((await refusalOf({ host: 'no-such-host.invalid', token })).message).toContain('no-such-host.invalid');
    const error = await refusalOf({ host: '192.0.2.1', token });
    expect(error.message).toBe('this machine has no address 192.0.2.1 (EADDRNOTAVAIL)');
    expect(error.hint).toContain('--host');
  });

  it.each(['https://x.example', '*', '*.example.com', 'a b', '', 'x/y', 'u@x'])(
    'refuses to allow host %j',
    async (bad) => {
      expect((await refusalOf({ allowedHosts: [bad] })).message).toBe(`'${bad}' is not a host name to allow`);
    },
  );

  it.each([
    'x.example',
    '*',
    'null',
    '',
    'https://',
    'https://x.example/path',
    'https://u@x.example',
    'https://*.x.example',
  ])('refuses to allow origin %j', async (bad) => {
    expect((await refusalOf({ allowedOrigins: [bad] })).message).toBe(`'${bad}' is not an origin to allow`);
  });
});
