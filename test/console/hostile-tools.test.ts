import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { createWorld } from '../support/world.ts';
import { expectHarmless } from './hostile.ts';
import { evilTools } from './hostile-tools.ts';
import { image, quoted } from './hostile-world.ts';
import { eventually, expectText, goTo, textOf, visit } from './visit.ts';

const browser = useBrowser();

describe('tools with scripts in them', () => {
  it('stay text in the form, in the plan, in the output, and in the record of the run', async () => {
    const world = createWorld();
    evilTools(world);
    const { page } = await visit(browser(), world, { at: '#/skill/rigged?part=tools' });
    await expectText(page, `${quoted} as a description`);
    await expectHarmless(page);

    await page.getByRole('link', { name: 'Run shout' }).click();
    const form = page.getByRole('form', { name: 'Parameters' });
    await form.waitFor();
    for (const seen of [`${image} as a title`, `${quoted} as a description`, `${image} as an example`]) {
      await expectText(page, seen);
    }
    expect(
      await form
        .getByRole('combobox', { name: /^choice/ })
        .locator('option')
        .allInnerTexts(),
    ).toEqual(expect.arrayContaining([image, quoted]));
    // The defaults are what counts where nothing is said, so the plan has them.
    const policy = page.getByRole('region', { name: 'What it would do, and what it may access' });
    await eventually(() => textOf(policy)).toContain(`--text=${quoted}`);
    const instances = page.getByRole('combobox', { name: 'Instance' }).locator('option');
    expect(await instances.allInnerTexts()).toContain(image);
    await expectHarmless(page);

    await form.getByRole('textbox', { name: /^text/ }).fill(`${quoted} typed`);
    await form.getByRole('combobox', { name: /^choice/ }).selectOption({ label: image });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expectText(page, 'Finished with exit code 0');
    const output = await textOf(page.getByRole('log', { name: 'Output of the run' }));
    for (const seen of [
      image,
      quoted,
      `--text=${quoted} typed`,
      `${image} as an error`,
      'red',
      'link',
      'end',
      'bytes',
    ]) {
      expect(output).toContain(seen);
    }
    expect(output).not.toMatch(/\[31m|\]8;;|\]0;/);
    await expectHarmless(page);

    await page.getByRole('link', { name: 'Show it in the log' }).click();
    await expectText(page, 'typed');
    await expectHarmless(page);
    await goTo(page, '#/activity?view=all');
    await expectText(page, 'rigged');
    await expectHarmless(page);
  });

  it('stay text where they are granted, denied, or wrong', async () => {
    const world = createWorld();
    evilTools(world);
    const { page } = await visit(browser(), world, { at: '#/grants/rigged' });
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Grant it' }).waitFor();
    await expectHarmless(page);
    await goTo(page, '#/run/rigged/asks');
    await expectText(page, 'It may not run yet.');
    await expectHarmless(page);
    await goTo(page, '#/skill/wrong?part=tools');
    await expectText(page, 'None of its tools can be used');
    await expectText(page, `"${image}" cannot be the name of a tool`);
    await expectHarmless(page);
    await goTo(page, '#/health');
    await expectText(page, 'Diagnostics');
    await expectHarmless(page);
  });

  it('may write without end, and the page goes on', async () => {
    const world = createWorld();
    evilTools(world);
    const { page } = await visit(browser(), world, { at: '#/run/rigged/flood' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expectText(page, 'Wrote too much and was stopped');
    await expectText(page, `${image} again and again`);
    await expectHarmless(page);
    await page.getByRole('navigation', { name: 'Tools of this skill' }).getByRole('link', { name: 'asks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run asks' }).waitFor();
  });

  it.each([
    ['a tool', `#/run/rigged/${encodeURIComponent(image)}`],
    ['a skill and an execution', `#/activity?skill=${encodeURIComponent(image)}&id=${encodeURIComponent(quoted)}`],
    ['a client', `#/activity?view=all&client=${encodeURIComponent(quoted)}`],
    ['a page', `#/${encodeURIComponent(image)}`],
    ['a part and a place', `#/skill/rigged?part=${encodeURIComponent(image)}&at=${encodeURIComponent(quoted)}`],
  ])('cannot be brought in by an address, as the name of %s', async (_what, at) => {
    const world = createWorld();
    evilTools(world);
    const { page } = await visit(browser(), world, { at });
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await expectHarmless(page);
  });
});

describe('names that end up in the log and among what was noticed', () => {
  it('stay text on the page of health', async () => {
    const world = createWorld();
    world.write(`home/.claude/skills/${image}/SKILL.md`, `no front matter ${quoted}`);
    const { page } = await visit(browser(), world, { at: '#/health', args: ['--log-level', 'debug'] });
    await expectText(page, `${image}/SKILL.md`);
    await expectHarmless(page);
  });
});
