import { chmodSync } from 'node:fs';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { lab, runsIn } from '../../execute/library.ts';
import { secretOf, startAuthorizationServer } from '../../support/authorization-server.ts';
import { openPage, useBrowser } from '../../support/browser.ts';
import { type ServedConsole, serveConsole } from '../../support/console.ts';
import { freePorts } from '../../support/nats.ts';
import { createWorld, type World } from '../../support/world.ts';
import { eventually, expectText, goTo } from '../visit.ts';

const browser = useBrowser();

/** The way over the authorization server, and what a browser says of being sent away. */
const provoked = /^request to |ERR_NAME_NOT_RESOLVED|40[13]/;

/** A console whose people sign in at a real authorization server. */
async function served(world: World, scope?: string, more: readonly string[] = []) {
  const [port] = await freePorts(1);
  const back = `http://127.0.0.1:${port}/api/sign-in/done`;
  const authorization = await startAuthorizationServer({ back, ...(scope !== undefined && { scope }) });
  const console = await serveConsole(world, {
    args: ['--port', String(port), '--oauth-issuer', authorization.issuer, '--oauth-client-id', 'console', ...more],
    env: { REPERTOIRE_OAUTH_CLIENT_SECRET: secretOf('console') },
  });
  return { authorization, console };
}

/** Goes through the pages of the authorization server as a person does. */
async function signIn(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with your account' }).click();
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('form').waitFor();
  await page.locator('button[type=submit]').click();
}

/** What the API answers to the page itself, with the cookie that it has. */
function asked(page: Page, path: string, body?: object): Promise<{ status: number; text: string }> {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return page.evaluate(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(init ?? {})}).then(async (a) => ({ status: a.status, text: await a.text() }))`,
  );
}

describe('signing in with an account', () => {
  it('lets a person do what her scopes allow, names her in the log, and ends when she signs out', async () => {
    const world = lab({ hello: 'echo hello' });
    const { console } = await served(world);
    const { page } = await openPage(browser(), console.url, { provoked });
    await signIn(page, 'ann');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(page.url()).toBe(`${console.url}/`);
    await page.getByText('ann').first().waitFor();
    const ours = (await page.context().cookies()).filter(({ name }) => name.startsWith('repertoire-'));
    expect(ours).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }]);

    expect((await asked(page, 'api/run', { target: 'lab:hello' })).status).toBe(200);
    expect(await runsIn(world)).toMatchObject([{ subject: 'ann', by: 'console' }]);
    const refused = await asked(page, 'api/disable', { names: ['lab'] });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('you do not have the scope admin')]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in with your account' }).waitFor();
    expect((await asked(page, 'api/browse')).status).toBe(401);
  });

  it('is for reading alone with a scope for reading alone', async () => {
    const { console } = await served(lab({ hello: 'echo hello' }), 'skills:read');
    const { page } = await openPage(browser(), console.url, { provoked });
    await signIn(page, 'ben');
    await page.getByText('read-only').first().waitFor();
    expect((await asked(page, 'api/browse')).status).toBe(200);
    for (const [path, body] of [
      ['api/run', { target: 'lab:hello' }],
      ['api/grant', { skill: 'lab' }],
    ] as const) {
      expect((await asked(page, path, body)).status, path).toBe(403);
    }
  });

  it('offers somebody whom rules hold for nothing that would be refused, in the menu, the palette and Home', async () => {
    const world = lab({ hello: 'echo hello' });
    chmodSync(world.write('home/access.toml', '[[rules]]\nsubjects = ["ann"]\nrun = ["lab"]\n'), 0o600);
    const { console } = await served(world, undefined, ['--access-file', world.path('home/access.toml')]);
    const { page } = await openPage(browser(), console.url, { provoked });
    const refused: string[] = [];
    const open = new Set<Request>();
    page.on('request', (request) => request.url().endsWith('/api/events') || open.add(request));
    page.on('requestfailed', (request) => open.delete(request));
    page.on('response', (answer) => {
      open.delete(answer.request());
      if (answer.status() === 403) refused.push(new URL(answer.url()).pathname);
    });
    await signIn(page, 'ann');
    await page.getByRole('heading', { level: 2, name: 'Needs you' }).waitFor();
    const entries = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
    expect(await entries()).toEqual(['Home', 'Skills', 'Grants', 'Activity']);
    expect(await page.locator('main a[href^="#/agents"], main a[href^="#/get"]').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    const choices = (await page.getByRole('option').allTextContents()).filter((text) => !text.startsWith('Colours'));
    expect(choices).toEqual(['Home', 'Skills', 'Grants', 'Activity', 'Show all keys']);
    await page.keyboard.press('Escape');
    for (const [at, complete] of [
      ['#/skills', 'lab'],
      ['#/skill/lab', 'Tools'],
      ['#/run/lab/hello', 'Run'],
      ['#/grants', 'Grants'],
      ['#/activity', 'All activity'],
    ] as const) {
      await goTo(page, at);
      await expectText(page, complete);
      await eventually(() => open.size).toBe(0);
    }
    expect(await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents()).toEqual([
      'All activity',
    ]);
    expect(refused).toEqual([]);
  });

  it('is refused to an account without a scope', async () => {
    const { console } = await served(createWorld(), 'skills:run');
    const { page } = await openPage(browser(), console.url, { provoked });
    await signIn(page, 'ben');
    await expectText(page, 'Your account may not use this console');
    expect((await asked(page, 'api/browse')).status).toBe(401);
  });
});

describe('a sign-in', () => {
  const begin = async ({ url }: ServedConsole) => {
    const begun = await fetch(`${url}/api/sign-in`, { redirect: 'manual' });
    const cookie = begun.headers.get('set-cookie') ?? '';
    return { at: new URL(begun.headers.get('location') ?? ''), cookie };
  };

  it('goes to the authorization server with a challenge, a state and a nonce, bound to the browser', async () => {
    const { console, authorization } = await served(createWorld());
    const { at, cookie } = await begin(console);
    expect(at.origin).toBe(authorization.issuer);
    const asked = Object.fromEntries(at.searchParams);
    expect(asked).toMatchObject({
      ...{ response_type: 'code', client_id: 'console', code_challenge_method: 'S256' },
      ...{ scope: 'openid skills:read skills:run skills:grant', resource: `${console.url}/mcp` },
      redirect_uri: `${console.url}/api/sign-in/done`,
    });
    const other = await begin(console);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked[name], name).toMatch(/^[\w-]{43}$/);
      expect(other.at.searchParams.get(name)).not.toBe(asked[name]);
    }
    expect(cookie).toMatch(/^repertoire-sign-in-\d+=\S+; Path=\/api\/sign-in; HttpOnly; SameSite=Lax; Max-Age=600$/);
  });

  it('lets nobody in who did not begin it in the same browser, or brings a code of somebody else', async () => {
    const { console, authorization } = await served(createWorld());
    const { at, cookie } = await begin(console);
    const state = at.searchParams.get('state') ?? '';
    const own = { cookie: cookie.split(';')[0] ?? '' };
    const back = async (query: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${console.url}/api/sign-in/done?${new URLSearchParams(query).toString()}`, {
        redirect: 'manual',
        headers,
      });
      const cookies = answer.headers.getSetCookie().filter((text) => !text.startsWith('repertoire-sign-in-'));
      return [answer.status, new URL(answer.headers.get('location') ?? '', console.url).hash, cookies];
    };
    const refused = [302, '#sign-in=refused', []];
    expect(await back({ code: 'x', state }, {})).toEqual(refused);
    expect(await back({ code: 'x', state: 'another' }, own)).toEqual(refused);
    expect(await back({ code: 'x' }, own)).toEqual(refused);
    expect(await back({ state, error: 'access_denied' }, own)).toEqual(refused);
    expect(await back({ code: 'x', state, iss: 'https://evil.example.com' }, own)).toEqual(refused);
    expect(await back({ code: 'guessed', state }, own)).toEqual([302, '#sign-in=unavailable', []]);
    authorization.pause(true);
    expect(await back({ code: 'x', state }, own)).toEqual([302, '#sign-in=unavailable', []]);
  });

  it('is not there without an authorization server', async () => {
    const { stderr, code } = await createWorld().run([
      'serve',
      '--http',
      '--port',
      '0',
      '--oauth-client-id',
      'console',
    ]);
    expect([stderr, code]).toEqual([expect.stringMatching(/none is named/), 2]);
    const console = await serveConsole(createWorld());
    expect((await fetch(`${console.url}/api/sign-in`)).status).toBe(404);
    expect(await (await fetch(`${console.url}/api/session`)).json()).toMatchObject({ signsIn: false, subject: null });
  });
});
