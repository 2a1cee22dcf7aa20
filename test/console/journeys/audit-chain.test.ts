import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { workbench, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, textOf, visit } from '../visit.ts';

const browser = useBrowser();

describe('following the audit chain', () => {
  it('leads from the list to the record, verifies it, and tells where it was tampered with', async () => {
    const world = worldWith(workbench);
    for (const name of ['Ada', 'Grace']) await world.run(['run', 'bench:greet', '--param', `name=${name}`]);
    const { page } = await visit(browser(), world);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Activity' }).click();
    const rows = page.getByRole('list', { name: 'Executions' }).locator('details');
    await eventually(() => rows.count()).toBe(2);

    // The newest is first.
    await rows.first().locator('summary').click();
    await page.getByRole('region', { name: 'Parameters' }).waitFor();
    expect(await textOf(rows.first())).toMatch(/bench:greet[\s\S]*sha256:[\s\S]*Grace/);

    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await expectText(page, 'The chain is intact.');

    const log = world.path('home/.local/state/repertoire/audit/audit.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replace('Ada', 'Eve'));
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await expectText(page, 'The chain is broken. A record was changed.');
    await expectText(page, /audit\.jsonl, line \d+, record \d+/);
  });

  it('shows runs of others as they begin and end, and keeps to the filters', async () => {
    const world = worldWith(workbench);
    const { page } = await visit(browser(), world, { at: '#/activity' });
    await expectText(page, 'Nothing has been executed yet.');
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await world.run(['run', 'bench:numbers']);
    const rows = page.getByRole('list', { name: 'Executions' }).locator('summary');
    await eventually(() => rows.allInnerTexts()).toEqual([expect.stringContaining('bench:numbers')]);
    await world.run(['run', 'bench:greet', '--param', 'name=Ada']);
    await eventually(() => rows.count()).toBe(2);

    const filters = page.getByRole('search', { name: 'Filters of the audit log' });
    await filters.getByLabel('Tool', { exact: true }).fill('numbers');
    await eventually(() => rows.allInnerTexts()).toEqual([expect.stringContaining('bench:numbers')]);
    await filters.getByLabel('Tool', { exact: true }).fill('');
    await filters.getByLabel('Result').selectOption({ index: 2 });
    await expectText(page, 'No execution matches these filters.');
    await page.getByRole('link', { name: 'Show all of them' }).click();
    await eventually(() => rows.count()).toBe(2);
  });

  it('tells what was searched, loaded and run, and by whom', async () => {
    const world = worldWith(workbench);
    await world.run(['search', 'try things']);
    await world.run(['show', 'bench']);
    await world.run(['run', 'bench:numbers']);
    const { page } = await visit(browser(), world, { at: '#/activity?view=all' });
    const rows = page.getByRole('list', { name: 'All activity' }).getByRole('listitem');
    await eventually(() => rows.count()).toBeGreaterThanOrEqual(3);
    const text = (await rows.allInnerTexts()).join('\n');
    expect(text).toContain('try things');
    expect(text).toMatch(/bench/);
  });
});
