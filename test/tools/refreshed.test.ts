import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { catalogueOf } from './catalogue.ts';

describe('the catalogue of a server that runs', () => {
  it('shows the skills as they are after a refresh [S1-TOOL-04]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/old');
    const server = await connectStdio(world, ['mcp', '--refresh-interval', '200']);
    expect((await catalogueOf(server)).names).toEqual(['old']);
    world.skill('home/.claude/skills/new', { description: 'First words' });
    await expect.poll(async () => (await catalogueOf(server)).names).toEqual(['new', 'old']);
    rmSync(world.path('home/.claude/skills/old'), { recursive: true });
    world.skill('home/.claude/skills/new', { description: 'Other words, and more of them' });
    await expect
      .poll(async () => (await catalogueOf(server)).entries)
      .toEqual([{ name: 'new', description: 'Other words, and more of them', location: 'global' }]);
  });
});
