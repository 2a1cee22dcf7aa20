import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Registry } from '../../src/registry/registry.ts';
import { createWorld, type World } from '../support/world.ts';
import { kept } from './kept.ts';

const root = 'home/.claude/skills';

/** The same numbers in every run, so that a failure can be seen again. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What people and programs do to folders of skills. What is not possible at the moment is left out. */
const deeds: readonly ((world: World, pick: (below: number) => number) => void)[] = [
  (world, pick) => world.skill(`${root}/${place(pick)}`, { description: `written ${pick(1e6)}` }),
  (world, pick) => world.skill(`${root}/${place(pick)}`, { description: `written ${pick(1e6)}` }),
  (world, pick) => rmSync(world.path(`${root}/${place(pick)}`), { recursive: true, force: true }),
  (world, pick) => renameSync(world.path(`${root}/${place(pick)}`), world.path(`${root}/${place(pick)}`)),
  (world, pick) => renameSync(world.path(`${root}/group-${pick(3)}`), world.path(`${root}/group-${pick(3)}`)),
  (world, pick) => mkdirSync(world.path(`${root}/group-${pick(3)}/empty`), { recursive: true }),
  (world, pick) => world.link(`aside/skill-${pick(4)}`, `${root}/link-${pick(3)}`),
  (world, pick) => rmSync(world.path(`${root}/link-${pick(3)}`), { force: true }),
  (world, pick) => world.skill(`aside/skill-${pick(4)}`, { description: `aside ${pick(1e6)}` }),
  (world, pick) => pick(4) === 0 && rmSync(world.path(root), { recursive: true, force: true }),
];

function place(pick: (below: number) => number): string {
  return pick(2) === 0 ? `skill-${pick(8)}` : `group-${pick(3)}/skill-${pick(8)}`;
}

it.each([1, 2, 3])(
  'whatever happens to the folders, in the end the registry is what the disk is (%i)',
  async (seed) => {
    const world = createWorld();
    const pick = createRandom(seed);
    for (let index = 0; index < 4; index++) world.skill(`aside/skill-${index}`);
    const one = await kept(world);
    for (let step = 0; step < 150; step++) {
      try {
        deeds[pick(deeds.length)]?.(world, pick);
      } catch {
        // Not everything can be renamed to everything.
      }
      if (pick(3) === 0) await sleep(pick(40));
      if (pick(10) === 0) void one.freshness.check();
    }
    const { values } = one.engine.configuration;
    const told = async (registry: Registry): Promise<string[][]> =>
      (await registry.snapshot()).skills.map(({ id, name, description }) => [id, name, description]);
    await one.freshness.settled();
    const anew = new Registry(values, values, one.engine.environment);
    expect(await told(one.engine.registry)).toEqual(await told(anew));
  },
);
