import { describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { courier, library, workbench, worldWith } from '../skills-for-people.ts';
import { expectText, goTo, visit } from '../visit.ts';

const browser = useBrowser();

describe('a console for reading only', () => {
  it('shows everything and offers nothing that acts', async () => {
    const world = worldWith(library, workbench, courier);
    await world.run(['grant', 'courier', '--yes']);
    await world.run(['run', 'bench:numbers']);
    const { page, served } = await visit(browser(), world, { args: ['--console', 'read'] });
    await page.getByText('read-only').waitFor();
    const acting = page.getByRole('button', {
      name: /^(?:Run|Grant|Revoke|Cancel|Tick|Add|Connect|Disable|Enable|Look at|Remove|Update)/,
    });
    for (const [at, complete] of [
      ['#/home', 'Needs you'],
      ['#/skills', 'Skipped files'],
      ['#/agents', 'Agents'],
      ['#/get', 'read-only'],
      ['#/skill/bench?part=tools', 'Who is greeted.'],
      ['#/run/bench/greet', 'repertoire run bench:greet'],
      ['#/grants', 'It may'],
      ['#/grants/courier', 'nothing can be granted or revoked here'],
      ['#/activity', 'bench:numbers'],
      ['#/health', 'Diagnostics'],
    ] as const) {
      await goTo(page, at);
      await expectText(page, complete);
      expect(await acting.count()).toBe(0);
    }
    // And the server does not take it from anybody either.
    expect((await served.post('/api/revoke', { skill: 'courier' })).status).toBe(403);
  });
});
