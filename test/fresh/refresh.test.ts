import { execFile } from 'node:child_process';
import { rmSync, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { quietMs } from '../../src/engine/freshness/freshness.ts';
import { createRepertoire } from '../../src/index.ts';
import { timeoutMs } from '../support/timeout.ts';
import { createWorld } from '../support/world.ts';
import { kept, stoppedClock } from './kept.ts';

const root = 'home/.claude/skills';

describe('a burst of changes', () => {
  it('is answered after its end, by a look that sees the last of them', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const one = await kept(world);
    await one.freshness.settled();
    const before = one.looks;
    // Time stands still during the burst, however long a busy machine takes for it.
    const clock = stoppedClock();
    for (let turn = 0; turn < 10; turn++) {
      world.skill(`${root}/one`, { description: `turn ${turn}` });
      await sleep(50);
    }
    expect(one.looks).toBe(before);
    const later = () => {
      clock.advance(quietMs);
      return one.description('one');
    };
    await expect.poll(later).toBe('turn 9');
    expect(one.looks - before).toBeLessThanOrEqual(2); // one, unless the system told of the last change after it
  });

  it('that goes on during looks loses none of them', async () => {
    const world = createWorld();
    for (let index = 0; index < 300; index++) world.skill(`${root}/skill-${index}`);
    const one = await kept(world);
    await one.freshness.settled();
    for (let turn = 0; turn < 60; turn++) {
      world.skill(`${root}/skill-${turn}`, { description: `turn ${turn}` });
      void one.freshness.check();
      await sleep(turn % 7);
    }
    await expect.poll(() => one.description('skill-59')).toBe('turn 59');
    for (let turn = 0; turn < 60; turn++) expect(one.description(`skill-${turn}`)).toBe(`turn ${turn}`);
  });

  it('without an end is looked at all the same', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const one = await kept(world);
    await one.freshness.settled();
    const before = one.looks;
    for (let turn = 0; one.looks - before < 2; turn++) {
      world.skill(`${root}/one`, { description: `turn ${turn}` });
      await sleep(100);
    }
  });
});

describe('the log', () => {
  it('has one line for each regular refresh, with what it found', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const none = () => ({ close() {} });
    const one = await kept(world, { refreshInterval: 300 }, none);
    const told = (): string[] => one.lines.filter((line) => line.startsWith('info'));
    await expect.poll(told).toContain('info refreshed: 1 skill, nothing new');
    world.skill(`${root}/two`);
    await expect.poll(told).toContain('info refreshed: 2 skills, 1 added');
    await expect.poll(() => told().length).toBeGreaterThan(3);
    expect(told().filter((line) => line.endsWith('1 added')).length).toBe(1);
    expect([0, 1]).toContain(one.looks - one.lines.length); // each look has its line, but for one under way
  });

  it('tells of a refresh by the watcher only if what is visible changed', async () => {
    const world = createWorld();
    for (const name of ['one', 'two', 'three']) world.skill(`${root}/${name}`);
    const one = await kept(world);
    await one.freshness.settled();
    world.write(`${root}/one/notes.txt`, 'x');
    await expect.poll(() => one.lines.length).toBeGreaterThan(1);
    await one.freshness.settled();
    expect(one.lines.every((line) => line.startsWith('debug'))).toBe(true);
    rmSync(world.path(`${root}/two`), { recursive: true });
    world.skill(`${root}/three`, { description: 'after' });
    await one.expectNames('one', 'three');
    expect(one.lines.filter((line) => line.startsWith('info'))).toEqual([
      'info refreshed: 2 skills, 1 changed, 1 removed',
    ]);
  });

  it('tells of a refresh that failed, and everything stays as it was', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    // A scan does not fail by itself; the machine below it has to.
    let isBroken = false;
    const variables = {
      get CODEX_HOME(): undefined {
        if (isBroken) throw new Error('the machine is broken');
        return undefined;
      },
    };
    const one = await kept(world, {}, undefined, variables);
    await one.freshness.settled();
    isBroken = true;
    world.skill(`${root}/two`);
    await one.freshness.check();
    isBroken = false;
    expect(one.names()).toEqual(['one']);
    expect(one.lines.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringContaining('the machine is broken'),
    ]);
    world.skill(`${root}/three`);
    await one.freshness.check();
    expect(one.names().sort()).toEqual(['one', 'three', 'two']);
  });
});

describe('autoRefresh: false', () => {
  it('ends watching, the check at a call, and the regular refresh [C2-FRESH-08 S0-REFRESH-03]', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const env = { XDG_CACHE_HOME: world.path('cache') };
    const options = { cwd: world.project, home: world.home, env, refreshInterval: 100 };
    const [still, fresh] = [createRepertoire({ ...options, autoRefresh: false }), createRepertoire(options)];
    const names = async (repertoire: typeof still) => (await repertoire.list()).skills.map((skill) => skill.name);
    expect([await names(still), await names(fresh)]).toEqual([['one'], ['one']]);
    world.skill(`${root}/two`);
    await expect(still.resolve('two')).rejects.toMatchObject({ code: 'not-found' });
    expect(await names(fresh)).toEqual(['one', 'two']);
    await sleep(1200); // longer than the debounce and many intervals
    expect(await names(still)).toEqual(['one']);
    await still.refresh();
    expect(await names(still)).toEqual(['one', 'two']);
    fresh.close();
    still.close();
  });

  it('opens no watch, and looks once', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const opened: string[] = [];
    const one = await kept(world, { autoRefresh: false, refreshInterval: 100 }, (folder, _extent, onEvent) => {
      opened.push(folder);
      return watch(folder, onEvent);
    });
    world.skill(`${root}/two`);
    await one.freshness.check('two');
    await sleep(800);
    expect([one.looks, opened, one.names()]).toEqual([1, [], ['one']]);
    await one.freshness.settled();
  });
});

it('a process that only keeps a repertoire ends by itself', async () => {
  const world = createWorld();
  world.skill(`${root}/one`);
  const library = new URL('../../dist/lib/index.js', import.meta.url).href;
  const script = `const { createRepertoire } = await import(${JSON.stringify(library)});
    const { skills } = await createRepertoire().list(); console.log(skills.length);`;
  const env = { PATH: process.env['PATH'], HOME: world.home, XDG_CACHE_HOME: world.path('cache') };
  const options = { cwd: world.project, env, timeout: timeoutMs };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], options);
  expect(stdout.trim()).toBe('1');
});
