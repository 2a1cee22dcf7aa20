import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, watch } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.ts';
import { scopeFor } from '../../src/get/install/places.ts';
import { type Change, commit, inTurn, moving, preparing } from '../../src/get/install/transaction.ts';
import { createWorld, program, type World } from '../support/world.ts';
import { skillText, treeOf } from './repository.ts';

function environmentOf(world: World): Environment {
  return {
    cwd: world.project,
    home: world.home,
    env: world.environment(),
    platform: process.platform,
    systemDir: '/nonexistent',
  };
}

/** A project in which one skill is replaced, two come, one of them copied ahead, one goes, and an agent gets a link. */
async function prepared(): Promise<{ world: World; environment: Environment; change: Change }> {
  const world = createWorld();
  const environment = environmentOf(world);
  const scope = scopeFor('project', environment);
  const at = (name: string): string => `${scope.skills}/${name}`;
  for (const name of ['one', 'two', 'three', 'four']) {
    world.write(`new/${name}/SKILL.md`, skillText(name, '\nNew.\n'));
    world.write(`new/${name}/scripts/more.md`, 'More.\n');
  }
  cpSync(world.path('new/four'), world.path('spare/four'), { recursive: true });
  world.write('project/.agents/skills/one/SKILL.md', skillText('one', '\nOld.\n'));
  world.write('project/.agents/skills/two/SKILL.md', skillText('two', '\nOld.\n'));
  world.writeJson('project/skills-lock.json', {
    version: 1,
    skills: { one: { source: 'old' }, two: { source: 'old' } },
  });
  const change: Change = {
    scope,
    steps: [
      { at: at('one'), put: { copyOf: world.path('new/one') }, replaces: null },
      { at: at('two'), put: null, replaces: null },
      { at: at('three'), put: { copyOf: world.path('new/three') }, replaces: null },
      { at: at('four'), put: { copyOf: world.path('new/four'), spare: world.path('spare/four') }, replaces: null },
      { at: `${world.project}/.claude/skills/one`, put: { linkTo: at('one') }, replaces: null },
    ],
    entries: { one: { source: 'new' }, two: null, three: { source: 'new' }, four: { source: 'new' } },
  };
  mkdirSync(`${world.home}/.local/state/repertoire/get`, { recursive: true });
  return { world, environment, change };
}

/** The steps of a change, one at a time, as one process makes them. */
function* stepsOf(environment: Environment, change: Change): Generator<undefined> {
  const journal = yield* preparing(environment, change);
  yield* moving(journal);
}

describe('a change that is interrupted', () => {
  it('after any step is as if it had not begun, or is complete, when the next command runs', async () => {
    const { world, environment, change } = await prepared();
    const old = treeOf(world.project);
    await inTurn(environment, () => commit(environment, change));
    const complete = treeOf(world.project);
    expect(Object.keys(complete)).toEqual([
      '.agents/skills/four/SKILL.md',
      '.agents/skills/four/scripts/more.md',
      '.agents/skills/one/SKILL.md',
      '.agents/skills/one/scripts/more.md',
      '.agents/skills/three/SKILL.md',
      '.agents/skills/three/scripts/more.md',
      '.claude/skills/one',
      'skills-lock.json',
    ]);
    const ends: boolean[] = [];
    for (let stop = 0, isOver = false; !isOver; stop++) {
      const again = await prepared();
      const steps = stepsOf(again.environment, again.change);
      for (let step = 0; step <= stop && !isOver; step++) isOver = steps.next().done === true;
      await inTurn(again.environment, async () => {});
      const now = treeOf(again.world.project);
      const isComplete = JSON.stringify(now) === JSON.stringify(complete);
      expect([stop, now]).toEqual([stop, isComplete ? complete : old]);
      expect(existsSync(again.world.path('home/.local/state/repertoire/get/journal.json'))).toBe(false);
      ends.push(isComplete);
    }
    expect(ends.length).toBeGreaterThan(15);
    expect(ends[0]).toBe(false);
    // Once it goes on it never goes back.
    expect(ends.lastIndexOf(false)).toBeLessThan(ends.indexOf(true));
  });

  it('keeps what somebody else has put in a place meanwhile', async () => {
    const { world, environment, change } = await prepared();
    const steps = stepsOf(environment, change);
    while (existsSync(world.path('project/.agents/skills/one'))) steps.next(); // it has gone, and the new one has not come
    world.write('project/.agents/skills/one/SKILL.md', skillText('one', '\nOf somebody else.\n'));
    await inTurn(environment, async () => {});
    expect(treeOf(world.project)['.agents/skills/one/SKILL.md']).toContain('Of somebody else.');
  });

  it('is undone where a place cannot be written to', async () => {
    const { world, environment, change } = await prepared();
    const old = treeOf(world.project);
    world.write('project/.claude', 'a file where a folder should be');
    await expect(inTurn(environment, () => commit(environment, change))).rejects.toThrow(/nothing was changed/);
    const { '.claude': _, ...now } = treeOf(world.project);
    expect(now).toEqual(old);
  });
});

/** Starts an update and kills it when its nth change to the disk is seen. */
async function killedAt(world: World, args: readonly string[], nth: number): Promise<boolean> {
  let seen = 0;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: world.project,
    env: world.environment(),
    stdio: 'ignore',
  });
  const onChange = (): void => {
    if (++seen === nth) child.kill('SIGKILL');
  };
  const watchers = ['project', 'project/.agents', 'project/.agents/skills', 'home/.local/state/repertoire/get'].map(
    (path) => watch(world.path(path), onChange),
  );
  const [, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (code, by) => resolve([code, by])),
  );
  await setImmediate();
  for (const watcher of watchers) watcher.close();
  return signal === 'SIGKILL';
}

it('an update that is killed leaves the old skills or the new ones, whenever that happens', async () => {
  const world = createWorld();
  const names = Array.from({ length: 6 }, (_, index) => `skill-${index}`);
  const write = (text: string): void => {
    for (const name of names) world.write(`team/${name}/SKILL.md`, skillText(name, `\n${text}\n`));
  };
  write('State 0.');
  expect((await world.run(['add', '../team', '--yes'])).code).toBe(0);
  let kills = 0;
  for (let nth = 1, state = 1; nth < 40; nth += 3, state++) {
    write(`State ${state}.`);
    if (await killedAt(world, ['update', '--yes'], nth)) kills++;
    const verified = await world.run(['verify']);
    expect([nth, verified.stdout]).toEqual([nth, '6 skills: all as skills-lock.json says.\n']);
    const states = names.map(
      (name) => /State \d+/.exec(readFileSync(world.path(`project/.agents/skills/${name}/SKILL.md`), 'utf8'))?.[0],
    );
    expect(new Set(states).size).toBe(1);
    const left = Object.keys(treeOf(world.project)).filter((path) => path.includes('.repertoire-'));
    expect(left).toEqual([]);
    await world.run(['update', '--yes']);
  }
  expect(kills).toBeGreaterThan(5);
});

it('commands that run at the same time take turns', async () => {
  const world = createWorld();
  const names = Array.from({ length: 5 }, (_, index) => `skill-${index}`);
  for (const name of names) world.skill(`team/${name}`);
  const runs = await Promise.all(names.map((name) => world.run(['add', '../team', '--skill', name, '--yes'])));
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']));
  const verified = await world.run(['verify', '--json']);
  expect(verified.json<{ checked: number; ok: boolean }>()).toMatchObject({ checked: 5, ok: true });
});
