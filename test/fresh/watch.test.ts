import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { type Kept, kept } from './kept.ts';

const root = 'home/.claude/skills';

/** A world with one skill, whose registry is kept fresh by the watcher alone. */
async function watchedWorld(): Promise<{ world: World; one: Kept }> {
  const world = createWorld();
  world.skill(`${root}/one`, { description: 'before' });
  const one = await kept(world);
  await one.freshness.settled();
  return { world, one };
}

const text = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n`;

/** Replaces a file in one step, the way careful editors do. */
function replace(world: World, file: string, content: string): void {
  world.write(`${file}.new`, content);
  renameSync(world.path(`${file}.new`), world.path(file));
}

async function expectDescription(one: Kept, name: string, description: string): Promise<void> {
  await expect.poll(() => one.description(name)).toBe(description);
}

describe('the watcher notices', () => {
  it('an edit', async () => {
    const { world, one } = await watchedWorld();
    world.skill(`${root}/one`, { description: 'after' });
    await expectDescription(one, 'one', 'after');
  });

  it('a file put in the place of another, and an edit after that', async () => {
    const { world, one } = await watchedWorld();
    replace(world, `${root}/one/SKILL.md`, text('one', 'replaced'));
    await expectDescription(one, 'one', 'replaced');
    await one.freshness.settled();
    writeFileSync(world.path(`${root}/one/SKILL.md`), text('one', 'edited'));
    await expectDescription(one, 'one', 'edited');
  });

  it('a new folder with its file', async () => {
    const { world, one } = await watchedWorld();
    world.skill(`${root}/two`);
    await one.expectNames('one', 'two');
  });

  it('nested folders with a file, and an edit inside them', async () => {
    const { world, one } = await watchedWorld();
    world.skill(`${root}/a/b/c/two`, { description: 'before' });
    await one.expectNames('one', 'two');
    await one.freshness.settled();
    world.skill(`${root}/a/b/c/two`, { description: 'after' });
    await expectDescription(one, 'two', 'after');
  });

  it('a file that follows its folder only later', async () => {
    const { world, one } = await watchedWorld();
    world.folder(`${root}/two`);
    await one.freshness.settled();
    world.skill(`${root}/two`);
    await one.expectNames('one', 'two');
  });

  it('an edit behind a linked folder, and another target of the link', async () => {
    const { world, one } = await watchedWorld();
    world.skill('elsewhere/two', { description: 'before' });
    world.skill('elsewhere/three');
    world.link('elsewhere/two', `${root}/linked`);
    await one.expectNames('one', 'two');
    await one.freshness.settled();
    world.skill('elsewhere/two', { description: 'after' });
    await expectDescription(one, 'two', 'after');
    unlinkSync(world.path(`${root}/linked`));
    symlinkSync(world.path('elsewhere/three'), world.path(`${root}/linked`));
    await one.expectNames('one', 'three');
  });

  it('a folder under another name, and an edit inside', async () => {
    const { world, one } = await watchedWorld();
    world.skill(`${root}/group/two`, { description: 'before' });
    await one.expectNames('one', 'two');
    await one.freshness.settled();
    renameSync(world.path(`${root}/group`), world.path(`${root}/other`));
    await expect
      .poll(() => one.engine.registry.current?.skills.some(({ id }) => id === world.path(`${root}/other/two`)))
      .toBe(true);
    await one.freshness.settled();
    world.skill(`${root}/other/two`, { description: 'after' });
    await expectDescription(one, 'two', 'after');
  });

  it('an edit in a folder that took the place of another', async () => {
    const { world, one } = await watchedWorld();
    world.skill(`${root}/group/two`);
    world.skill('aside/group/two', { description: 'before' });
    await one.expectNames('one', 'two');
    await one.freshness.settled();
    renameSync(world.path(`${root}/group`), world.path('aside/old'));
    renameSync(world.path('aside/group'), world.path(`${root}/group`));
    await expectDescription(one, 'two', 'before');
    await one.freshness.settled();
    world.skill(`${root}/group/two`, { description: 'after' });
    await expectDescription(one, 'two', 'after');
  });

  it('that a skill was removed', async () => {
    const { world, one } = await watchedWorld();
    rmSync(world.path(`${root}/one`), { recursive: true });
    await one.expectNames();
  });

  it('that the whole root was removed, and made again', async () => {
    const { world, one } = await watchedWorld();
    rmSync(world.path(root), { recursive: true });
    await one.expectNames();
    await one.freshness.settled();
    world.skill(`${root}/two`);
    await one.expectNames('two');
    await one.freshness.settled();
    world.skill(`${root}/two`, { description: 'after' });
    await expectDescription(one, 'two', 'after');
  });

  it('that the whole root was removed and made again in one go', async () => {
    const { world, one } = await watchedWorld();
    rmSync(world.path(root), { recursive: true });
    world.skill(`${root}/two`);
    await one.expectNames('two');
    await one.freshness.settled();
    world.skill(`${root}/three`);
    await one.expectNames('two', 'three');
  });

  it('a root that was not there at the start', async () => {
    const world = createWorld();
    const one = await kept(world, { skillDirs: [world.path('not/yet/there')] });
    await one.freshness.settled();
    world.skill('not/yet/there/one');
    await one.expectNames('one');
    world.skill('project/.cursor/skills/two');
    await one.expectNames('one', 'two');
  });

  it('a root that is a link to another folder by now', async () => {
    const world = createWorld();
    world.skill('first/one');
    world.skill('second/two');
    world.link('first', root);
    const one = await kept(world);
    await one.freshness.settled();
    unlinkSync(world.path(root));
    world.link('second', root);
    await one.expectNames('two');
  });

  it('plugins that are installed, switched off, and moved to other folders by their manifest', async () => {
    const { world, one } = await watchedWorld();
    const plugins = 'home/.claude/plugins';
    const dir = world.folder(`${plugins}/cache/market/tools/1`);
    world.skill(`${plugins}/cache/market/tools/1/skills/two`);
    world.skill(`${plugins}/cache/market/tools/1/more/three`);
    world.writeJson(`${plugins}/installed_plugins.json`, { 'tools@market': { scope: 'user', installPath: dir } });
    await one.expectNames('one', 'tools:two');
    await one.freshness.settled();
    world.writeJson(`${plugins}/cache/market/tools/1/.claude-plugin/plugin.json`, { name: 'tools', skills: './more' });
    await one.expectNames('one', 'tools:two', 'tools:three');
    await one.freshness.settled();
    world.writeJson('home/.claude/settings.json', { enabledPlugins: { 'tools@market': false } });
    await one.expectNames('one');
  });
});

it('is not disturbed by what a home is otherwise used for', async () => {
  const { world, one } = await watchedWorld();
  const before = one.looks;
  world.write('home/.bash_history', 'ls\n');
  world.write('home/.claude/history.jsonl', '{}\n');
  mkdirSync(world.path('home/Downloads'));
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(one.looks).toBe(before);
});

it('watches nothing before the first scan has ended', async () => {
  const world = createWorld();
  const opened: string[] = [];
  const starting = kept(world, {}, (folder) => {
    opened.push(folder);
    return { close() {} };
  });
  expect(opened).toEqual([]);
  const { freshness } = await starting;
  await freshness.settled();
  expect(opened).toContain(world.home);
});
