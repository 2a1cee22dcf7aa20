import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { createWorld } from '../support/world.ts';
import { expectHarmless } from './hostile.ts';
import { evilFileNames, evilFiles, evilNames, image, quoted, upright } from './hostile-world.ts';
import { expectText, goTo, textOf, visit, widthOf } from './visit.ts';

const browser = useBrowser();
const skillPage = (name: string): string => `#/skill/${encodeURIComponent(name)}`;

describe('names and descriptions with scripts in them', () => {
  it('stay text in the list, in what was found, and among what was skipped', async () => {
    const world = createWorld();
    evilNames(world);
    const { page } = await visit(browser(), world);
    await page.getByRole('link', { name: image, exact: true }).waitFor();
    await expectText(page, `${quoted} in the name`);
    await expectText(page, upright);
    await expectText(page, `broken ${image}/SKILL.md`);
    await expectHarmless(page);

    await page.getByRole('searchbox').fill(`${image} in the folder`);
    await page.getByRole('list', { name: 'Found' }).getByRole('link', { name: image }).waitFor();
    await expectHarmless(page);
    // What is searched for comes from an address, which anyone can make.
    await goTo(page, `#/skills?q=${encodeURIComponent(quoted)}&provider=${encodeURIComponent(image)}`);
    await page.getByRole('link', { name: `${image} 0` }).waitFor();
    await expectHarmless(page);
  });

  it.each([
    ['markup', image, `${image} in the folder`],
    ['what ends an attribute', quoted, `${quoted} in the name`],
    ['another direction', 'turned', upright],
    ['five thousand letters', 'endless', 'WWWW'],
    ['a name that never ends', 'n'.repeat(5000), 'Has a long name.'],
  ])('stay text on the page of the skill: %s', async (_what, name, description) => {
    const world = createWorld();
    evilNames(world);
    const { page } = await visit(browser(), world, { at: skillPage(name) });
    await page.setViewportSize({ width: 320, height: 600 });
    await expectText(page, description);
    for (const part of await page.getByRole('navigation', { name: 'Parts of the skill' }).getByRole('link').all()) {
      await part.click();
      await page.locator('.skill-part').waitFor();
      await expectHarmless(page);
    }
    // Nothing pushes the page apart.
    expect(await widthOf(page)).toBeLessThanOrEqual(320);
  });

  it('stay text in the front matter', async () => {
    const world = createWorld();
    evilNames(world);
    const { page } = await visit(browser(), world, { at: skillPage(quoted) });
    await page.getByLabel('Front matter').getByText('deep', { exact: true }).waitFor();
    expect(await page.getByRole('term').allInnerTexts()).toContain(image);
    expect(await page.getByRole('definition').allInnerTexts()).toContain(image);
    await expectHarmless(page);
  });

  it('stay text where there is no such skill', async () => {
    const { page } = await visit(browser(), createWorld(), { at: skillPage(quoted), window: { provoked: /404/ } });
    await page.getByRole('alert').waitFor();
    await expectText(page, quoted);
    expect(await page.evaluate(() => '__pwned' in globalThis)).toBe(false);
  });
});

describe('file names with scripts in them', () => {
  it('stay text in the list, and lead to their files', async () => {
    const world = createWorld();
    evilFileNames(world);
    const { page } = await visit(browser(), world, { at: '#/skill/filed?part=files' });
    const links = page.getByRole('list', { name: 'Files' }).getByRole('link');
    await links.first().waitFor();
    expect(await links.count()).toBe(evilFiles.length + 1);
    await expectHarmless(page);
    const seen = new Set<string>();
    for (const place of Array(evilFiles.length + 1).keys()) {
      await links.nth(place).click();
      await page.getByRole('navigation', { name: 'Where this file is' }).waitFor();
      await expectText(page, /The text of file \d|What filed does/);
      seen.add(/The text of file \d/.exec(await textOf(page.getByRole('main')))?.[0] ?? 'SKILL.md');
      await expectHarmless(page);
      await page.goBack();
      await links.first().waitFor();
    }
    expect(seen.size).toBe(evilFiles.length + 1);
  });
});
