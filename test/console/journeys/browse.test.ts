import { describe, expect, it } from 'vitest';
import { installKit } from '../../find/plugin-world.ts';
import { useBrowser } from '../../support/browser.ts';
import { createWorld } from '../../support/world.ts';
import { library, workbench, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, textOf, visit } from '../visit.ts';

const browser = useBrowser();

describe('browsing', () => {
  it('shows all skills, and those that something is the matter with, with reason and remedy', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world);
    const list = page.getByRole('list', { name: 'Skills', exact: true });
    await list.getByRole('link', { name: 'release-notes' }).waitFor();
    expect(await list.getByRole('heading', { level: 2 }).count()).toBe(7);

    const rowOf = (name: string) =>
      list.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    expect(await textOf(rowOf('mended'))).toMatch(
      /repaired[\s\S]*strict YAML[\s\S]*Apply the fix that its page offers/,
    );
    // The one that another hides is folded under that.
    await list.getByText('1 other of this name').click();
    const twins = list.getByRole('list', { name: 'Others called layout' });
    expect(await textOf(twins)).toMatch(/shadowed[\s\S]*hidden by[\s\S]*Rename/);
    expect(await textOf(rowOf('codex:twin'))).toMatch(/ambiguous[\s\S]*another skill[\s\S]*Ask for codex:twin/);

    const skipped = page.getByRole('region', { name: 'Skipped files (1)' });
    expect(await textOf(skipped)).toMatch(/broken\/SKILL\.md[\s\S]*Start the file with/);
  });

  it('narrows the list by where skills are from, how they run and in which state they are', async () => {
    const world = worldWith(library, workbench);
    installKit(world, ['charts']);
    const { page } = await visit(browser(), world);
    const filters = page.getByRole('navigation', { name: 'Filters' });
    const names = async () =>
      page.getByRole('list', { name: 'Skills', exact: true }).getByRole('heading').allInnerTexts();
    const choose = (facet: string, value: RegExp) =>
      filters.getByRole('list', { name: facet }).getByRole('link', { name: value }).click();

    await choose('Runtime', /^native/);
    await eventually(names).toEqual(['bench']);
    await expectText(page, '1 of 10 skills');
    await choose('Runtime', /^native/);
    await eventually(async () => (await names()).length).toBe(9);

    await choose('Plugin', /^kit@shop/);
    await eventually(names).toEqual(['kit:charts']);
    await filters.getByRole('link', { name: 'Clear the filters' }).click();

    await choose('Provider', /^codex/);
    await choose('State', /^repaired/);
    await eventually(names).toEqual(['mended']);
    // What was chosen stands in the address: it outlives a reload, and "back" undoes it.
    await page.reload();
    await eventually(names).toEqual(['mended']);
    await page.goBack();
    await eventually(names).toContain('tune-queries');

    await filters.getByRole('link', { name: 'Clear the filters' }).click();
    await choose('State', /^skipped/);
    await page.getByRole('region', { name: 'Skipped files (1)' }).waitFor();
    await eventually(names).toEqual([]);
  });

  it('says what to do where there is no skill at all', async () => {
    const { page } = await visit(browser(), createWorld());
    await expectText(page, 'repertoire new skill my-skill');
    expect(await page.getByText('Filters').count()).toBe(0);
  });
});
