import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser.ts';
import { serveConsole } from '../../support/console.ts';
import { createWorld } from '../../support/world.ts';
import { library, worldWith } from '../skills-for-people.ts';
import { expectText } from '../visit.ts';

const browser = useBrowser();

describe('opening the console', () => {
  it('needs the token, takes no other, and remembers who had it until the server starts again', async () => {
    const world = worldWith(library);
    const served = await serveConsole(world);
    const { page, complaints } = await openPage(browser(), served.url, { provoked: /Failed to load resource/ });
    const token = page.getByLabel('Token');
    await page.getByRole('heading', { level: 1, name: 'Open the console' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);

    await token.fill('not-the-token');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([
      expect.stringContaining('not valid, or no longer valid'),
    ]);
    // The browser itself tells of the answer 401; there is nothing else to tell of.
    expect(complaints).toEqual([expect.stringContaining('401')]);

    await token.fill(served.token);
    await token.press('Enter');
    const home = page.getByRole('heading', { level: 1, name: 'Home' });
    await home.waitFor();
    await page.reload();
    await home.waitFor();

    const { port } = new URL(served.url);
    await served.end();
    await serveConsole(world, { args: ['--port', port] });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Open the console' }).waitFor();
    await expectText(page, 'The server was restarted');
  });

  it('takes the token out of the address, and keeps it from scripts', async () => {
    const world = worldWith(library);
    const served = await serveConsole(world);
    const { page } = await openPage(browser(), served.link);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(page.url()).not.toContain(served.token);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(cookie?.value).not.toContain(served.token);
    expect(await page.evaluate('document.cookie')).toBe('');
    // Nor does "back" lead to it.
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
  });

  it('is refused to a link of an earlier start', async () => {
    const served = await serveConsole(createWorld());
    const old = `${served.url}/#token=${'A'.repeat(43)}`;
    const { page } = await openPage(browser(), old, { provoked: /401/ });
    await page.getByRole('heading', { level: 1, name: 'Open the console' }).waitFor();
    expect(page.url()).not.toContain('token=');
  });
});
