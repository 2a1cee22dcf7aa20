import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ServedConsole, serveConsole } from '../support/console.ts';
import { isRoot } from '../support/root.ts';
import { createWorld } from '../support/world.ts';
import { eventually } from './visit.ts';

/** Starts the console with a browser that writes down what it is to open, and gives the token of that. */
async function opened(): Promise<{ served: ServedConsole; token: string }> {
  const world = createWorld();
  const link = world.path('link');
  const browser = world.write('browser', `#!/bin/sh\necho "$1" > ${link}.new && mv ${link}.new ${link}\n`);
  chmodSync(browser, 0o755);
  const served = await serveConsole(world, { command: ['web'], env: { BROWSER: browser } });
  await eventually(() => existsSync(link)).toBe(true);
  const [, url, token = ''] = /^(.*)\/#token=(.*)\n$/.exec(readFileSync(link, 'utf8')) ?? [];
  expect(url).toBe(served.url);
  return { served, token };
}

async function signIn({ url }: ServedConsole, token: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ token }) });
  return status;
}

// Which other users of the machine can read, as long as the browser runs.
describe.runIf(process.platform !== 'win32')('the link on the command line of the browser', () => {
  it('lets in once, and only by the page; the printed one goes on doing so', async () => {
    const { served, token } = await opened();
    expect(token).not.toBe(served.token);
    const asBearer = await served.ask('/api/browse', { headers: { Authorization: `Bearer ${token}` } });
    expect(asBearer.status).toBe(401);
    expect([await signIn(served, token), await signIn(served, token)]).toEqual([200, 401]);
    expect([await signIn(served, served.token), await signIn(served, served.token)]).toEqual([200, 200]);
  });

  it.runIf(process.platform === 'linux' && isRoot)('is of no use to another user', async () => {
    const { served, token } = await opened();
    const script = `fetch('${served.url}/api/session', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: '{"token":"${token}"}' }).then(({ status }) => process.stdout.write(String(status)))`;
    const { stdout } = spawnSync(process.execPath, ['-e', script], { uid: 65_534, cwd: '/', encoding: 'utf8' });
    expect(stdout).toBe('401');
    expect(await signIn(served, token)).toBe(200);
  });
});

// A browser sends it to every port of the machine, so that a server of somebody else there may get it.
it.runIf(process.platform === 'linux' && isRoot)('the cookie is of no use to another user', async () => {
  const served = await serveConsole(createWorld());
  const cookie = await served.signIn();
  const statusAs = (uid: number): string => {
    const script = `fetch('${served.url}/api/browse', { headers: { Cookie: '${cookie}' } })
      .then(({ status }) => process.stdout.write(String(status)))`;
    return spawnSync(process.execPath, ['-e', script], { uid, cwd: '/', encoding: 'utf8' }).stdout;
  };
  expect([statusAs(0), statusAs(65_534), statusAs(0)]).toEqual(['200', '401', '200']);
});
