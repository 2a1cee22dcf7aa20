import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startAuthorizationServer } from '../support/authorization-server.ts';
import { askSecurely, makeCertificate } from '../support/certificate.ts';
import { serveConsole } from '../support/console.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { startHttp } from '../support/mcp.ts';
import { freePorts } from '../support/nats.ts';
import { createWorld, type World } from '../support/world.ts';

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** A proxy with TLS that sends everything below `/skills` to the server, with or without that part of the path. */
async function proxyBefore(world: World, server: string, strips: boolean) {
  const [port] = await freePorts(1);
  const { cert, key } = makeCertificate(world.path('proxy'));
  const both = world.path('proxy/both.pem');
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  startHaproxy(`
defaults
  mode http
  timeout connect 5s
  timeout client 1m
  timeout server 1m
frontend clients
  bind 127.0.0.1:${port} ssl crt ${both}
  http-request deny unless { path /skills } or { path_beg /skills/ }
  http-request set-header X-Forwarded-Proto https
  http-request set-header X-Forwarded-Host %[req.hdr(Host)]
  ${strips ? 'http-request set-header X-Forwarded-Prefix /skills' : 'http-request del-header X-Forwarded-Prefix'}
  ${strips ? 'http-request set-path %[path,regsub(^/skills,)]' : ''}
  http-request set-header X-Forwarded-For %[src]
  default_backend server
backend server
  server one ${new URL(server).host}
`);
  const url = `https://127.0.0.1:${port}/skills`;
  const isReady = () =>
    askSecurely(`${url}/healthz`, cert).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isReady, { timeout: 30_000 }).toBe(200);
  return { url, ca: cert };
}

const ways = [
  ['that leaves the path as it is', false, ['--base-path', '/skills']],
  ['that cuts off the beginning of the path', true, []],
] as const;

describe.each(ways)('behind a proxy with TLS %s', (_way, strips, more) => {
  it('clients learn the address that they know, and tokens for it are good', async () => {
    const world = createWorld();
    const authorization = await startAuthorizationServer();
    const args = ['serve', '--http', '--oauth-issuer', authorization.issuer, '--trusted-proxy', '127.0.0.1', ...more];
    const server = await startHttp(world, args);
    const { url, ca } = await proxyBefore(world, server.url, strips);
    const refused = await askSecurely(`${url}/mcp`, ca, { method: 'POST', headers: json }, list);
    const metadata = `${url}/.well-known/oauth-protected-resource/mcp`;
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      `Bearer scope="skills:read", resource_metadata="${metadata}"`,
    ]);
    expect(JSON.parse((await askSecurely(metadata, ca)).text)).toMatchObject({ resource: `${url}/mcp` });
    const asking = async (resource: string) => {
      const token = await authorization.token('ann', resource, 'skills:read');
      const headers = { ...json, authorization: `Bearer ${token}` };
      return (await askSecurely(`${url}/mcp`, ca, { method: 'POST', headers }, list)).status;
    };
    expect(await asking(`${url}/mcp`)).toBe(400); // it is let in, and lacks a session
    expect(await asking(server.url)).toBe(401);
  });

  it('the console has its files, its cookie and its API there', async () => {
    const world = createWorld();
    world.skill('project/skills/zebra');
    const served = await serveConsole(world, { args: ['--trusted-proxy', '127.0.0.1', ...more] });
    const { url, ca } = await proxyBefore(world, served.url, strips);
    const page = await askSecurely(`${url}/`, ca);
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page.text) ?? [];
    expect((await askSecurely(new URL(script, `${url}/`).href, ca)).headers['content-type']).toMatch(/javascript/);
    const body = JSON.stringify({ token: served.token });
    const origin = new URL(url).origin;
    const signedIn = await askSecurely(
      `${url}/api/session`,
      ca,
      { method: 'POST', headers: { ...json, origin } },
      body,
    );
    const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^repertoire-\d+=[^;]+; Path=\/skills\/; HttpOnly; SameSite=Strict; Secure$/);
    const headers = { cookie: cookie.split(';')[0], origin };
    const skills = await askSecurely(`${url}/api/browse`, ca, { headers });
    expect([skills.status, skills.text]).toEqual([200, expect.stringContaining('zebra')]);
    const foreign = { cookie: cookie.split(';')[0], origin: served.url.replace(/\/skills$/, '') };
    expect((await askSecurely(`${url}/api/browse`, ca, { headers: foreign })).status).toBe(403);
  });
});
