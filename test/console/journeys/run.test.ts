import { expect, it } from 'vitest';
import { processesWith } from '../../run/workshop.ts';
import { describeInBrowsers } from '../../support/browser.ts';
import { isFocused } from '../keyboard.ts';
import { waitingWord, workbench, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, textOf, visit } from '../visit.ts';

describeInBrowsers('running a tool', (browser) => {
  it('goes from the skill through the form and the policy to the output and its record', async () => {
    const world = worldWith(workbench);
    const { page } = await visit(browser(), world);
    await page.getByRole('link', { name: 'bench', exact: true }).click();
    await page.getByRole('link', { name: /^Tools/ }).click();
    await page.getByRole('link', { name: 'Run greet' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run greet' }).waitFor();

    // What is missing is said at the field, which gets the focus.
    const form = page.getByRole('form', { name: 'Parameters' });
    const name = form.getByRole('textbox', { name: /^name/ });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);

    await name.fill('Ada');
    await form.getByRole('textbox', { name: /^times/ }).fill('3');
    await form.getByRole('checkbox', { name: /^loud/ }).check();
    const policy = page.getByRole('region', { name: 'What it would do, and what it may access' });
    await eventually(() => textOf(policy)).toMatch(/greet\.sh\s+3\s+loud\s+--\s+Ada/);
    await policy.getByText(/^Limits: 1 min 30 s/).click();
    await eventually(() => textOf(policy)).toMatch(/Network\nnone\nenforced by[\s\S]*Time\n1 min 30 s\nenforced by/);

    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const output = page.getByRole('log', { name: 'Output of the run' });
    // It comes as it is written, before the run is over.
    await eventually(() => textOf(output)).toContain('HELLO, Ada!');
    await expectText(page, 'Finished with exit code 0');
    expect((await textOf(output)).match(/HELLO, Ada!/g)).toHaveLength(3);
    expect(await textOf(output)).toContain('about to greet');
    for (const gauge of ['Time', 'Output']) expect(await page.getByRole('meter', { name: gauge }).count()).toBe(1);

    const record = page.getByRole('region', { name: 'In the audit log' });
    const text = await textOf(record);
    expect(text).toMatch(/sha256:[0-9a-f]{64}/);
    await record.getByRole('link', { name: 'Show it in the log' }).click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await expectText(page, '"name": "Ada"');
    const [hash = 'no hash'] = /[0-9a-f]{64}/.exec(text.slice(text.indexOf('Hash'))) ?? [];
    await expectText(page, hash);
  });

  it('takes the parameters as JSON too, and shows data as data', async () => {
    const world = worldWith(workbench);
    const { page } = await visit(browser(), world, { at: '#/run/bench/greet' });
    const form = page.getByRole('form', { name: 'Parameters' });
    await form.getByRole('textbox', { name: /^name/ }).fill('Ada');
    await form.getByRole('checkbox', { name: 'as JSON' }).check();
    const json = form.getByRole('textbox', { name: 'All parameters' });
    expect(JSON.parse(await json.inputValue())).toMatchObject({ name: 'Ada' });
    await json.fill('{ "name": "Grace", "times": 1 }');
    await form.getByRole('checkbox', { name: 'as JSON' }).uncheck();
    expect(await form.getByRole('textbox', { name: /^name/ }).inputValue()).toBe('Grace');
    expect(await form.getByRole('textbox', { name: /^times/ }).inputValue()).toBe('1');

    await page.getByRole('navigation', { name: 'Tools of this skill' }).getByRole('link', { name: 'numbers' }).click();
    await expectText(page, 'It takes no parameters.');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await eventually(() => page.getByRole('region', { name: 'The output as data' }).allInnerTexts()).toEqual([
      expect.stringContaining('sum: 42'),
    ]);
    // Once, as a tree that opens by keyboard; the text is one button away.
    expect(await page.getByRole('log').count()).toBe(0);
    await expectText(page, /0: 40\n+1: 2/);
    const parts = page.locator('summary', { hasText: 'parts:' });
    await parts.focus();
    expect(await isFocused(parts)).toBe(true);
    await page.keyboard.press('Enter');
    await eventually(() => page.getByText('0: 40').count()).toBe(0);
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    expect(await textOf(page.getByRole('log', { name: 'Output of the run' }))).toContain('{"sum": 42');
  });

  it('can be cancelled, and nothing of it is left', async () => {
    const world = worldWith(workbench);
    const { page } = await visit(browser(), world, { at: '#/run/bench/wait' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await eventually(() => page.getByRole('log').allInnerTexts()).toEqual([expect.stringContaining('waiting')]);
    expect(processesWith(waitingWord)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expectText(page, /Cancelled, after/);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    expect(await textOf(page.getByRole('region', { name: 'In the audit log' }))).toMatch(/cancelled/i);
    await eventually(() => processesWith(waitingWord)).toBe(0);
  });

  it('is cancelled when the page is left', async () => {
    const world = worldWith(workbench);
    const { page } = await visit(browser(), world, { at: '#/run/bench/wait' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await eventually(() => page.getByRole('log').allInnerTexts()).toEqual([expect.stringContaining('waiting')]);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Activity' }).click();
    const row = page.getByRole('list', { name: 'Executions' }).getByRole('listitem');
    await eventually(() => row.allInnerTexts()).toEqual([expect.stringMatching(/cancelled/i)]);
  });
});
