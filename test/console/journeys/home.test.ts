import { expect, it } from 'vitest';
import { describeInBrowsers } from '../../support/browser.ts';
import { createWorld } from '../../support/world.ts';
import { claude, codex, courier, library, worldWith } from '../skills-for-people.ts';
import { eventually, expectText, goTo, textOf, visit } from '../visit.ts';

describeInBrowsers('home', (browser) => {
  it('tells what needs somebody, and each row leads to where it is settled', async () => {
    const world = worldWith(library, courier);
    await world.run(['grant', 'courier', '--yes']);
    world.write(`${claude}/courier/scripts/send.sh`, 'echo other\n');
    world.skill(`${claude}/stranger`);
    world.write(
      `${claude}/stranger/skill.toml`,
      '[capabilities]\nenv = ["HOME_TOWN"]\n[tools.look]\ncommand = ["echo"]\n',
    );
    await world.run(['run', 'stranger:look']);
    world.write('home/.codex/config.toml', '');
    const { page } = await visit(browser(), world, { at: '#/home' });

    const inbox = page.getByRole('region', { name: 'Needs you' });
    await inbox.getByText('The grant of courier no longer holds').waitFor();
    const told = await textOf(inbox);
    expect(told).toMatch(
      /Broken[\s\S]*broken: no front matter[\s\S]*~\/.*broken\/SKILL\.md:1[\s\S]*Start the file with/,
    );
    expect(told).toMatch(/no longer holds[\s\S]*scripts\/send\.sh has changed/);
    expect(told).toMatch(/stranger was denied a run today[\s\S]*HOME_TOWN/);
    expect(told).toMatch(/Codex is not connected/);

    await inbox.getByRole('link', { name: 'Review courier' }).click();
    await page.getByRole('heading', { level: 1, name: 'What courier may do' }).waitFor();
    await page.goBack();
    await inbox.getByRole('link', { name: 'Connect' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  });

  it('opens what is broken at its line, and has no more to say of it once it is mended', async () => {
    const world = createWorld();
    world.write(`${claude}/broken/SKILL.md`, '---\nname: broken\ndescription: [unclosed\n---\n');
    const { page } = await visit(browser(), world, { at: '#/home' });
    const inbox = page.getByRole('region', { name: 'Needs you' });
    await inbox.getByRole('link', { name: 'Fix' }).click();
    const box = page.getByRole('textbox', { name: 'The text of SKILL.md' });
    await box.waitFor();
    expect(new URL(page.url()).hash).toContain('line=3');
    await box.fill('---\nname: broken\ndescription: Mended.\n---\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectText(page, 'Saved.');
    await page.getByRole('link', { name: 'Home' }).click();
    await expectText(page, '1 skill');
    await eventually(() => page.getByText('broken/SKILL.md').count()).toBe(0);
  });

  it('is done when nothing needs anybody, and tells what happened lately', async () => {
    const world = createWorld();
    world.skill(`${codex}/plain`);
    await world.run(['search', 'plain']);
    const { page } = await visit(browser(), world, { at: '#/skill/plain' });
    await page.getByRole('heading', { level: 1, name: 'plain' }).waitFor();
    await goTo(page, '#/home');
    await expectText(page, /Nothing needs you[\s\S]*Lately[\s\S]*searched/);
    // Looking around is not what happened to the skills.
    expect(await textOf(page.getByRole('region', { name: 'Lately' }))).not.toContain('loaded');
  });

  it('has three ways to begin where there is nothing at all', async () => {
    const { page } = await visit(browser(), createWorld(), { at: '#/home' });
    const start = page.getByRole('region', { name: 'Begin here' });
    await start.waitFor();
    const links = start.getByRole('link');
    expect(await links.allInnerTexts()).toEqual([
      expect.stringContaining('Try the examples'),
      expect.stringContaining('Make a skill'),
      expect.stringContaining('Connect an agent'),
    ]);
    expect(await Promise.all((await links.all()).map((link) => link.getAttribute('href')))).toEqual([
      expect.stringMatching(/^#\/get\?source=.*skills$/),
      '#/new',
      '#/agents',
    ]);
    // A first skill goes where most agents look.
    await goTo(page, '#/new');
    await eventually(() => page.getByRole('combobox', { name: 'Folder' }).inputValue()).toMatch(
      /\/home\/\.agents\/skills$/,
    );
  });
});
