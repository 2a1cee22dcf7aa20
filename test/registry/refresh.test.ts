import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createRepertoire,
  type ListOutput,
  type Repertoire,
  type RepertoireOptions,
  SkillError,
} from '../../src/index.ts';
import { createWorld, type World } from '../support/world.ts';

function open(world: World, options: RepertoireOptions = {}): Repertoire {
  const env = { XDG_CACHE_HOME: world.path('cache') };
  const repertoire = createRepertoire({ autoRefresh: false, cwd: world.project, home: world.home, env, ...options });
  onTestFinished(() => repertoire.close());
  return repertoire;
}

const names = ({ skills }: ListOutput): string[] => skills.map((skill) => skill.fullName);

describe('a refresh', () => {
  it('finds a skill that was added [S1-REFRESH-04 S3-CYCLE-03 S3-TEST-06]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const repertoire = open(world);
    expect(names(await repertoire.list())).toEqual(['one']);
    world.skill('home/.claude/skills/two');
    await repertoire.refresh();
    expect(names(await repertoire.list())).toEqual(['one', 'two']);
  });

  it('sees what was modified [S1-REFRESH-06]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one', { description: 'before', body: 'old' });
    const repertoire = open(world);
    await repertoire.list();
    world.skill('home/.claude/skills/one', { description: 'after!', body: 'new' });
    await repertoire.refresh();
    expect((await repertoire.resolve('one')).description).toBe('after!');
    expect((await repertoire.load('one')).content).toContain('new');
  });

  it('forgets what was deleted [S1-REFRESH-08 S1-REFRESH-09 S3-CYCLE-04]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const repertoire = open(world);
    await repertoire.list();
    rmSync(world.path('home/.claude/skills/one'), { recursive: true });
    await repertoire.refresh();
    expect(names(await repertoire.list())).toEqual([]);
    await expect(repertoire.load('one')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('applies the filters again [C1-FILTER-05 S0-FILTER-05]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const repertoire = open(world, { include: ['claude'], exclude: ['secret-*'] });
    await repertoire.list();
    world.skill('home/.claude/skills/two');
    world.skill('home/.claude/skills/secret-three');
    world.skill('home/.codex/skills/four');
    await repertoire.refresh();
    expect(names(await repertoire.list())).toEqual(['one', 'two']);
  });

  it('sees an edit that leaves size and modification time as they were', async () => {
    const world = createWorld();
    const file = `${world.skill('home/.claude/skills/one', { description: 'aaaa' })}/SKILL.md`;
    const repertoire = open(world);
    await repertoire.list();
    const { statSync, utimesSync, readFileSync } = await import('node:fs');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('aaaa', 'bbbb'));
    utimesSync(file, atime, mtime);
    await repertoire.refresh();
    expect((await repertoire.resolve('one')).description).toBe('bbbb');
  });
});

describe('during a refresh', () => {
  it('every lookup is answered at once, from a whole registry [C2-FRESH-09 C2-FRESH-10 C2-FRESH-11 S1-CONC-05 S1-CONC-06 S1-CONC-07]', async () => {
    const world = createWorld();
    for (let index = 0; index < 2000; index++) world.skill(`home/.claude/skills/skill-${index}`);
    const repertoire = open(world);
    await repertoire.list();
    let isRefreshing = true;
    const refreshing = (async () => {
      for (let round = 0; round < 20; round++) {
        world.skill(`home/.claude/skills/skill-${round}`, { description: `round ${round}` });
        await repertoire.refresh();
      }
      isRefreshing = false;
    })();
    let lookups = 0;
    while (isRefreshing) {
      expect((await repertoire.list()).skills.length).toBe(2000);
      expect((await repertoire.resolve('SKILL-1999')).name).toBe('skill-1999');
      lookups++;
      await new Promise(setImmediate);
    }
    await refreshing;
    expect(lookups).toBeGreaterThan(20);
  });

  it('concurrent loads each get their own skill [S1-CONC-01 S1-CONC-02 S1-CONC-03]', async () => {
    const world = createWorld();
    const wanted = Array.from({ length: 40 }, (_, index) => `skill-${index}`);
    for (const name of wanted) world.skill(`home/.claude/skills/${name}`, { body: `I am ${name}.\n` });
    const repertoire = open(world);
    const loaded = await Promise.all([...wanted.map((name) => repertoire.load(name)), repertoire.refresh()]);
    for (const [index, name] of wanted.entries()) {
      expect(loaded[index]).toMatchObject({ skill: { name }, content: expect.stringContaining(`I am ${name}.`) });
    }
    expect(names(await repertoire.list()).sort()).toEqual([...wanted].sort());
  });

  it('callers share one scan', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const { Registry } = await import('../../src/registry/registry.ts');
    const { configurationOf } = await import('../../src/core/config/values.ts');
    const { hostEnvironment } = await import('../../src/core/environment.ts');
    const { values } = configurationOf({});
    const registry = new Registry(values, values, hostEnvironment({ cwd: world.project, home: world.home, env: {} }));
    const [first, second] = await Promise.all([registry.refresh(), registry.refresh()]);
    expect(second).toBe(first);
    expect(await registry.refresh()).not.toBe(first);
  });
});

it('a refresh sees what was changed before it was asked for, though another is under way', async () => {
  const world = createWorld();
  for (let index = 0; index < 2000; index++) world.skill(`home/.claude/skills/skill-${index}`);
  const repertoire = open(world);
  await repertoire.list();
  const first = repertoire.refresh();
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  world.skill('home/.claude/skills/late');
  await repertoire.refresh();
  expect((await repertoire.resolve('late')).name).toBe('late');
  await first;
});

describe('a subscriber', () => {
  it('hears when what is visible changed, and only then', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/one');
    const repertoire = open(world, { exclude: ['hidden-*'] });
    await repertoire.list();
    const heard: string[][] = [];
    const end = repertoire.subscribe((list) => heard.push(names(list)));
    await repertoire.refresh();
    world.skill('home/.claude/skills/hidden-two');
    await repertoire.refresh();
    expect(heard).toEqual([]);
    world.skill('home/.claude/skills/three');
    await repertoire.refresh();
    await expect.poll(() => heard).toEqual([['one', 'three']]);
    end();
    world.skill('home/.claude/skills/four');
    await repertoire.refresh();
    expect(heard.length).toBe(1);
  });
});

it('a listener that throws harms neither the refresh nor its neighbours', async () => {
  const world = createWorld();
  const repertoire = open(world);
  await repertoire.list();
  const heard: number[] = [];
  repertoire.subscribe(() => {
    throw new Error('not my day');
  });
  repertoire.subscribe(({ skills }) => heard.push(skills.length));
  world.skill('home/.claude/skills/one');
  await repertoire.refresh();
  expect(heard).toEqual([1]);
});

it('what it hands out cannot be changed', async () => {
  const world = createWorld();
  world.skill('home/.claude/skills/one', { extra: 'metadata:\n  a: b' });
  const repertoire = open(world);
  const record = await repertoire.resolve('one');
  expect(() => Object.assign(record.frontmatter, { changed: true })).toThrow(TypeError);
  const { skills, diagnostics } = await repertoire.list();
  expect(() => (skills as unknown[]).pop()).toThrow(TypeError);
  expect(() => (diagnostics as unknown[]).push(1)).toThrow(TypeError);
});

it('refreshes by itself when told how often', async () => {
  const world = createWorld();
  const repertoire = open(world, { autoRefresh: true, refreshInterval: 100 });
  expect(names(await repertoire.list())).toEqual([]);
  world.skill('home/.claude/skills/one');
  await expect.poll(async () => names(await repertoire.list())).toEqual(['one']);
});

it('refuses options that make no sense, saying which and why', () => {
  expect(() => createRepertoire({ refreshInterval: -1 })).toThrow(SkillError);
  expect(() => createRepertoire({ include: 5 as never })).toThrow(/include must be a list of strings/);
});
