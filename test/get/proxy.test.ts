import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

/** A website with an index of skills under a name that nobody resolves, and a proxy that leads there. */
async function behindProxy(world: World) {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => world.path(name)) as [string, string];
  const subject = ['-subj', '/CN=skills.example.com', '-addext', 'subjectAltName=DNS:skills.example.com'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', cert],
    { stdio: 'ignore' },
  );
  const text = '---\nname: pdf\ndescription: Fills in forms.\n---\n';
  const site = createSecure({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url }, response) => {
    if (url === '/.well-known/skills/index.json')
      response.end(JSON.stringify({ skills: [{ name: 'pdf', description: 'Fills in forms.', files: ['SKILL.md'] }] }));
    else if (url === '/.well-known/skills/pdf/SKILL.md') response.end(text);
    else response.writeHead(404).end();
  });
  const asked: (readonly [target: string, authorization: string | undefined])[] = [];
  const proxy = createServer((_, response) => void response.writeHead(400).end());
  proxy.on('connect', ({ url = '', headers }, socket) => {
    asked.push([url, headers['proxy-authorization']]);
    const through = connect((site.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const one of [socket, through]) one.on('error', () => undefined);
  });
  for (const server of [site, proxy]) {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
  }
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { asked, address, env: { NODE_EXTRA_CA_CERTS: cert } };
}

it('what is fetched over HTTPS goes through the proxy of the environment, with its password, and comes in whole', async () => {
  const world = createWorld();
  const { asked, address, env } = await behindProxy(world);
  const run = await world.run(['add', 'https://skills.example.com', '--yes'], {
    env: { ...env, HTTPS_PROXY: `http://ann:s3cret@${address}` },
  });
  expect([run.stderr, run.code]).toEqual(['', 0]);
  expect(readFileSync(world.path('project/.agents/skills/pdf/SKILL.md'), 'utf8')).toContain('Fills in forms.');
  const secret = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`;
  expect(new Set(asked.map((row) => row.join(' ')))).toEqual(new Set([`skills.example.com:443 ${secret}`]));
  expect(run.stdout + readFileSync(world.path('project/skills-lock.json'), 'utf8')).not.toContain('s3cret');
});

it.each(['skills.example.com', '.example.com', 'other.example.org, example.com', '*'])(
  'NO_PROXY=%s leaves the proxy out',
  async (except) => {
    const world = createWorld();
    const { asked, address, env } = await behindProxy(world);
    const run = await world.run(['add', 'https://skills.example.com', '--yes'], {
      env: { ...env, https_proxy: address, NO_PROXY: except },
    });
    expect(run.code).toBe(1);
    expect(asked).toEqual([]);
  },
);
