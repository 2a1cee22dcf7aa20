import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/core/hash.ts';
import { useBrowser } from '../../support/browser.ts';
import { courier, library, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, focusedText, pictureWidth, textOf, visit } from '../visit.ts';

const browser = useBrowser();

describe('reading a skill', () => {
  it('draws its text, and follows the links inside of it', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world);
    await page.getByRole('link', { name: 'release-notes', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'release-notes' }).waitFor();
    const text = page.getByRole('region', { name: 'Text' });
    await text.getByRole('heading', { level: 3, name: 'The steps' }).waitFor();
    expect(await text.getByRole('columnheader').allInnerTexts()).toEqual(['kind', 'heading']);
    expect(await textOf(text.locator('pre'))).toBe('git log --oneline');
    const picture = text.getByRole('img', { name: 'A dot' });
    await eventually(() => pictureWidth(picture)).toBe(1);
    const outside = text.getByRole('link', { name: 'what others do' });
    expect(await outside.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await outside.getAttribute('target')).toBe('_blank');

    // A link within the text leads to its heading, which is where one reads on.
    await text.getByRole('link', { name: 'the steps' }).click();
    await eventually(() => focusedText(page)).toBe('The steps');

    await text.getByRole('link', { name: 'style guide' }).click();
    await page.getByRole('heading', { level: 1, name: 'references/style guide.md' }).waitFor();
    await eventually(() => focusedText(page)).toBe('Voice');
    await page.getByRole('link', { name: 'the skill' }).click();
    await page.getByRole('heading', { level: 1, name: 'release-notes' }).waitFor();
  });

  it('works below a base path, where the text is drawn and pictures are found', async () => {
    const world = worldWith(library);
    const { page, served } = await visit(browser(), world, { args: ['--base-path', '/team/skills'] });
    expect(served.url).toMatch(/\/team\/skills$/);
    await page.getByRole('link', { name: 'release-notes', exact: true }).click();
    const picture = page.getByRole('region', { name: 'Text' }).getByRole('img', { name: 'A dot' });
    await eventually(() => pictureWidth(picture)).toBe(1);
    // Without the last slash, the address leads to the page as well.
    expect((await fetch(served.url)).url).toBe(`${served.url}/`);
  });

  it('shows its files with size and digest, and each of them as what it is', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world, { at: '#/skill/release-notes' });
    await page
      .getByRole('navigation', { name: 'Parts of the skill' })
      .getByRole('link', { name: /^Files/ })
      .click();
    const files = page.getByRole('list', { name: 'Files' });
    const binary = files.getByRole('listitem').filter({ hasText: 'data.bin' });
    expect(await textOf(binary)).toContain('4 bytes');
    const digest = sha256(Buffer.from([0, 1, 2, 255]));
    expect(await binary.locator('code').getAttribute('title')).toBe(`sha256:${digest}`);

    await binary.getByRole('link', { name: 'data.bin' }).click();
    await expectText(page, 'This file is not text');
    await page.goBack();
    await files.getByRole('link', { name: 'assets/dot.png' }).click();
    const picture = page.getByRole('img', { name: 'assets/dot.png' });
    await eventually(() => pictureWidth(picture)).toBe(1);
  });

  it('shows its tools, what it asks for, and which agents see it', async () => {
    const world = worldWith(courier);
    world.write('home/.codex/config.toml', '');
    const { page } = await visit(browser(), world, { at: '#/skill/courier' });
    const parts = page.getByRole('navigation', { name: 'Parts of the skill' });
    await parts.getByRole('link', { name: /^Tools/ }).click();
    await page.getByRole('link', { name: 'Run send' }).waitFor();
    await expectText(page, 'Looks, and asks for nothing.');
    await parts.getByRole('link', { name: /^Permissions/ }).click();
    const asked = page.getByRole('list', { name: 'What it asks for' }).getByRole('listitem');
    expect(await textOf(asked.filter({ hasText: 'api.example.com' }))).toMatch(/^not granted[\s\S]*for send/);
    await world.run(['grant', 'courier', '--yes']);
    await expectText(page, 'It is valid until any of its files changes.');
    expect(await textOf(asked.filter({ hasText: 'api.example.com' }))).toMatch(/^granted/);
    await parts.getByRole('link', { name: /^Agents/ }).click();
    const agents = page.getByRole('list', { name: 'Agents on this machine' }).getByRole('listitem');
    expect(await textOf(agents.filter({ hasText: 'Claude Code' }))).toContain('sees it');
    expect(await textOf(agents.filter({ hasText: 'Codex' }))).toContain('does not see it');
    // What nobody has here is a click away.
    expect(await agents.count()).toBe(2);
    await page.getByText('agents that were not found on this machine').click();
    await page.getByRole('list', { name: 'Other agents' }).getByText('Gemini CLI', { exact: true }).waitFor();
  });

  it('names what may have been meant where there is no such skill', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world, { at: '#/skill/release-note', window: { provoked: /404/ } });
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'release-notes' }).click();
    await page.getByRole('heading', { level: 1, name: 'release-notes' }).waitFor();
  });
});
