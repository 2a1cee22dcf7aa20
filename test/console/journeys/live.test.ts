import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { claude, codex, library, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, focusedText, visit } from '../visit.ts';

const browser = useBrowser();

describe('a change on disk', () => {
  it('appears in the list without a reload, and leaves those who read it where they are', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world);
    const list = page.getByRole('list', { name: 'Skills', exact: true });
    await list.getByRole('link', { name: 'release-notes' }).focus();
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }));

    world.skill(`${claude}/brand-new`, { description: 'Just written.' });
    await list.getByRole('link', { name: 'brand-new' }).waitFor();
    await expectText(page, '9 skills');
    world.write(`${claude}/brand-new/SKILL.md`, '---\nname: brand-new\ndescription: Written again.\n---\n');
    await expectText(page, 'Written again.');
    rmSync(world.path(`${claude}/brand-new`), { recursive: true });
    await eventually(() => list.getByRole('link', { name: 'brand-new' }).count()).toBe(0);

    expect(await focusedText(page)).toBe('release-notes');
    expect(await page.evaluate(() => 'isTheSamePage' in globalThis)).toBe(true);
  });

  it('appears in the text of a skill that is being read', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world, { at: '#/skill/tune-queries' });
    await expectText(page, 'before an index is added');
    world.skill(`${codex}/tune-queries`, { body: '\n# Queries\n\nMeasure first.\n' });
    await expectText(page, 'Measure first.');
  });
});
