import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { createWorld, type World } from '../support/world.ts';
import type { ToolAnswer } from './library.ts';

describe('a search that is narrowed', () => {
  /** One skill in each kind of place, all about the same. */
  function machine(): World {
    const world = createWorld();
    const about = { description: 'Reviews a migration of the database.' };
    world.skill('project/.claude/skills/in-project', about);
    world.skill('home/.codex/skills/at-home', about);
    installPlugins(world, { 'kit@shop': ['in-kit'], 'box@shop': ['in-box'] });
    for (const [plugin, name] of [
      ['kit@shop', 'in-kit'],
      ['box@shop', 'in-box'],
    ]) {
      world.skill(`home/.claude/plugins/cache/${plugin}/skills/${name}`, about);
    }
    world.write('home/.codex/skills/at-home/skill.toml', '[skill]\nruntime = "wasm"\n');
    world.write('project/.claude/skills/in-project/scripts/run.sh', '#!/bin/sh\n');
    return world;
  }

  const narrowed = [
    [{ provider: 'codex' }, ['at-home']],
    [{ provider: 'nobody' }, []],
    [{ location: 'project' }, ['in-project']],
    [{ location: 'global' }, ['at-home']],
    [{ location: 'plugin' }, ['in-box', 'in-kit']],
    [{ plugin: 'kit' }, ['in-kit']],
    [{ plugin: 'kit@shop' }, ['in-kit']],
    [{ plugin: 'shop' }, []],
    [{ runtime: 'wasm' }, ['at-home']],
    [{ runtime: 'native' }, ['in-project']],
    [{ runtime: 'none' }, ['in-box', 'in-kit']],
    [{ runtime: 'docker' }, []],
    [{ location: 'plugin', plugin: 'box' }, ['in-box']],
    [{ location: 'project', runtime: 'wasm' }, []],
  ] as const;

  it('finds what is left', async () => {
    const world = machine();
    const runs = narrowed.map(async ([filters, names]) => {
      const options = Object.entries(filters).map(([name, value]) => `--${name}=${value}`);
      const { results } = (await world.run(['search', 'migration', '--json', ...options])).json<ToolAnswer>();
      expect(results.map(({ name }) => name.replace(/.*:/, '')).toSorted(), options.join(' ')).toEqual(names);
    });
    await Promise.all(runs);
  });

  it('to what does not exist is refused', async () => {
    const world = machine();
    for (const option of ['--location=moon', '--runtime=perl']) {
      expect((await world.run(['search', 'migration', option])).code, option).toBe(2);
    }
  });

  it('fills up the answer from what is left', async () => {
    const world = createWorld();
    for (let index = 0; index < 120; index++) {
      world.skill(`home/.claude/skills/near-${index}`, { description: `Reviews a migration, number ${index}.` });
    }
    for (let index = 0; index < 12; index++) {
      world.skill(`home/.codex/skills/far-${index}`, {
        description: `Once number ${index} looked at a migration here.`,
      });
    }
    const search = await world.run(['search', 'review a migration', '--provider=codex', '--json']);
    const names = search.json<ToolAnswer>().results.map(({ name }) => name);
    expect(names).toHaveLength(10);
    expect(names.every((name) => name.includes('far-'))).toBe(true);
  });
});
