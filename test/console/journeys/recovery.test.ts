import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser.ts';
import { serveConsole } from '../../support/console.ts';
import { createWorld } from '../../support/world.ts';
import { eventually, expectText, goTo, visit } from '../visit.ts';

const browser = useBrowser();

/** What a browser says of a server that is gone, or that no longer knows it. */
const provoked = /Failed to load resource/;

function world() {
  const made = createWorld();
  made.skill('project/.claude/skills/demo', { description: 'Draws charts.' });
  return made;
}

function addressOf(page: Page): Promise<string> {
  return page.evaluate<string>('location.href');
}

it('asks for the new link where the server was started anew, and takes it in the same tab', async () => {
  const made = world();
  const { page, served } = await visit(browser(), made, { window: { provoked } });
  await page.getByRole('link', { name: 'demo' }).waitFor();
  const { port } = new URL(served.url);
  await served.end();
  await page.getByText('Not connected').waitFor();
  const again = await serveConsole(made, { args: ['--port', port] });
  await page.getByRole('heading', { name: 'Open the console' }).waitFor();

  // Only what stands behind the # is another: the page is not loaded anew.
  await page.evaluate(`location.href = ${JSON.stringify(again.link)}`);
  await page.getByRole('link', { name: 'demo' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await addressOf(page)).not.toContain(again.token);
});

it('says so where a page cannot be loaded because the server has ended, and loads it later', async () => {
  const made = world();
  const { page, served } = await visit(browser(), made, { window: { provoked } });
  await page.getByRole('link', { name: 'demo' }).waitFor();
  await served.end();
  await goTo(page, '#/grants');
  await expectText(page, 'The server does not answer');
  await page.getByRole('button', { name: 'Try again' }).waitFor();

  // With the server, the page is there again.
  const again = await serveConsole(made, { args: ['--port', new URL(served.url).port] });
  await page.getByRole('heading', { name: 'Open the console' }).waitFor();
  await goTo(page, `#token=${again.token}`);
  await page.getByRole('heading', { name: 'Grants' }).waitFor();
});

it('says why a link does not open the console', async () => {
  const { url } = await serveConsole(world());
  const { page } = await openPage(browser(), `${url}/#token=of-yesterday`, { provoked });
  await expectText(page, 'no longer valid');
  expect(await addressOf(page)).not.toContain('of-yesterday');
});

it('goes on where it is when a link that is no longer good is opened', async () => {
  const { page } = await visit(browser(), world(), { window: { provoked } });
  await goTo(page, '#token=of-yesterday');
  await page.getByRole('link', { name: 'demo' }).waitFor();
  expect(await addressOf(page)).not.toContain('of-yesterday');
});

it('shows a run to its end, and lets it be cancelled, when its tool is gone', async () => {
  const made = world();
  const manifest = (tool: string): void =>
    void made.write('project/.claude/skills/demo/skill.toml', `[tools.${tool}]\ncommand = ["sleep", "60"]\n`);
  manifest('wait');
  const { page, served } = await visit(browser(), made, { at: '#/run/demo/wait', window: { provoked } });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  // Until it really runs, it would be refused for what has changed.
  await eventually(async () => (await served.ask('/api/audit?result=running')).text()).toContain('"tool":"wait"');
  manifest('rest');
  await expectText(page, /no tool 'wait'/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expectText(page, /Cancelled, after/);
});

// A browser opens six connections to one server: six pages that listen would leave none for a seventh.
it('leaves its connection to other pages while nobody sees it', async () => {
  const { page, served } = await visit(browser(), world(), { window: { provoked } });
  const pages = [page];
  while (pages.length < 6) {
    const other = await page.context().newPage();
    await other.goto(`${served.url}/#/skills`);
    await other.getByText('Live', { exact: true }).waitFor();
    pages.push(other);
  }
  for (const one of pages) {
    await one.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  }
  const seventh = await page.context().newPage();
  await seventh.goto(`${served.url}/#/skills`);
  await seventh.getByText('Live', { exact: true }).waitFor();

  await page.evaluate(`delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))`);
  await eventually(() => page.getByText('Live', { exact: true }).count()).toBe(1);
});
