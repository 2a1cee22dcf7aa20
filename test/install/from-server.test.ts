import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startHttp } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

interface Outdated {
  readonly skills: readonly { readonly name: string; readonly state: string }[];
}

describe('skills of another server', () => {
  it('are added with all their files, verified, and known to be outdated once they have changed there', async () => {
    const team = createWorld();
    team.skill('home/.agents/skills/notes', { description: 'Writes release notes.' });
    team.write('home/.agents/skills/notes/references/style.md', 'Short sentences.\n');
    const { url } = await startHttp(team, ['serve', '--http']);
    const world = createWorld();

    const added = await world.run(['add', `mcp+${url}`, '--skill', 'notes', '--yes', '--json']);
    expect(added.stderr).toBe('');
    expect(added.code).toBe(0);
    const copy = readFileSync(world.path('project/.agents/skills/notes/references/style.md'), 'utf8');
    expect(copy).toBe('Short sentences.\n');
    expect((await world.run(['verify'])).code).toBe(0);
    expect((await world.run(['outdated', '--json'])).json<Outdated>().skills).toMatchObject([
      { name: 'notes', state: 'current' },
    ]);

    team.write('home/.agents/skills/notes/references/style.md', 'Shorter sentences.\n');
    await expect
      .poll(async () => (await world.run(['outdated', '--json'])).json<Outdated>().skills[0]?.state)
      .not.toBe('current');
  });

  it('are not asked for where the network is not to be used', async () => {
    const world = createWorld();
    const run = await world.run(['add', 'mcp+https://skills.example.com/mcp', '--offline', '--yes']);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain('the network is not to be used');
  });
});
