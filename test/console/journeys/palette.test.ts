import { describe, expect, it } from 'vitest';
import { describeInBrowsers, expectAccessible, useBrowser } from '../../support/browser.ts';
import { createWorld } from '../../support/world.ts';
import { isFocused } from '../keyboard.ts';
import { library, workbench, worldWith } from '../skills-for-people.ts';
import { eventually, goTo, textOf, visit } from '../visit.ts';

const browser = useBrowser();

describeInBrowsers('the palette', (browser) => {
  it('leads from everywhere to pages, skills and tools, by keyboard alone', async () => {
    const world = worldWith(library, workbench);
    const { page } = await visit(browser(), world, { at: '#/activity' });
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    const box = page.getByRole('combobox', { name: /^Search pages/ });
    const options = page.getByRole('option');

    await page.keyboard.press('Control+k');
    await eventually(() => isFocused(box)).toBe(true);
    await expectAccessible(page);
    await page.keyboard.type('heal');
    await eventually(() => textOf(options.first())).toBe('Health');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.keyboard.press('/');
    await eventually(() => isFocused(box)).toBe(true);
    await page.keyboard.type('greets somebody');
    const tool = options.filter({ hasText: 'bench: greet' });
    await tool.waitFor();
    for (let step = 0; step < 20 && (await tool.getAttribute('aria-selected')) !== 'true'; step++) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Run greet' }).waitFor();

    // Whoever names a skill and a tool of it means the tool.
    await goTo(page, '#/health');
    await page.keyboard.press('Control+k');
    await box.waitFor();
    await page.keyboard.type('bench gre');
    await eventually(() => textOf(options.first())).toBe('bench: greet');
    await page.keyboard.press('Escape');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('shows names that were made to deceive as they are, and runs none of them', async () => {
    const world = createWorld();
    world.write(
      'home/.claude/skills/x/SKILL.md',
      '---\nname: "<img src=x onerror=alert(1)>\\u202Egnp"\ndescription: "zebra <script>alert(2)</script>"\n---\n',
    );
    const { page } = await visit(browser(), world);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search pages/ }).waitFor();
    await page.keyboard.type('zebra');
    const option = page.getByRole('option').filter({ hasText: 'zebra' });
    await option.waitFor();
    expect(await textOf(option)).not.toContain('\u202E');
    expect(await page.locator('dialog img, dialog script').count()).toBe(0);
  });
});

describe('keys', () => {
  it('are shown by ?, and go to pages, but not while somebody types', async () => {
    const { page } = await visit(browser(), createWorld(), { at: '#/home' });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.getByText('Go to Skills').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => help.count()).toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search pages/ }).waitFor();
    await page.keyboard.type('g?');
    expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0);
  });
});

describe('colours', () => {
  it('are chosen, and kept', async () => {
    const { page } = await visit(browser(), createWorld(), { window: { colorScheme: 'light' } });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByText('Dark', { exact: true }).locator('..').click();
    await eventually(ground).not.toBe(light);
    await page.reload();
    await eventually(ground).not.toBe(light);
    await page.getByText('Light', { exact: true }).locator('..').click();
    await eventually(ground).toBe(light);
  });
});
