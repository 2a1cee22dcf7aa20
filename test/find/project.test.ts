import { mkdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createWorld, type RunOptions, type World } from '../support/world.ts';

const found = async (world: World, options: RunOptions = {}): Promise<string[]> =>
  (await world.list([], options)).skills.map((one) => `${one.name} ${one.location}`);

it('project roots are found in the working directory and every parent up to the repository [C1-ROOT-30]', async () => {
  const world = createWorld();
  world.skill('project/.claude/skills/at-root');
  world.skill('project/packages/.claude/skills/half-way');
  world.skill('project/packages/app/.claude/skills/near');
  world.skill('project/packages/app/.codex/skills/near-codex');
  world.skill('project/skills/deep/plain-at-root');
  world.skill('project/packages/skills/plain-half-way');
  world.skill('project/other/.claude/skills/beside');
  const cwd = 'project/packages/app';
  expect(await found(world, { cwd })).toEqual([
    'near project',
    'half-way project',
    'at-root project',
    'near-codex project',
    'plain-half-way project',
    'plain-at-root project',
  ]);
});

it('project roots above the repository are not looked at [C1-ROOT-31]', async () => {
  const world = createWorld();
  world.skill('.claude/skills/above');
  world.skill('skills/above-too');
  world.skill('project/.claude/skills/inside');
  world.folder('project/src');
  expect(await found(world, { cwd: 'project/src' })).toEqual(['inside project']);
});

it('a repository within another ends the search, whether its .git is a folder or a file [C1-ROOT-31]', async () => {
  const world = createWorld();
  world.skill('project/.claude/skills/outer');
  world.skill('project/inner/.claude/skills/inner');
  world.folder('project/inner/src');
  const cwd = 'project/inner/src';
  expect(await found(world, { cwd })).toEqual(['inner project', 'outer project']);
  world.write('project/inner/.git', 'gitdir: /somewhere/.git/worktrees/inner\n');
  expect(await found(world, { cwd })).toEqual(['inner project']);
  rmSync(world.path('project/inner/.git'));
  mkdirSync(world.path('project/inner/.git'));
  expect(await found(world, { cwd })).toEqual(['inner project']);
});

it('of two project roots of one kind the nearest wins [C1-ROOT-32]', async () => {
  const world = createWorld();
  for (const folder of ['.agents/skills', '.claude/skills', '.cursor/skills', 'skills']) {
    const name = `from-${folder.split('/')[0]?.replace('.', '')}`;
    const near = world.skill(`project/app/${folder}/${name}`);
    world.skill(`project/${folder}/${name}`);
    const shown = await world.run(['show', name, '--json'], { cwd: 'project/app' });
    expect(shown.json<{ skill: { dir: string } }>().skill.dir, folder).toBe(near);
  }
  const { skills } = await world.list([], { cwd: 'project/app' });
  expect(skills.filter((one) => one.shadowed).map((one) => one.dir)).toHaveLength(4);
  expect(skills.filter((one) => one.shadowed && one.dir.includes('/app/'))).toEqual([]);
});

it('without a repository only the working directory is the project [C1-ROOT-30]', async () => {
  const world = createWorld();
  rmSync(world.path('project/.git'), { recursive: true });
  world.skill('project/.claude/skills/parent');
  world.skill('project/app/.claude/skills/here');
  world.folder('project/app/src');
  expect(await found(world, { cwd: 'project/app' })).toEqual(['here project']);
  expect(await found(world, { cwd: 'project/app/src' })).toEqual([]);
});

it("at home, the user's folders are the user's and are found once [C1-ROOT-12 C1-SKILL-05]", async () => {
  const world = createWorld();
  world.skill('home/.claude/skills/mine');
  world.skill('home/.agents/skills/shared');
  const expected = ['shared global', 'mine global'];
  expect(await found(world, { cwd: 'home' })).toEqual(expected);
  world.folder('home/project/notes');
  world.folder('home/.git');
  expect(await found(world, { cwd: 'home/project/notes' })).toEqual(expected);
});

it('at home the same holds where HOME is a link [C1-ROOT-12 C1-SKILL-05]', async () => {
  const world = createWorld();
  world.skill('home/.claude/skills/mine');
  world.link('home', 'link-to-home');
  expect(await found(world, { cwd: 'home', env: { HOME: world.path('link-to-home') } })).toEqual(['mine global']);
});
