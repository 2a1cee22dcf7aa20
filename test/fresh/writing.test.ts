import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepertoire } from '../../src/index.ts';
import { createWorld } from '../support/world.ts';
import { kept } from './kept.ts';

const root = 'home/.claude/skills';
const file = `${root}/one/SKILL.md`;

describe('a SKILL.md caught while it is being written', () => {
  it.each([
    ['empty', ''],
    ['begun', '---\n'],
    ['without its description', '---\nname: one\n'],
    ['with half its name', '---\ndescription: new\nname: on'],
    ['binary so far', '\0\0\0\0'],
  ])('and %s is what it was before, until it is whole', async (_how, half) => {
    const world = createWorld();
    world.skill(`${root}/one`, { description: 'before' });
    const one = await kept(world);
    world.write(file, half);
    await one.freshness.check();
    expect([one.names(), one.description('one')]).toEqual([['one'], 'before']);
    await one.freshness.check(); // nor does a second look tire of it
    await one.engine.registry.refresh();
    expect(one.names()).toEqual(['one']);
    world.skill(`${root}/one`, { description: 'after' });
    await one.freshness.check();
    expect(one.description('one')).toBe('after');
  });

  it('is given up when nobody goes on writing', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const one = await kept(world);
    await one.freshness.settled();
    world.write(file, '---\nname: one\n');
    await one.freshness.check();
    expect(one.names()).toEqual(['one']);
    await one.expectNames();
    expect(one.engine.registry.current?.diagnostics.map(({ code }) => code)).toEqual(['frontmatter-unclosed']);
  });

  it('is not invented: what was never a skill is none', async () => {
    const world = createWorld();
    world.write(file, '');
    const one = await kept(world);
    expect(one.names()).toEqual([]);
    await one.freshness.check();
    expect(one.names()).toEqual([]);
  });

  it('counts as it is for a process that has not seen it before, whatever the cache says', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    await sleep(60);
    expect((await world.list()).skills.length).toBe(1);
    world.write(file, '');
    expect((await world.list()).skills).toEqual([]);
  });

  it('and removed is gone at once', async () => {
    const world = createWorld();
    world.skill(`${root}/one`);
    const one = await kept(world);
    const { rmSync } = await import('node:fs');
    rmSync(world.path(file));
    await one.freshness.check();
    expect(one.names()).toEqual([]);
  });
});

/** As long as a file that cannot be read may count as one that is still being written. */
const unfinishedMs = 2000;

/** Rewrites every skill over and over: cut to nothing, then half, then whole. Prints those it was itself held up in. */
const writer = `
const { closeSync, existsSync, openSync, writeSync } = require('node:fs');
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1 + Math.random() * 3);
const [root, count, longest] = process.argv.slice(1);
for (let turn = 0; !existsSync(root + '/stop'); turn++) {
  const name = 'skill-' + (turn % count);
  const text = '---\\ndescription: turn ' + turn + '\\nname: ' + name + '\\n---\\n# Text\\n';
  const began = Date.now();
  const file = openSync(root + '/' + name + '/SKILL.md', 'w');
  pause();
  writeSync(file, text.slice(0, Math.floor(Math.random() * text.length)));
  pause();
  writeSync(file, text, 0);
  closeSync(file);
  if (Date.now() - began > longest) writeSync(1, name + ' ');
}`;

it('while skills are rewritten, none is ever said not to be there', async () => {
  const world = createWorld();
  const count = 100;
  const names = Array.from({ length: count }, (_, index) => `skill-${index}`);
  for (const name of names) world.skill(`${root}/${name}`);
  const env = { XDG_CACHE_HOME: world.path('cache') };
  const repertoire = createRepertoire({ cwd: world.project, home: world.home, env });
  onTestFinished(() => repertoire.close());
  await repertoire.list();
  const args = ['-e', writer, world.path(root), String(count), String(unfinishedMs / 2)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  // On a crowded machine a writer may leave a file unfinished for longer than anybody waits for it.
  let heldUp = '';
  child.stdout.on('data', (chunk) => {
    heldUp += chunk;
  });
  let lookups = 0;
  const missed = new Set<string>();
  try {
    for (const end = Date.now() + 4000; Date.now() < end || lookups <= 100; lookups++) {
      const name = names[lookups % count] ?? '';
      const found = await repertoire.resolve(name).catch(() => null);
      if (found?.name !== name) missed.add(name);
      const listed = lookups % 50 === 0 ? (await repertoire.list()).skills.map((skill) => skill.name) : names;
      for (const one of names.filter((each) => !listed.includes(each))) missed.add(one);
      await sleep(1);
    }
  } finally {
    world.write(`${root}/stop`, '');
    await ended;
  }
  expect([...missed].filter((name) => !heldUp.split(' ').includes(name))).toEqual([]);
});
