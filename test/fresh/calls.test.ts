import { rmSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepertoire, type RepertoireOptions } from '../../src/index.ts';
import type { OpenWatch } from '../../src/registry/watch.ts';
import { createWorld, type World } from '../support/world.ts';
import { kept, never, stoppedClock } from './kept.ts';

const root = 'home/.claude/skills';

function open(world: World, options: RepertoireOptions = {}) {
  const env = { XDG_CACHE_HOME: world.path('cache') };
  const repertoire = createRepertoire({
    cwd: world.project,
    home: world.home,
    env,
    refreshInterval: never,
    ...options,
  });
  onTestFinished(() => repertoire.close());
  const names = async (): Promise<string[]> => (await repertoire.list()).skills.map((skill) => skill.fullName);
  return { ...repertoire, names };
}

describe('a call', () => {
  it('sees what was changed right before it, without anyone asking for a refresh', async () => {
    const world = createWorld();
    const repertoire = open(world);
    expect(await repertoire.names()).toEqual([]);
    for (const name of ['a', 'b', 'c', 'd']) {
      world.skill(`${root}/${name}`);
      expect((await repertoire.resolve(name)).name).toBe(name);
      world.skill(`${root}/${name}`, { body: `I am ${name}.\n` });
      expect((await repertoire.load(name)).content).toContain(`I am ${name}.`);
    }
    expect((await repertoire.searchExact('I am c')).results.map((hit) => hit.fullName)).toEqual(['c']);
    rmSync(world.path(`${root}/b`), { recursive: true });
    expect(await repertoire.names()).toEqual(['a', 'c', 'd']);
  });

  it('that comes from an event, as requests do, sees it as well', async () => {
    const world = createWorld();
    const file = world.write('some-file', 'x');
    const one = await kept(world);
    await one.freshness.settled();
    for (let turn = 0; turn < 20; turn++) {
      await readFile(file);
      world.skill(`${root}/skill-${turn}`);
      await one.freshness.check();
      expect(one.names()).toContain(`skill-${turn}`);
    }
  });

  it('costs no look when nothing changed', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const one = await kept(world);
    await one.freshness.settled();
    const before = one.looks;
    for (let turn = 0; turn < 200; turn++) await one.freshness.check(turn % 2 === 0 ? 'one' : 'no-such-skill');
    expect(one.looks).toBe(before);
  });

  it('shares one look with all that wait', async () => {
    const world = createWorld();
    const one = await kept(world);
    await one.freshness.settled();
    const before = one.looks;
    world.skill(`${root}/one`);
    await Promise.all(Array.from({ length: 50 }, () => one.freshness.check()));
    expect(one.names()).toEqual(['one']);
    expect(one.looks - before).toBeLessThanOrEqual(2);
  });

  it('for a skill that is known does not wait for a long look; for one that is not, it does', async () => {
    const world = createWorld();
    for (let index = 0; index < 2100; index++) world.skill(`${root}/skill-${index}`);
    const one = await kept(world);
    await one.freshness.settled();
    world.skill(`${root}/new`);
    const before = one.looks;
    await one.freshness.check('skill-7');
    expect([one.looks, one.names().includes('new')]).toEqual([before, false]);
    await one.freshness.check('new');
    expect(one.names()).toContain('new');
  });

  it('after the end looks no more', async () => {
    const world = createWorld();
    const one = await kept(world);
    one.freshness.close();
    world.skill(`${root}/one`);
    await one.freshness.check();
    await sleep(700);
    expect(one.names()).toEqual([]);
    expect(one.looks).toBe(1);
  });
});

it('what changes between a scan and the watch is seen', async () => {
  const world = createWorld();
  world.skill(`${root}/one`);
  const meddled = new Set<string>();
  const meddling: OpenWatch = (folder, _extent, onEvent) => {
    if (folder === world.path(`${root}/one`) && !meddled.has(folder))
      world.skill(`${root}/one`, { description: 'late' });
    meddled.add(folder);
    return watch(folder, { persistent: false }, onEvent);
  };
  const one = await kept(world, {}, meddling);
  await expect.poll(() => one.description('one')).toBe('late');
});

describe('where watches run out', () => {
  const none: OpenWatch = () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };

  it('says so once, and a call looks if the last look is older than a second', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const one = await kept(world, {}, none);
    await one.freshness.check();
    world.skill(`${root}/one`, { description: 'after' });
    stoppedClock().advance(1100);
    await one.freshness.check();
    expect(one.description('one')).toBe('after');
    const looks = one.looks;
    for (let turn = 0; turn < 20; turn++) await one.freshness.check('one');
    expect(one.looks).toBe(looks);
    expect(one.lines.filter((line) => line.startsWith('warn'))).toEqual([expect.stringContaining('(ENOSPC)')]);
  });

  it('a name that is not known is looked for at once', async () => {
    const world = createWorld();
    const one = await kept(world, {}, none);
    world.skill(`${root}/one`);
    await one.freshness.check('one');
    expect(one.names()).toEqual(['one']);
  });

  it('the rest is watched as far as it goes', async () => {
    const world = createWorld();
    for (let index = 0; index < 20; index++) world.skill(`${root}/skill-${index}`);
    let left = 10;
    const some: OpenWatch = (folder, extent, onEvent) =>
      left-- > 0 ? watch(folder, { persistent: false }, onEvent) : none(folder, extent, onEvent);
    const one = await kept(world, {}, some);
    await one.freshness.settled();
    rmSync(world.path(root), { recursive: true });
    await one.expectNames();
  });

  it('the regular refresh sees the change', async () => {
    const world = createWorld();
    const one = await kept(world, { refreshInterval: 200 }, none);
    world.skill(`${root}/one`);
    await one.expectNames('one');
  });
});

it('a folder that may not be watched keeps nothing else from it', async () => {
  const world = createWorld();
  world.skill(`${root}/one`);
  world.skill(`${root}/two`);
  const picky: OpenWatch = (folder, _extent, onEvent) => {
    if (folder.endsWith('one')) throw Object.assign(new Error('not permitted'), { code: 'EACCES' });
    return watch(folder, { persistent: false }, onEvent);
  };
  const one = await kept(world, {}, picky);
  await one.freshness.settled();
  const { looks } = one;
  await sleep(700);
  expect(one.looks).toBe(looks);
  world.skill(`${root}/two`, { description: 'after' });
  await expect.poll(() => one.description('two')).toBe('after');
  expect(one.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
});
