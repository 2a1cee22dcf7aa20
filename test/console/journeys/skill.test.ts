import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { describeInBrowsers, expectAccessible, settled, useBrowser } from '../../support/browser.ts';
import { createWorld, type World } from '../../support/world.ts';
import { isFocused, tabTo } from '../keyboard.ts';
import { claude } from '../skills-for-people.ts';
import { eventually, expectText, goTo, textOf, visit, widthOf } from '../visit.ts';

const browser = useBrowser();

function textAt(world: World, path: string): string {
  return readFileSync(world.path(path), 'utf8');
}

/** A skill with a text, references, scripts and front matter of every kind. */
function handbook(world: World): void {
  world.skill(`${claude}/handbook`, {
    description: 'How things are done here.',
    extra: 'license: MIT\nmetadata:\n  author: Ada\n  tags: "a, b"\n',
    body: '\n# Handbook\n\nFor forms, see REFERENCE.md.\n\n## Steps\n\nRun `scripts/Go.sh`.\n\n![A chart](assets/none.png)\n\n## More\n\n```py\ndef f():\n    return "x"\n```\n',
  });
  world.write(`${claude}/handbook/reference.md`, '# Reference\n\nBack to SKILL.md.\n');
  world.write(`${claude}/handbook/scripts/go.sh`, '#!/bin/sh\n# goes\necho "go"\n');
}

function address(world: World, folder: string): string {
  return encodeURIComponent(world.path(`${folder}/SKILL.md`));
}

/** Nothing has to be scrolled sideways, and everybody can use it, in both schemes. */
async function expectGood(page: Page): Promise<void> {
  for (const width of [320, 768, 1400]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    expect([width, Math.max(width, await widthOf(page))]).toEqual([width, width]);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page);
  }
}

describeInBrowsers('the page of a skill', (browser) => {
  it('has contents, files, tools and facts beside the text, and links where the text mentions a file', async () => {
    const world = createWorld();
    handbook(world);
    const { page } = await visit(browser(), world, { at: '#/skill/handbook' });
    const rail = page.getByRole('complementary', { name: 'About this skill' });
    await rail.waitFor();
    await eventually(() =>
      rail.getByRole('navigation', { name: 'Contents' }).getByRole('link').allInnerTexts(),
    ).toEqual(['Handbook', 'Steps', 'More']);
    expect(await textOf(rail)).toMatch(/Seen by[\s\S]*In a list\s+about \d+ tokens[\s\S]*Digest/);
    expect(await textOf(page.getByLabel('Front matter'))).toMatch(/metadata\s+author\s+Ada\s+tags\s+a, b/);
    // A picture that does not exist is told as such, and not asked for.
    await expectText(page, 'Picture, missing: A chart');
    await expectGood(page);
    await page.locator('.markdown').getByRole('link', { name: 'REFERENCE.md' }).click();
    await page.getByRole('heading', { level: 1, name: 'reference.md' }).waitFor();
    await page.getByRole('navigation', { name: 'Files of the skill' }).getByText('go.sh').click();
    const code = page.getByRole('region', { name: 'The text of scripts/go.sh' });
    await eventually(() => code.locator('.code-comment').allInnerTexts()).toEqual(['#!/bin/sh', '# goes']);
    expect(await code.getByRole('button', { name: 'Copy scripts/go.sh' }).count()).toBe(1);
    await expectGood(page);
  });

  it('lays text out in its own direction', async () => {
    const world = createWorld();
    world.skill(`${claude}/letters`, { description: 'مهارة', body: '\n# عنوان\n\nهذا نص.\n\n- واحد\n\nEnglish.\n' });
    const { page } = await visit(browser(), world, { at: '#/skill/letters' });
    await expectText(page, 'English.');
    const directions = await page.evaluate<string[]>(
      '[...document.querySelectorAll(".markdown > *")].map((one) => getComputedStyle(one).direction)',
    );
    expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'ltr']);
  });

  it('shows a tree of thousands of files a part at a time', async () => {
    const world = createWorld();
    world.skill(`${claude}/many`, { body: '\n# Many\n' });
    for (let file = 0; file < 600; file++) world.write(`${claude}/many/data/deep/f${file}.txt`, `${file}\n`);
    const { page } = await visit(browser(), world, { at: '#/skill/many' });
    const tree = page.getByRole('navigation', { name: 'Files of the skill' });
    await tree.getByText('data').click();
    await tree.getByText('deep').click();
    await eventually(() => tree.getByRole('link').count()).toBe(101);
    await tree.getByRole('button', { name: 'Show more (500)' }).click();
    await eventually(() => tree.getByRole('link').count()).toBe(601);
  });

  it('of a name that nobody has leads to what may be meant, and back', async () => {
    const world = createWorld();
    handbook(world);
    const { page } = await visit(browser(), world, { at: '#/skill/handbok', window: { provoked: /404/ } });
    await page.getByRole('heading', { level: 1, name: 'handbok' }).waitFor();
    expect(await textOf(page.getByRole('main'))).not.toContain('Available skills');
    await expectGood(page);
    await page.getByRole('list', { name: 'Skills that may be meant' }).getByRole('link', { name: 'handbook' }).click();
    await page.getByRole('heading', { level: 1, name: 'handbook' }).waitFor();
    await goTo(page, '#/skill/zzzz');
    await page.getByRole('link', { name: 'All skills' }).click();
    await page.getByRole('heading', { level: 1, name: /Skills/ }).waitFor();
  });

  it('tells of a broken manifest once, and not that there are no tools', async () => {
    const world = createWorld();
    handbook(world);
    world.write(`${claude}/handbook/skill.toml`, '[tools.a]\ncommand = ["echo"]\nspeed = 3\n');
    const { page } = await visit(browser(), world, { at: '#/skill/handbook?part=tools' });
    await expectText(page, 'None of its tools can be used until skill.toml is corrected.');
    const shown = await textOf(page.getByRole('main'));
    expect(shown.match(/unknown key/gi)).toHaveLength(1);
    expect(shown).not.toContain('instructions alone');
    await goTo(page, '#/run/handbook');
    await expectText(page, 'can be used until this is corrected');
    await goTo(page, '#/skills');
    await expectText(page, 'broken manifest');
    await goTo(page, '#/health');
    await expectText(page, /unknown key/i);
  });
});

describe('two skills of one name', () => {
  it('can both be opened, and are compared side by side', async () => {
    const world = createWorld();
    world.skill(`${claude}/twin`, { body: '\n# At home\n\nThe same line.\n' });
    world.write(`${claude}/twin/only.md`, 'here\n');
    world.skill('project/.claude/skills/twin', { body: '\n# In the project\n\nThe same line.\n' });
    const { page } = await visit(browser(), world, { at: '#/skill/twin' });
    await page.getByRole('heading', { name: 'In the project' }).waitFor();
    await page.getByText('Other skills of this name (1)').click();
    await page.getByRole('link', { name: 'twin of claude' }).click();
    await page.getByRole('heading', { name: 'At home' }).waitFor();
    await expectText(page, 'shadowed');
    // Its files are its own, too.
    await page.getByRole('navigation', { name: 'Files of the skill' }).getByText('only.md').click();
    await expectText(page, 'here');
    await page.goBack();
    await page.getByText('Other skills of this name (1)').click();
    await page.getByRole('link', { name: 'Compare' }).click();
    const diff = page.getByRole('region', { name: 'Differences in SKILL.md' });
    await eventually(() => diff.locator('td.gone, td.come').allInnerTexts()).toEqual(['# At home', '# In the project']);
    await expectGood(page);
    await diff.getByRole('button', { name: 'Unified' }).click();
    await eventually(() => diff.locator('tr.gone, tr.come').allInnerTexts()).toEqual([
      expect.stringContaining('At home'),
      expect.stringContaining('In the project'),
    ]);
    await expectGood(page);
    await page.getByRole('link', { name: 'only.md' }).click();
    await page.getByRole('region', { name: 'Differences in only.md' }).waitFor();
    // The list leads to the hidden one as well.
    await goTo(page, `#/skills?state=shadowed`);
    await page.getByRole('link', { name: /twin/ }).first().click();
    await page.getByRole('heading', { name: 'At home' }).waitFor();
  });
});

describeInBrowsers('fixing in place', (browser) => {
  it('shows what would be fixed, and does it', async () => {
    const world = createWorld();
    world.write(`${claude}/mended/SKILL.md`, '---\nname: mended\ndescription: Use when: asked\n---\n\n# Mended\n');
    const { page } = await visit(browser(), world, { at: '#/skill/mended' });
    await page.getByRole('button', { name: 'Show the changes' }).click();
    const diff = page.getByRole('region', { name: 'What is fixed' });
    await eventually(() => diff.locator('tr.come mark').allInnerTexts()).toEqual(['"', '"']);
    await expectGood(page);
    await page.getByRole('button', { name: 'Apply' }).click();
    await eventually(() => textAt(world, `${claude}/mended/SKILL.md`)).toContain('"Use when: asked"');
    await eventually(() => page.getByRole('region', { name: 'Fixes' }).count()).toBe(0);
  });

  it('leads from a finding to its line, checks while one types, and saves, by keyboard alone', async () => {
    const world = createWorld();
    handbook(world);
    world.write(`${claude}/handbook/skill.toml`, '[tools.a]\ncommand = ["echo"]\nspeed = 3\n');
    const { page } = await visit(browser(), world, { at: '#/skill/handbook' });
    const finding = page.getByRole('link', { name: 'skill.toml, line 3' });
    await tabTo(page, finding);
    await page.keyboard.press('Enter');
    const box = page.getByRole('textbox', { name: 'The text of skill.toml' });
    await eventually(() => isFocused(box)).toBe(true);
    await expectText(page, '1 finding');
    await expectGood(page);
    // The line is selected, so that typing replaces it.
    await box.press('Delete');
    await eventually(() => textOf(page.getByRole('region', { name: 'Findings' }))).toContain(
      'Nothing is wrong with it.',
    );
    await box.press('Control+s');
    await expectText(page, 'Saved.');
    expect(textAt(world, `${claude}/handbook/skill.toml`)).toBe('[tools.a]\ncommand = ["echo"]\n\n');
    await goTo(page, '#/skill/handbook?part=tools');
    await page.getByRole('link', { name: 'Run a' }).waitFor();
  });

  it('keeps a draft, and notices that the file was changed on disk', async () => {
    const world = createWorld();
    world.write(`${claude}/notes/SKILL.md`, '---\r\nname: notes\r\ndescription: Notes.\r\n---\r\n\r\n# Notes\r\n');
    const { page } = await visit(browser(), world, { at: '#/skill/notes/edit/SKILL.md' });
    const box = page.getByRole('textbox', { name: 'The text of SKILL.md' });
    await box.fill('---\nname: notes\ndescription: Mine.\n---\n\n# Notes\n');
    await expectText(page, 'this browser keeps the draft');
    await eventually(() => page.evaluate<number>('localStorage.length')).toBeGreaterThan(0);
    await page.reload();
    await expectText(page, 'This is a draft that you did not save.');
    expect(await box.inputValue()).toContain('Mine.');
    const theirs = '---\r\nname: notes\r\ndescription: Theirs.\r\n---\r\n\r\n# Notes\r\n';
    world.write(`${claude}/notes/SKILL.md`, theirs);
    await box.press('End');
    await box.press('Control+End');
    await box.pressSequentially('More.');
    const conflict = page.getByRole('alert', { name: 'Conflict' });
    await conflict.waitFor();
    expect(await textOf(conflict)).toMatch(/Theirs\.[\s\S]*Mine\./);
    await expectGood(page);
    expect(textAt(world, `${claude}/notes/SKILL.md`)).toBe(theirs);
    await conflict.getByRole('button', { name: 'Go on with my text' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expectText(page, 'Saved.');
    // Line ends are those of the file.
    expect(textAt(world, `${claude}/notes/SKILL.md`)).toBe(
      '---\r\nname: notes\r\ndescription: Mine.\r\n---\r\n\r\n# Notes\r\nMore.',
    );
    expect(
      await page.evaluate<number>('Object.keys(localStorage).filter((key) => key.startsWith("draft")).length'),
    ).toBe(0);
  });

  it('makes a new file where the tree has a button for it', async () => {
    const world = createWorld();
    handbook(world);
    const { page } = await visit(browser(), world, { at: '#/skill/handbook' });
    await page.getByRole('button', { name: 'New file' }).press('Enter');
    const path = page.getByRole('textbox', { name: 'Path, in a folder that is there' });
    await eventually(() => isFocused(path)).toBe(true);
    await path.fill('scripts/notes.md');
    await path.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'New file scripts/notes.md' }).waitFor();
    const box = page.getByRole('textbox', { name: 'The text of scripts/notes.md' });
    await box.fill('# Notes\n');
    await box.press('Control+s');
    await expectText(page, 'Saved.');
    expect(textAt(world, `${claude}/handbook/scripts/notes.md`)).toBe('# Notes\n');
  });

  it('is not offered where the console is for reading', async () => {
    const world = createWorld();
    handbook(world);
    const { page } = await visit(browser(), world, {
      command: ['serve', '--http', '--console', 'read'],
      at: '#/skill/handbook',
    });
    await expectText(page, 'Handbook');
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Disable' }).count()).toBe(0);
    await goTo(page, '#/skill/handbook/edit/SKILL.md');
    await expectText(page, 'This console is read-only');
    await goTo(page, '#/new');
    await expectText(page, 'This console is read-only');
  });
});

describeInBrowsers('a skill of my own', (browser) => {
  it('is made, edited, disabled, enabled and hidden from an agent', async () => {
    const world = createWorld();
    world.skill(`${claude}/first`);
    world.write('home/.codex/config.toml', '');
    const { page } = await visit(browser(), world, { at: '#/new' });
    await page.getByRole('textbox', { name: /^Name/ }).fill('fresh-one');
    await page.getByRole('textbox', { name: /^Description/ }).fill('Says: "fresh". Use when # asked.');
    await page.getByRole('combobox', { name: 'Folder' }).selectOption(world.path(claude));
    await expectGood(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit SKILL.md' }).waitFor();
    expect(textAt(world, `${claude}/fresh-one/SKILL.md`)).toContain('name: fresh-one');
    // Nobody has to throw away a tool that was not asked for.
    expect(readdirSync(world.path(`${claude}/fresh-one`))).toEqual(['SKILL.md']);
    await goTo(page, '#/skill/fresh-one');
    await expectText(page, 'Says: "fresh". Use when # asked.');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await expectText(page, 'disabled');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await goTo(page, '#/skill/fresh-one?part=agents');
    await page.getByRole('button', { name: 'Hide from Codex' }).click();
    await page.getByRole('button', { name: 'Show to Codex' }).click();
    await page.getByRole('button', { name: 'Hide from Codex' }).waitFor();
  });
});

describe('a hostile skill', () => {
  it('does nothing in the editor, the diff, the tree and the contents', async () => {
    const world = createWorld();
    const attack = '<img src=x onerror="window.pwned = true"><script>window.pwned = true</script>';
    const trick = 'if (level != "user\u202e \u2066// check\u2069 \u2066")';
    const body = `\n# ${attack}\n\n## Two\n\n${trick}\n`;
    world.skill(`${claude}/evil`, { body });
    world.write(`${claude}/evil/${encodeURIComponent('<b onload=x>')}/a.md`, 'x\n');
    world.skill('project/.claude/skills/evil', { body: `\n# Other ${attack}\n` });
    const { page } = await visit(browser(), world, {
      at: `#/skill/evil?of=${address(world, `${claude}/evil`)}`,
    });
    await expectText(page, 'onerror=');
    for (const at of [
      `#/skill/evil/edit/SKILL.md?of=${address(world, `${claude}/evil`)}`,
      `#/skill/evil/file/SKILL.md?view=source&of=${address(world, `${claude}/evil`)}`,
      `#/skill/evil/compare?of=${address(world, `${claude}/evil`)}&with=${address(world, 'project/.claude/skills/evil')}`,
    ]) {
      await goTo(page, at);
      await eventually(() =>
        page.getByRole('main').evaluate((main) => (main as unknown as { textContent: string }).textContent),
      ).toContain('onerror=');
      expect(await page.evaluate('window.pwned')).toBeUndefined();
    }
    // Text that would show itself in another order is shown letter by letter.
    await goTo(page, `#/skill/evil/edit/SKILL.md?of=${address(world, `${claude}/evil`)}`);
    const box = page.getByRole('textbox', { name: 'The text of SKILL.md' });
    await box.waitFor();
    const order = await page.evaluate('getComputedStyle(document.querySelector("textarea")).unicodeBidi');
    expect(order).toBe('bidi-override');
    await expectText(page, /\d findings?/);
  });
});
