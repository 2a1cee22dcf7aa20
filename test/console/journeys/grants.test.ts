import { expect, it } from 'vitest';
import { describeInBrowsers } from '../../support/browser.ts';
import { createWorld } from '../../support/world.ts';
import { claude, courier, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, goTo, textOf, visit } from '../visit.ts';

const env = { REGION: 'the north' };

describeInBrowsers('granting', (browser) => {
  it('goes from a denial to a grant and back to a run that works', async () => {
    const world = worldWith(courier);
    const { page } = await visit(browser(), world, { at: '#/run/courier/send', env });
    const policy = page.getByRole('region', { name: 'What it would do, and what it may access' });
    await eventually(() => textOf(policy)).toContain('It may not run yet.');
    expect(await textOf(policy)).toMatch(/api\.example\.com[\s\S]*REGION[\s\S]*repertoire grant courier/);

    // Whoever runs it all the same is told the same, and the log has it.
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const status = page.getByRole('status').filter({ hasText: 'Denied' });
    expect(await textOf(status)).toMatch(/api\.example\.com[\s\S]*repertoire grant courier/);

    await status.getByRole('link', { name: 'Review what it asks for' }).click();
    await page.getByRole('heading', { level: 1, name: 'What courier may do' }).waitFor();
    // Nobody has decided anything yet.
    for (const box of await page.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Select all of these' }).click();
    // One way back, and what was meant is done.
    await page.getByRole('button', { name: 'Grant all 2 and run send' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run send' }).waitFor();
    await expectText(page, 'sent from the north');
    await expectText(page, 'Finished with exit code 0');
  });

  it('can be narrowed, and revoked after a second look', async () => {
    const world = worldWith(courier);
    const { page } = await visit(browser(), world, { at: '#/grants', env });
    // Who asks and has nothing is listed.
    await page.getByRole('list', { name: 'Asking' }).getByRole('link', { name: 'Review courier' }).click();
    await page.getByRole('checkbox', { name: /REGION/ }).check();
    await page.getByRole('button', { name: 'Grant 1 of 2' }).click();
    await page.getByRole('button', { name: 'Granted' }).waitFor();

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Grants' }).click();
    const granted = page.getByRole('list', { name: 'What courier was granted', exact: true });
    expect(await textOf(granted)).toMatch(/REGION/);
    expect(await textOf(page.getByRole('list', { name: 'What courier was not granted' }))).toMatch(/api\.example\.com/);
    expect((await world.run(['run', 'courier:look'])).code).toBe(0);

    await page.getByRole('button', { name: 'Revoke courier' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke courier' }).click();
    await page.getByRole('button', { name: 'Yes, revoke' }).click();
    await expectText(page, 'Nothing is granted.');
    expect((await world.run(['grants', '--json'])).json<{ grants: unknown[] }>().grants).toEqual([]);
  });

  it('ends when a file is edited: the page shows it at once, and what has changed', async () => {
    const world = worldWith(courier);
    await world.run(['grant', 'courier', '--yes']);
    const { page } = await visit(browser(), world, { at: '#/grants', env });
    const card = page.getByRole('list', { name: 'Grants', exact: true }).getByRole('listitem').first();
    await eventually(() => textOf(card)).toContain('holds');
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();

    world.write(`${claude}/courier/scripts/send.sh`, 'echo "other than before"\n');
    await eventually(() => textOf(card)).toContain('revoked by a change');
    expect(await textOf(page.getByRole('list', { name: 'What has changed' }))).toContain('scripts/send.sh');

    await page.getByRole('link', { name: 'Review courier' }).first().click();
    await expectText(page, 'A change has revoked this grant.');
    // The change is shown line by line, with what was there when it was granted.
    const diff = page.getByRole('region', { name: 'Changes of scripts/send.sh' });
    await eventually(() => textOf(diff)).toMatch(/sent from \$REGION[\s\S]*other than before/);
    await goTo(page, '#/run/courier/send');
    await expectText(page, 'It may not run yet.');
    // Looked at and granted again, it runs as it is now.
    await page.getByRole('link', { name: 'Review what it asks for' }).click();
    await page.getByRole('button', { name: 'Select what it had' }).click();
    await page.getByRole('button', { name: 'Grant all 2 and run send' }).click();
    await expectText(page, 'other than before');
  });

  it('is not asked for where it would not help', async () => {
    const world = createWorld();
    world.skill(`${claude}/mailer`);
    world.write(
      `${claude}/mailer/skill.toml`,
      '[capabilities]\nsecrets = ["MAIL_TOKEN"]\n[tools.send]\ncommand = ["echo", "sent"]\n',
    );
    await world.run(['grant', 'mailer', '--yes']);
    const { page } = await visit(browser(), world, { at: '#/run/mailer/send' });
    await expectText(page, /MAIL_TOKEN[\s\S]*is not set[\s\S]*secrets\.toml/);
    expect(await page.getByRole('link', { name: 'Review what it asks for' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expectText(page, /Denied[\s\S]*secrets\.toml/);
    expect(await page.getByRole('link', { name: 'Review what it asks for' }).count()).toBe(0);
  });

  it('is for what was shown: a skill that changes meanwhile is not granted unseen', async () => {
    const world = worldWith(courier);
    const { page } = await visit(browser(), world, { at: '#/grants/courier', env, window: { provoked: /403/ } });
    await page.getByRole('button', { name: 'Select all of these' }).click();
    await page.route('**/api/grant', async (route) => {
      world.write(`${claude}/courier/scripts/send.sh`, 'echo "changed just before"\n');
      await route.continue();
    });
    await page.getByRole('button', { name: 'Grant all 2' }).click();
    await page.getByRole('alert').filter({ hasText: 'Nothing was granted' }).waitFor();
    expect((await world.run(['grants', '--json'])).json<{ grants: unknown[] }>().grants).toEqual([]);
  });
});
