import { describe, expect, it } from 'vitest';
import { describeInBrowsers, settled, useBrowser } from '../../support/browser.ts';
import { allStops, isFocused, stopOf, tabTo } from '../keyboard.ts';
import { courier, library, workbench, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, goTo, visit } from '../visit.ts';

const browser = useBrowser();

describeInBrowsers('by keyboard alone', (browser) => {
  it('one finds a skill, opens it, runs a tool of it and cancels that', async () => {
    const world = worldWith(library, workbench);
    const { page } = await visit(browser(), world);
    const skills = page.getByRole('list', { name: 'Skills', exact: true });
    await skills.waitFor(); // a page that is reloaded while it loads its parts reloads itself, too
    await page.reload();
    await skills.waitFor();
    await settled(page);

    // The first stop leads past the menu.
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to the content' });
    expect(await isFocused(skip)).toBe(true);
    expect(await stopOf(page)).toMatchObject({ isVisible: true });
    await page.keyboard.press('Enter');
    expect(await isFocused(page.getByRole('main'))).toBe(true);

    await page.keyboard.press('/');
    expect(await isFocused(page.getByRole('searchbox'))).toBe(true);
    await page.keyboard.type('tools to try things on');
    const hit = page.getByRole('list', { name: 'Found' }).getByRole('link', { name: 'bench', exact: true });
    await hit.waitFor();
    await tabTo(page, hit);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'bench' }).waitFor();
    expect(await isFocused(page.getByRole('main'))).toBe(true);

    await tabTo(page, page.getByRole('link', { name: /^Tools/ }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('link', { name: 'Run greet' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Run greet' }).waitFor();
    await tabTo(page, page.getByRole('textbox', { name: /^name/ }));
    await page.keyboard.type('Ada');
    await page.keyboard.press('Control+Enter');
    await expectText(page, 'Finished with exit code 0');
    await eventually(async () => (await stopOf(page)).what).not.toBe('');

    await goTo(page, '#/run/bench/wait');
    await page.getByRole('heading', { level: 1, name: 'Run wait' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await eventually(() => page.getByRole('log').allInnerTexts()).toEqual([expect.stringContaining('waiting')]);
    await tabTo(page, page.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Enter');
    await expectText(page, 'Cancelled, after');
    // The button is gone; whoever pressed it is not.
    await eventually(() => isFocused(page.getByRole('button', { name: 'Run', exact: true }))).toBe(true);
  });

  it('one grants and revokes, and is never lost', async () => {
    const world = worldWith(courier);
    const { page } = await visit(browser(), world, { at: '#/grants' });
    const review = page.getByRole('link', { name: 'Review courier' });
    await review.waitFor();
    await tabTo(page, review);
    await page.keyboard.press('Enter');
    const grant = page.getByRole('button', { name: /^Grant/ });
    const box = page.getByRole('checkbox', { name: /api\.example\.com/ });
    await box.waitFor();
    await tabTo(page, box);
    await page.keyboard.press('Space');
    await tabTo(page, grant);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Granted' }).waitFor();
    await eventually(async () => (await stopOf(page)).what).not.toBe('');
    await tabTo(page, page.getByRole('button', { name: 'Revoke courier' }));
    await page.keyboard.press('Enter');
    await eventually(() => isFocused(page.getByRole('button', { name: 'Yes, revoke' }))).toBe(true);
    await page.keyboard.press('Escape');
    await eventually(() => isFocused(page.getByRole('button', { name: 'Revoke courier' }))).toBe(true);
    await page.keyboard.press('Enter');
    await eventually(() => isFocused(page.getByRole('button', { name: 'Yes, revoke' }))).toBe(true);
    await page.keyboard.press('Enter');
    await expectText(page, 'Nothing has been granted to it.');
    await eventually(async () => (await stopOf(page)).what).not.toBe('');
  });
});

describe('by Tab alone', () => {
  it.each([
    ['#/home', 'Needs you'],
    ['#/agents', 'Codex'],
    ['#/get', 'Add from a source'],
    ['#/skills', 'Skipped files'],
    ['#/skill/release-notes', 'Collect the commits'],
    ['#/run/bench/greet', 'Who is greeted.'],
    ['#/grants', 'Asking'],
    ['#/activity', 'bench:numbers'],
    ['#/health', 'Diagnostics'],
  ])('everything is reached, seen, and left again: %s', async (at, complete) => {
    const world = worldWith(library, workbench, courier);
    world.write('home/.codex/config.toml', '');
    await world.run(['run', 'bench:numbers']);
    const { page } = await visit(browser(), world, { at });
    await expectText(page, complete);
    await page.reload();
    await expectText(page, complete);
    const stops = await allStops(page);
    expect(stops.filter(({ isVisible }) => !isVisible)).toEqual([]);
    // Whatever can be pressed with a mouse is among them.
    const pressable = await page
      .locator('main :is(a[href], button, input, select, textarea, summary)')
      .filter({ visible: true })
      .count();
    expect(stops.filter(({ isInMain }) => isInMain).length).toBeGreaterThanOrEqual(pressable);
    expect(stops[0]?.what).toBe('button Skip to the content');
  });
});
