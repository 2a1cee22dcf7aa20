import { describe, expect, it } from 'vitest';
import { expectAccessible, useBrowser } from '../../support/browser.ts';
import { createWorld } from '../../support/world.ts';
import { isFocused } from '../keyboard.ts';
import { claude, library, workbench, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, textOf, visit, widthOf } from '../visit.ts';

const browser = useBrowser();

describe('the list of skills', () => {
  it('folds a skill that is hidden under the one that hides it', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world);
    const list = page.getByRole('list', { name: 'Skills', exact: true });
    const layout = list.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'layout' }) });
    await layout.getByText('1 other of this name').click();
    await layout.getByRole('link', { name: 'claude:layout' }).waitFor();
    expect(await list.getByRole('heading', { name: 'claude:layout' }).count()).toBe(0);
  });

  it('is a table for those who want one, which the browser keeps, in the order that is chosen', async () => {
    const world = worldWith(library, workbench);
    world.skill(`${claude}/agent-orchestration-that-improves-agents`, { description: 'Improves. '.repeat(40) });
    const { page } = await visit(browser(), world);
    await page.getByRole('button', { name: 'Table' }).click();
    const table = page.getByRole('table', { name: 'Skills' });
    await table.getByRole('link', { name: 'release-notes' }).waitFor();
    await expectAccessible(page);
    const lines = await page.evaluate<number[]>(
      "[...document.querySelectorAll('table h2')].map((name) => Math.round(name.clientHeight / parseFloat(getComputedStyle(name).lineHeight)))",
    );
    expect(new Set(lines)).toEqual(new Set([1]));
    await page.getByLabel('Sort by').selectOption('Most tools');
    await eventually(() => textOf(table.getByRole('heading').first())).toBe('bench');
    await page.reload();
    await eventually(() => textOf(table.getByRole('heading').first())).toBe('bench');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await widthOf(page)).toBe(320);
  });

  it('disables what is selected, and enables it again', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world);
    const one = page.getByRole('heading', { name: 'fill-forms' });
    await page.getByLabel('Select fill-forms').check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await expectText(page, '1 skill disabled');
    await eventually(() => one.count()).toBe(0);
    expect((await world.run(['list'])).stdout).not.toContain('fill-forms');

    await page.getByText('1 disabled skill').click();
    await page.getByRole('button', { name: 'Enable fill-forms' }).click();
    await one.waitFor();
    expect((await world.run(['list'])).stdout).toContain('fill-forms');
  });

  it('is where it was, with as many rows, for whoever comes back', async () => {
    const world = createWorld();
    for (let number = 100; number < 350; number++) world.skill(`${claude}/skill-${number}`);
    const { page } = await visit(browser(), world);
    await page.getByRole('button', { name: 'Show 100 more' }).click();
    const target = page.getByRole('link', { name: 'skill-270' });
    await target.scrollIntoViewIfNeeded();
    const place = await page.evaluate<number>('scrollY');
    expect(place).toBeGreaterThan(2000);
    await target.click();
    await page.getByRole('heading', { level: 1, name: 'skill-270' }).waitFor();
    await page.goBack();
    await target.waitFor();
    await eventually(() => page.evaluate<number>('scrollY')).toBe(place);
  });

  it('is gone through by arrows, from the search on', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world);
    await page.getByRole('list', { name: 'Skills', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    const links = page.getByRole('list', { name: 'Skills', exact: true }).getByRole('heading').getByRole('link');
    await eventually(() => isFocused(links.first())).toBe(true);
    await page.keyboard.press('ArrowDown');
    await eventually(() => isFocused(links.nth(1))).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await eventually(() => isFocused(page.getByRole('searchbox'))).toBe(true);
  });
});

describe('a search', () => {
  it('counts what it finds, in the facets too, and folds away what may not fit', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world, { at: '#/skills?q=notes+of+a+release' });
    await expectText(page, '1 skill fits');
    const providers = page.getByRole('navigation', { name: 'Filters' }).getByRole('list', { name: 'Provider' });
    await eventually(() => textOf(providers)).toMatch(/^claude\s+1$/m);
    await page.getByRole('searchbox').fill('zzzqqq');
    await expectText(page, /Nothing (fits|was found)/);
    expect(await page.getByRole('list', { name: 'May not fit' }).isVisible()).toBe(false);
  });

  it('shows passages as one reads them, without the marks of Markdown', async () => {
    const world = createWorld();
    world.skill(`${claude}/tables`, {
      description: 'Makes documents.',
      body: '\n# Documents\n\n### Tables **CRITICAL**\n\nSee [the reference](references/walrus.md) about `walrus` widths.\n',
    });
    const { page } = await visit(browser(), world, { at: '#/skills?q=walrus+widths' });
    await expectText(page, 'walrus');
    const passage = await textOf(page.locator('blockquote').first());
    expect(passage).toContain('the reference');
    expect(passage).not.toMatch(/\*\*|###|\]\(|`/);
  });
});
