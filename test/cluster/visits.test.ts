import { Kvm } from '@nats-io/kv';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import { secretOf, startAuthorizationServer } from '../support/authorization-server.ts';
import { openPage, useBrowser } from '../support/browser.ts';
import { type ServedConsole, serveConsole } from '../support/console.ts';
import { freePorts, type NatsCluster, startNats } from '../support/nats.ts';
import { createWorld } from '../support/world.ts';
import { balance } from './balancer.ts';

const browser = useBrowser();

const token = 'a-token-that-all-servers-have';

interface Serving {
  readonly token?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The console of a server on a machine of its own. */
function serve(
  { url }: NatsCluster,
  { token: own = token, args = [], env = {} }: Serving = {},
): Promise<ServedConsole> {
  const world = createWorld();
  world.skill('project/skills/zebra');
  return serveConsole(world, {
    command: ['serve', '--http', '--console', 'full'],
    args: ['--cluster', url, '--auth-token', own, ...args],
    env,
  });
}

/** The cookie that a server gives for a token. */
async function signIn(console: ServedConsole, given: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ token: given });
  const answer = await fetch(`${console.url}/api/session`, { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
  // Servers at other ports have other names for it; behind a balancer there is one address.
  return /=([^;]+);/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
}

async function statusAt(console: ServedConsole, secret: string): Promise<number> {
  const cookie = `repertoire-${new URL(console.url).port}=${secret}`;
  return (await fetch(`${console.url}/api/browse`, { headers: { cookie } })).status;
}

describe('a visit of the console', () => {
  it('goes on at every server of the cluster, and ends at all of them', async () => {
    const [port] = await freePorts(1);
    const back = `http://127.0.0.1:${port}/api/sign-in/done`;
    const { issuer } = await startAuthorizationServer({ back });
    const nats = await startNats();
    const args = ['--oauth-issuer', issuer, '--oauth-client-id', 'console'];
    const env = { REPERTOIRE_OAUTH_CLIENT_SECRET: secretOf('console') };
    const servers = [
      await serve(nats, { args, env }),
      await serve(nats, { token: 'another-token-of-its-own', args, env }),
    ];
    const url = await balance(
      servers.map((one) => one.url),
      port,
    );
    const { page } = await openPage(browser(), url, { provoked: /^request to |ERR_NAME_NOT_RESOLVED|401/ });
    await page.getByRole('link', { name: 'Sign in with your account' }).click();
    await page.locator('input[name=login]').fill('ann');
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.locator('form').waitFor();
    await page.locator('button[type=submit]').click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.getByText('ann').first().waitFor();
    const cookies = await page.context().cookies();
    const secret = cookies.find(({ name }) => name === `repertoire-${port}`)?.value ?? '';
    for (const server of servers) expect(await statusAt(server, secret)).toBe(200);
    // Whoever has the token of one server is nobody to another that has another one.
    const [one, two] = servers as [ServedConsole, ServedConsole];
    const byToken = await signIn(one, token);
    expect([await statusAt(one, byToken), await statusAt(two, byToken)]).toEqual([200, 401]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in with your account' }).waitFor();
    for (const server of servers) expect(await statusAt(server, secret)).toBe(401);
  });

  it('is begun with the token of all servers for all, and with the link of one for that one', async () => {
    const nats = await startNats();
    const [one, two] = [await serve(nats), await serve(nats)];
    const everywhere = await signIn(one, token);
    expect([await statusAt(one, everywhere), await statusAt(two, everywhere)]).toEqual([200, 200]);
    const here = await signIn(one, one.token);
    expect([await statusAt(one, here), await statusAt(two, here)]).toEqual([200, 401]);
  });

  it('is known to no server with another secret', async () => {
    const nats = await startNats();
    const [one, two] = [await serve(nats), await serve(nats, { token: 'a-token-of-somebody-else' })];
    const secret = await signIn(one, token);
    expect([await statusAt(one, secret), await statusAt(two, secret)]).toEqual([200, 401]);
  });

  it('cannot be made, read or exchanged by whoever may write to the cluster', async () => {
    const nats = await startNats();
    const [one, two] = [await serve(nats), await serve(nats)];
    const [first, second] = [await signIn(one, token), await signIn(one, token)];
    const keys = await new Kvm(await nats.connect()).open('repertoire-visits');
    const entry = await keys.get(sha256(first));
    expect(entry?.string()).toMatch(/^\{"format":1,"sealed":"[\w+/=]+"\}$/);
    await keys.put(sha256(second), entry?.value ?? '');
    const own = 'x'.repeat(43);
    await keys.put(
      sha256(own),
      JSON.stringify({ format: 1, sealed: btoa('{"user":null,"token":null,"identity":null}') }),
    );
    const statuses = await Promise.all([first, second, own].map((secret) => statusAt(two, secret)));
    expect(statuses).toEqual([200, 401, 401]);
  });

  it('goes on where it was seen while the cluster is away, and is not taken for ended elsewhere', async () => {
    const nats = await startNats();
    const [one, two] = [await serve(nats), await serve(nats)];
    const secret = await signIn(one, token);
    await nats.nodes[0]?.kill();
    expect([await statusAt(one, secret), await statusAt(two, secret)]).toEqual([200, 503]);
    await nats.nodes[0]?.start();
    await expect.poll(() => statusAt(two, secret)).toBe(200);
  });
});
