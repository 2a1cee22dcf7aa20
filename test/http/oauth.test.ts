import { type Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { callOf, lab, runsIn } from '../execute/library.ts';
import { clientOf, eras } from '../extension/clients.ts';
import { ask, openSession } from '../serve/http.ts';
import { type AuthorizationServer, secretOf, startAuthorizationServer } from '../support/authorization-server.ts';
import { startHttp } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

/** A server that accepts the tokens of a real authorization server. */
async function startBoth(world: World, more: readonly string[] = []) {
  const authorization = await startAuthorizationServer();
  const args = ['serve', '--transport', 'http', '--oauth-issuer', authorization.issuer, ...more];
  const { url } = await startHttp(world, args);
  return { authorization, url };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

function connect(client: Client, url: string, authorization: AuthorizationServer, scope: string): Promise<void> {
  const authProvider = new ClientCredentialsProvider({
    ...{ clientId: 'ann', clientSecret: secretOf('ann'), scope, expectedIssuer: authorization.issuer },
  });
  return client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
}

describe('a server with an authorization server', () => {
  it('answers a client without a token with where to get one', async () => {
    const { authorization, url } = await startBoth(createWorld());
    const refused = await ask(url, { body: list });
    const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe(`Bearer scope="skills:read", resource_metadata="${metadata}"`);
    for (const place of [metadata, metadata.replace(/\/mcp$/, '')]) {
      expect(await (await fetch(place)).json()).toMatchObject({
        resource: url,
        authorization_servers: [authorization.issuer],
        scopes_supported: ['skills:read', 'skills:run', 'skills:grant', 'admin'],
      });
    }
  });

  it.each(eras)('serves the client of the SDK, which finds its way by itself (%s)', async (era) => {
    const world = lab({ hello: 'echo hello' });
    const { authorization, url } = await startBoth(world);
    const client = clientOf(era);
    await connect(client, url, authorization, 'skills:read skills:run');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('skill');
    const result = await client.callTool(callOf('hello') as never);
    expect(result.content).toMatchObject([{ text: expect.stringContaining('hello') }]);
    expect(await runsIn(world)).toMatchObject([{ subject: 'ann', client: 'test', result: 'exited' }]);
  });

  it('runs nothing for a token that may only read, and says which scope is missing', async () => {
    const world = lab({ hello: 'echo hello' });
    const { authorization, url } = await startBoth(world);
    const reading = bearer(await authorization.token('ann', url, 'skills:read'));
    const session = await openSession(url, undefined, reading);
    const call = (name: string) => ({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { ...callOf('hello'), name },
    });
    const headers = { ...session.headers, ...reading };
    for (const body of [
      ...['skill-engine/execute', 'skill_engine_execute', 'skill-engine_execute', 'execute'].map(call),
      [list, call('execute')],
    ]) {
      const { status, headers: answered } = await ask(url, { body, headers });
      expect([status, answered['www-authenticate']]).toEqual([
        403,
        expect.stringMatching(/^Bearer error="insufficient_scope", scope="skills:read skills:run", resource_metadata=/),
      ]);
    }
    expect((await ask(url, { body: list, headers })).status).toBe(200);
    expect(await runsIn(world)).toEqual([]);
  });

  it('lets the client of the SDK ask for more when it needs more', async () => {
    const { authorization, url } = await startBoth(lab({ hello: 'echo hello' }));
    const client = clientOf('legacy');
    await connect(client, url, authorization, 'skills:read');
    expect(await client.callTool(callOf('hello') as never)).toMatchObject({
      content: [{ text: expect.stringContaining('hello') }],
    });
  });

  it('accepts no token that is not for it, or not from there, or no longer', async () => {
    const { authorization, url } = await startBoth(createWorld());
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: authorization.issuer, aud: url, sub: 'ann', scope: 'skills:read', exp: now + 600 };
    const other = await startAuthorizationServer();
    const good = await authorization.forge(right);
    const [head = '', claims = '', signature = ''] = good.split('.');
    const unsigned = `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${claims}.`;
    const changed = btoa(JSON.stringify({ ...right, scope: 'admin' })).replace(/=+$/, '');
    const wrong = {
      'for another server': authorization.forge({ ...right, aud: 'https://other.example.com/mcp' }),
      'for nobody': authorization.forge({ ...right, aud: undefined }),
      'of another issuer': authorization.forge({ ...right, iss: 'https://evil.example.com' }),
      'signed by another': other.forge(right),
      expired: authorization.forge({ ...right, exp: now - 60 }),
      endless: authorization.forge({ ...right, exp: undefined }),
      'not yet good': authorization.forge({ ...right, nbf: now + 600 }),
      'without a subject': authorization.forge({ ...right, sub: undefined }),
      'with odd claims': authorization.forge({ ...right, scope: { admin: true } }),
      unsigned,
      changed: `${head}.${changed}.${signature}`,
      nonsense: 'a.b.c',
      long: `${head}.${'x'.repeat(14_000)}.${signature}`,
    };
    expect((await ask(url, { body: list, headers: bearer(good) })).status).not.toBe(401);
    for (const [what, token] of Object.entries(wrong)) {
      const { status, headers } = await ask(url, { body: list, headers: bearer(await token) });
      expect([what, status], what).toEqual([what, 401]);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
    }
    const unread = await authorization.forge({ ...right, scope: 'openid' });
    expect((await ask(url, { body: list, headers: bearer(unread) })).status).toBe(403);
  });

  it('keeps the session of one caller from another', async () => {
    const { authorization, url } = await startBoth(createWorld());
    const [ann, ben] = [
      await authorization.token('ann', url, 'skills:read'),
      await authorization.token('ben', url, 'skills:read'),
    ];
    const session = await openSession(url, undefined, bearer(ann));
    const asking = (token: string) => ask(url, { body: list, headers: { ...session.headers, ...bearer(token) } });
    expect((await asking(ann)).status).toBe(200);
    expect((await asking(ben)).status).toBe(404);
  });

  it('takes its own token as well, and goes on when the other server is away', async () => {
    const token = 'a-token-for-machines-1234';
    const { authorization, url } = await startBoth(createWorld(), ['--auth-token', token]);
    const foreign = await authorization.token('ann', url, 'skills:read');
    authorization.pause(true);
    const away = await ask(url, { body: list, headers: bearer(foreign) });
    expect([away.status, away.headers['retry-after']]).toEqual([503, '5']);
    await openSession(url, undefined, bearer(token));
    authorization.pause(false);
    await openSession(url, undefined, bearer(foreign));
    expect((await ask(url, { body: list, headers: bearer('wrong') })).status).toBe(401);
  });

  it.each([
    [['--oauth-issuer', 'http://login.example.com'], /the issuer must be an https:\/\/ URL/],
    [['--oauth-issuer', 'nonsense'], /the issuer must be an https:\/\/ URL/],
    [['--oauth-issuer', 'https://login.example.com', '--host', '0.0.0.0'], /--public-url/],
    [['--public-url', 'ftp://x.example.com'], /the public URL must be an https:\/\/ URL/],
  ])('does not start with %j', async (more, message) => {
    const { stderr, code } = await createWorld().run(['serve', '--transport', 'http', '--port', '0', ...more]);
    expect([stderr, code]).toEqual([expect.stringMatching(message), 2]);
  });
});
