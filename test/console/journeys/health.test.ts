import { describe, it } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { claude, library, workbench, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, textOf, visit } from '../visit.ts';

const browser = useBrowser();

describe('health', () => {
  it('begins with what is wrong, and leads to the line of the file', async () => {
    const world = worldWith(library);
    world.skill(`${claude}/crooked`);
    world.write(`${claude}/crooked/skill.toml`, '[tools\n');
    const { page } = await visit(browser(), world, { at: '#/health' });
    await expectText(page, /Diagnostics[\s\S]*errors[\s\S]*Server and index/);
    await page.getByRole('link', { name: /crooked\/skill\.toml:1/ }).click();
    await expectText(page, '[tools');
  });
});

describe('activity', () => {
  it('begins with the log; its figures say what the column under the pointer stands for', async () => {
    const world = worldWith(library, workbench);
    await world.run(['run', 'bench:numbers']);
    const { page } = await visit(browser(), world, { at: '#/activity' });
    await expectText(page, 'bench:numbers');
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Figures' }).click();
    const chart = page.getByRole('img', { name: /^Runs over time/ });
    await chart.waitFor();
    const { x, y, width, height } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width - 4, y + height / 2);
    await eventually(() => textOf(chart)).toMatch(/1 succeeded[\s\S]*0 failed[\s\S]*0 cancelled[\s\S]*0 denied/);
    await page.mouse.move(0, 0);
    await eventually(() => textOf(chart)).not.toContain('succeeded');
  });
});
