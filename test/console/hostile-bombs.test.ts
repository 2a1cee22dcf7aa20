import { describe, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { createWorld } from '../support/world.ts';
import { bombs } from './hostile-world.ts';
import { claude } from './skills-for-people.ts';
import { goTo, visit } from './visit.ts';

const browser = useBrowser();

describe('Markdown that is short to write and long to draw', () => {
  it('never keeps the page from answering', async () => {
    const world = createWorld();
    const folderOf = (name: string): string => name.replaceAll(' ', '-');
    for (const [name, text] of Object.entries(bombs)) {
      world.skill(`${claude}/${folderOf(name)}`, { body: `\n${text}\n` });
    }
    const { page } = await visit(browser(), world);
    for (const name of Object.keys(bombs)) {
      await goTo(page, `#/skill/${folderOf(name)}`);
      await page.getByRole('heading', { level: 1, name: folderOf(name) }).waitFor();
      await page.locator('.markdown, .long-text').first().waitFor({ state: 'attached' });
      await page.getByRole('link', { name: /^Files/ }).click();
      await page.getByRole('list', { name: 'Files' }).waitFor();
    }
  });
});
