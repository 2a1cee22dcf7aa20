import { describe, expect, it } from 'vitest';
import { type ServedConsole, serveConsole } from '../support/console.ts';
import { type DescribedOperation, described, operationsIn } from './described.ts';
import { everySort } from './worlds.ts';

const json = { 'Content-Type': 'application/json' };

interface Guarded {
  readonly path: string;
  readonly method: string;
}

/** Everything that is described and not for anyone, so that nothing new can be forgotten. */
async function guarded(): Promise<readonly Guarded[]> {
  const isOpen = ({ security }: DescribedOperation): boolean => security?.length === 0;
  return operationsIn(await described()).filter(({ operation }) => !isOpen(operation));
}

type Headers = Readonly<Record<string, string>>;

async function statuses(
  console: ServedConsole,
  headers: Headers,
  tail = '',
): Promise<Record<string, number | undefined>> {
  const all = await guarded();
  expect(all.length).toBeGreaterThan(15);
  const rows = all.map(async ({ path, method }) => {
    const { status } = await console.plain(path + tail, { method, headers: { ...json, ...headers } });
    return [`${method} ${path}`, status] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** The same status for everything. */
async function all(status: number): Promise<Record<string, number>> {
  return Object.fromEntries((await guarded()).map(({ path, method }) => [`${method} ${path}`, status]));
}

describe('who may ask', () => {
  it('is nobody without the token, whatever is asked', async () => {
    const console = await serveConsole(everySort());
    const { token } = console;
    expect(await statuses(console, {})).toEqual(await all(401));
    expect(await statuses(console, { Authorization: 'Bearer wrong' })).toEqual(await all(401));
    expect(await statuses(console, { Authorization: `Bearer ${token}x` })).toEqual(await all(401));
    expect(await statuses(console, { Authorization: `Basic ${token}` })).toEqual(await all(401));
    expect(await statuses(console, { Authorization: token })).toEqual(await all(401));
    expect(await statuses(console, { Cookie: `repertoire-${new URL(console.url).port}=${token}` })).toEqual(
      await all(401),
    );
    expect(await statuses(console, {}, `?token=${token}`)).toEqual(await all(401));
    expect(await statuses(console, {}, `?access_token=${token}`)).toEqual(await all(401));
  });

  it('is anyone for the page itself, the state of the session and the description', async () => {
    const console = await serveConsole(everySort());
    const page = await console.plain('/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const [, path = ''] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect([path, (await console.plain(path)).status]).toEqual([path, 200]);
    }
    const session = await console.plain('/api/session');
    expect(JSON.parse(session.text)).toMatchObject({ signedIn: false, mode: 'full' });
    expect((await console.plain('/api/openapi.json')).status).toBe(200);
    expect((await console.plain('/healthz')).text).toBe('{"status":"ok"}');
  });

  it('hands a cookie to whoever has the token, which scripts and other sites cannot use', async () => {
    const console = await serveConsole(everySort());
    const wrong = await fetch(`${console.url}/api/session`, { method: 'POST', headers: json, body: '{"token":"no"}' });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    const body = JSON.stringify({ token: console.token });
    const answer = await fetch(`${console.url}/api/session`, { method: 'POST', headers: json, body });
    const [pair = '', ...attributes] = (answer.headers.get('set-cookie') ?? '').split('; ');
    expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict']);
    expect(pair).toMatch(new RegExp(`^repertoire-${new URL(console.url).port}=[\\w-]{43}$`));
    expect(pair).not.toContain(console.token);
    const state = await console.plain('/api/session', { headers: { Cookie: pair } });
    expect(JSON.parse(state.text)).toMatchObject({ signedIn: true });
    expect((await console.plain('/api/browse', { headers: { Cookie: pair } })).status).toBe(200);
    const crowd = { Cookie: `a=b; ${pair.replace(/=.*/, '=planted')}; ${pair}; c=d` };
    expect((await console.plain('/api/browse', { headers: crowd })).status).toBe(200);
  });

  it('is no page but our own, with a cookie', async () => {
    const console = await serveConsole(everySort());
    const cookie = { Cookie: await console.signIn() };
    const forbidden = await all(403);
    const port = Number(new URL(console.url).port);
    const origins = [`http://127.0.0.1:${port + 1}`, `http://localhost:${port}`, 'https://evil.example', 'null', ''];
    for (const Origin of origins) expect(await statuses(console, { ...cookie, Origin }), Origin).toEqual(forbidden);
    for (const site of ['same-site', 'cross-site', 'sideways']) {
      const own = { ...cookie, Origin: console.url };
      expect(await statuses(console, { ...own, 'Sec-Fetch-Site': site }), site).toEqual(forbidden);
      expect(await statuses(console, { ...cookie, 'Sec-Fetch-Site': site }), site).toEqual(forbidden);
    }
    // A browser names the page of whatever may change something.
    for (const { path, method } of await guarded()) {
      if (method === 'GET') continue;
      const { status } = await console.plain(path, { method, headers: { ...json, ...cookie } }, '{}');
      expect([path, status]).toEqual([path, 403]);
    }
    const body = JSON.stringify({ skill: 'asking' });
    const ours = await console.plain(
      '/api/grant',
      { method: 'POST', headers: { ...json, ...cookie, Origin: console.url, 'Sec-Fetch-Site': 'same-origin' } },
      body,
    );
    expect(ours.status).toBe(200);
  });

  it('must name the server as it is called', async () => {
    const console = await serveConsole(everySort());
    for (const Host of ['evil.example', 'evil.example:80', `127.0.0.1.evil.example:${new URL(console.url).port}`]) {
      const headers = { Host, Authorization: `Bearer ${console.token}` };
      for (const path of ['/', '/api/session', '/api/browse']) {
        expect([Host, path, (await console.plain(path, { headers })).status]).toEqual([Host, path, 403]);
      }
    }
  });

  it('never reads from another page with a cookie', async () => {
    const world = everySort();
    const console = await serveConsole(world, { args: ['--allowed-origin', 'https://app.example.com'] });
    const cookie = { Cookie: await console.signIn() };
    for (const Origin of ['https://app.example.com', 'https://evil.example', 'http://localhost:1']) {
      const asked = await console.plain('/api/browse', { headers: { ...cookie, Origin } });
      expect([Origin, asked.status, asked.headers['access-control-allow-credentials']]).toEqual([
        Origin,
        403,
        undefined,
      ]);
      const preflight = await console.plain('/api/grant', {
        method: 'OPTIONS',
        headers: { ...cookie, Origin, 'Access-Control-Request-Method': 'POST' },
      });
      expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
      expect(preflight.headers['access-control-allow-origin']).not.toBe('*');
    }
  });

  it('takes what acts as JSON only', async () => {
    const console = await serveConsole(everySort());
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      const headers = { Authorization: `Bearer ${console.token}`, ...(type !== '' && { 'Content-Type': type }) };
      const answer = await console.plain('/api/grant', { method: 'POST', headers }, '{"skill":"asking"}');
      expect([type, answer.status]).toEqual([type, 400]);
    }
    expect(await console.told('/api/grants')).toMatchObject({ grants: [] });
  });

  it('is known to one server alone', async () => {
    const world = everySort();
    const [one, two] = [await serveConsole(world), await serveConsole(world)];
    const [first, second] = [await one.signIn(), await two.signIn()];
    const both = { Cookie: `${first}; ${second}` };
    expect((await one.plain('/api/browse', { headers: both })).status).toBe(200);
    expect((await two.plain('/api/browse', { headers: both })).status).toBe(200);
    expect((await two.plain('/api/browse', { headers: { Cookie: first } })).status).toBe(401);
    expect((await two.plain('/api/browse', { headers: { Authorization: `Bearer ${one.token}` } })).status).toBe(401);
  });

  it('is to be let in again after a restart', async () => {
    const world = everySort();
    const before = await serveConsole(world);
    const cookie = await before.signIn();
    const { port } = new URL(before.url);
    await before.end();
    const after = await serveConsole(world, { args: ['--port', port] });
    expect(new URL(after.url).port).toBe(port);
    expect((await after.plain('/api/browse', { headers: { Cookie: cookie } })).status).toBe(401);
    expect((await after.plain('/api/browse', { headers: { Authorization: `Bearer ${before.token}` } })).status).toBe(
      401,
    );
    expect(after.token).not.toBe(before.token);
  });

  it('may have the token of the server as well', async () => {
    const env = { REPERTOIRE_TOKEN: 'the-token-of-the-server' };
    const console = await serveConsole(everySort(), { command: ['serve', '--http'], env });
    const headers = { Authorization: `Bearer ${env.REPERTOIRE_TOKEN}` };
    expect((await console.plain('/api/browse', { headers })).status).toBe(200);
    const body = JSON.stringify({ token: env.REPERTOIRE_TOKEN });
    const answer = await fetch(`${console.url}/api/session`, { method: 'POST', headers: json, body });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, expect.any(String)]);
    expect((await console.plain('/mcp', { method: 'POST', headers: json })).status).toBe(401);
    // The link opens the console, and no more.
    const link = { ...json, Authorization: `Bearer ${console.token}` };
    expect((await console.plain('/mcp', { method: 'POST', headers: link })).status).toBe(401);
  });
});

describe('what a console may do', () => {
  it('is to look, for reading only', async () => {
    const console = await serveConsole(everySort(), { args: ['--console', 'read'] });
    expect(await console.told('/api/session')).toMatchObject({ mode: 'read', signedIn: true });
    for (const { path, method } of await guarded()) {
      if (method === 'GET') continue;
      const answer = await console.post(path, { target: 'demo:say', skill: 'asking', key: 'x' });
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 403, { error: { code: 'forbidden' } }]);
    }
    expect(await console.told('/api/grants')).toMatchObject({ grants: [] });
    expect(await console.told('/api/audit')).toMatchObject({ executions: [] });
    const { paths } = await console.told<{ paths: object }>('/api/openapi.json');
    expect(Object.keys(paths)).not.toContain('/api/run');
  });

  it('is to look only, where others can reach it, unless said otherwise', async () => {
    const env = { REPERTOIRE_TOKEN: 'a-token-for-everyone-here' };
    const world = everySort();
    const command = ['serve', '--http'];
    const shared = await serveConsole(world, { command, args: ['--host', '0.0.0.0'], env });
    expect(await shared.told('/api/session')).toMatchObject({ mode: 'read' });
    const full = await serveConsole(world, { command, args: ['--host', '0.0.0.0', '--console', 'full'], env });
    expect(await full.told('/api/session')).toMatchObject({ mode: 'full' });
  });
});
