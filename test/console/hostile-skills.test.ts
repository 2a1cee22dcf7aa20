import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { createWorld, type World } from '../support/world.ts';
import { attack, expectHarmless, hostileMarkdown, markdownAttacks } from './hostile.ts';
import { claude } from './skills-for-people.ts';
import { expectText, goTo, textOf, visit } from './visit.ts';

const browser = useBrowser();

function hostileWorld(): World {
  const world = createWorld();
  world.skill(`${claude}/evil-text`, { body: `\n${hostileMarkdown}\n` });
  world.write(`${claude}/evil-text/more.md`, hostileMarkdown);
  world.write(`${claude}/evil-text/evil.svg`, `<svg xmlns="http://www.w3.org/2000/svg" onload="${attack}"/>`);
  world.write(`${claude}/evil-text/page.html`, `<!doctype html><body onload="${attack}"><script>${attack}</script>`);
  return world;
}

describe('Markdown with scripts in it', () => {
  it.each([
    ['SKILL.md', '#/skill/evil-text'],
    ['another file', '#/skill/evil-text/file/more.md'],
  ])('stays text in %s', async (_what, at) => {
    const { page } = await visit(browser(), hostileWorld(), { at });
    await expectText(page, 'scheme-less link');
    const shown = await textOf(page.getByRole('main'));
    expect(markdownAttacks.filter(([, seen]) => !shown.includes(seen))).toEqual([]);
    await expectHarmless(page);
    // Whatever can be pressed is pressed, but for what leads to other places.
    for (const link of await page.locator('.markdown a:not([target])').all()) {
      await link.click();
      await goTo(page, at);
      await expectText(page, 'scheme-less link');
    }
    const outside = await page
      .locator('.markdown a[target]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(outside).toEqual(['https://ok.example/']);
    await expectHarmless(page);
  });

  it.each(['evil.svg', 'page.html'])('is not drawn either where it is a file %s', async (name) => {
    const { page, served } = await visit(browser(), hostileWorld(), {
      at: `#/skill/evil-text/file/${name}`,
      window: { provoked: /400/ },
    });
    await expectText(page, `onload="${attack}"`);
    await expectHarmless(page);
    const direct = await page.evaluate(
      (path) => fetch(path).then((answer) => answer.status),
      `/api/file?name=evil-text&path=${name}`,
    );
    expect(direct).toBe(400);
    expect(served.log()).not.toContain('error');
  });
});
