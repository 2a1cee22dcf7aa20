import { writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { clientOf, eras } from '../extension/clients.ts';
import { askSecurely, makeCertificate } from '../support/certificate.ts';
import { startHttp } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

describe('a server with a certificate', () => {
  const served = async (world: World) => {
    const { cert, key } = makeCertificate(world.path('tls'), 'first');
    return { cert, ...(await startHttp(world, ['serve', '--http', '--tls-cert', cert, '--tls-key', key])) };
  };

  it.each(eras)('serves clients that trust it (%s)', async (era) => {
    const world = createWorld();
    const { url, cert } = await served(world);
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const client = clientOf(era);
    const fetch = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
      const headers = Object.fromEntries(new Headers(init.headers));
      const { method = 'GET', body } = init;
      const text = typeof body === 'string' ? body : undefined;
      if (method === 'GET') return new Response(null, { status: 405 });
      const answer = await askSecurely(String(address), cert, { method, headers }, text);
      const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
      return new Response(answer.text === '' ? null : answer.text, { status: answer.status ?? 0, headers: told });
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('skill');
  });

  it('answers nobody who does not encrypt, and says so in its log', async () => {
    const { url, process } = await served(createWorld());
    await expect(fetch(url.replace('https:', 'http:'))).rejects.toThrow('fetch failed');
    await process.logged(/a TLS handshake failed/);
  });

  it('takes a new certificate without a pause, and keeps the one before while the new one is broken', async () => {
    const world = createWorld();
    const { url, process } = await served(world);
    const { port } = new URL(url);
    const nameNow = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
          const { subject } = socket.getPeerCertificate();
          socket.destroy();
          resolve(String(subject.CN));
        }).on('error', reject);
      });
    expect(await nameNow()).toBe('first');
    writeFileSync(world.path('tls/cert.pem'), 'no certificate');
    await process.logged(/cannot be used; the one before stays/);
    expect(await nameNow()).toBe('first');
    makeCertificate(world.path('tls'), 'second');
    await process.logged(/has been read again/);
    await expect.poll(nameNow).toBe('second');
  });

  it.each([
    [['--tls-cert', 'cert.pem'], /a certificate and its key are only of use together/],
    [['--tls-cert', 'none.pem', '--tls-key', 'none.pem'], /the certificate for TLS cannot be read from \S*none\.pem/],
    [['--tls-cert', 'bad.pem', '--tls-key', 'bad.pem'], /are not a certificate and its key/],
  ])('does not start with %j', async (more, message) => {
    const world = createWorld();
    world.write('project/bad.pem', 'nonsense');
    const { stderr, code } = await world.run(['serve', '--http', '--port', '0', ...more]);
    expect([stderr, code]).toEqual([expect.stringMatching(message), 2]);
  });
});
