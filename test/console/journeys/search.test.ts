import { expect, it } from 'vitest';
import { describeInBrowsers } from '../../support/browser.ts';
import { library, worldWith } from '../skills-for-people.ts';
import { textOf, visit } from '../visit.ts';

describeInBrowsers('searching', (browser) => {
  it('finds skills as one types, and shows the passage that fits', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world);
    await page.getByRole('searchbox', { name: 'Search the skills' }).pressSequentially('execution plan of a query');
    const found = page.getByRole('list', { name: 'Found', exact: true });
    const first = found.getByRole('listitem').first();
    await first.getByRole('link', { name: 'tune-queries' }).waitFor();
    expect(await textOf(first)).toContain('Look at the execution plan before an index is added.');
    expect(await first.locator('mark').allInnerTexts()).toContain('execution');

    // What was searched stands in the address, and does not fill the history with every letter.
    expect(page.url()).toContain('q=execution');
    await first.getByRole('link', { name: 'tune-queries' }).click();
    await page.getByRole('heading', { level: 1, name: 'tune-queries' }).waitFor();
    await page.goBack();
    await first.getByRole('link', { name: 'tune-queries' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('execution plan of a query');

    // Escape takes the search back.
    await page.getByRole('searchbox').press('Escape');
    await page.getByRole('list', { name: 'Skills', exact: true }).waitFor();
  });

  it('shows the tool that is meant, what it does, and the way to run it', async () => {
    const world = worldWith(library);
    world.skill('project/skills/pottery-shed', { description: 'Looks after what a potter needs.' });
    const tool =
      '[tools.mix-glaze]\ndescription = "Weigh out the powders of a celadon glaze."\ncommand = "echo glaze"\n';
    world.write('project/skills/pottery-shed/skill.toml', tool);
    const { page } = await visit(browser(), world, { at: '#/skills?q=weigh+powders+for+a+glaze' });
    const first = page.getByRole('list', { name: 'Found', exact: true }).getByRole('listitem').first();
    await first.getByRole('link', { name: 'pottery-shed' }).waitFor();
    expect(await textOf(first)).toContain('mix-glaze: Weigh out the powders of a celadon glaze.');
    await first.getByRole('link', { name: 'Run mix-glaze' }).click();
    await page.getByRole('heading', { level: 1, name: /mix-glaze/ }).waitFor();
  });

  it('keeps to the filters, and says so where nothing fits', async () => {
    const world = worldWith(library);
    const { page } = await visit(browser(), world, { at: '#/skills?provider=claude&q=database+queries' });
    await page.getByText(/Nothing was found|Nothing fits/).waitFor();
    expect(await page.getByRole('link', { name: 'tune-queries' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Clear the filters' }).click();
    await page.getByRole('list', { name: 'Found' }).getByRole('link', { name: 'tune-queries' }).waitFor();
  });
});
