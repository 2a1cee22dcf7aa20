import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { program } from '../support/world.ts';
import { expectRight, folderOf, manySkills } from './index-files.ts';
import { find, library, librarySize } from './library.ts';

describe('several processes with one index', () => {
  it.each([2, 5])('of %i at once make one index, and each is right', async (count) => {
    const world = manySkills(300);
    const runs = await Promise.all(
      Array.from({ length: count }, (_, at) => find(world, `case number ${at * 7}`, 'merge pdf')),
    );
    for (const { results, index, notes } of runs) {
      expect([index.ready, index.total, notes]).toEqual([300 + librarySize, 300 + librarySize, []]);
      expect(results.map(({ name }) => name)).toContain('pdf-merge');
    }
    expect(readdirSync(folderOf(world))).toHaveLength(1);
    expect((await find(world, 'merge pdf')).index.added).toBe(0);
  });

  it('that are killed at any moment leave nothing that harms the next one', async () => {
    const world = manySkills(300);
    for (let round = 0; round < 20; round++) {
      const child = spawn(process.execPath, [program, 'search', 'merge pdf'], {
        cwd: world.project,
        env: world.environment(),
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      await sleep(40 + 23 * round);
      child.kill('SIGKILL');
      await ended;
      if (round % 5 === 4) rmSync(folderOf(world), { recursive: true, force: true });
    }
    const { results, index, notes } = await find(world, 'merge pdf');
    expect([results[0]?.name, index.ready, index.total, notes]).toEqual(['pdf-merge', 311, 311, []]);
    expect((await find(world, 'merge pdf')).index.added).toBe(0);
  });

  it('that died long ago are cleaned up after, those that live are not', async () => {
    const world = library();
    await find(world, 'merge pdf');
    const [old, fresh] = ['old', 'fresh'].map((name) =>
      world.write(`cache/repertoire/index/x.index.1.${name}.tmp`, 'x'),
    );
    utimesSync(`${old}`, new Date(0), new Date(Date.now() - 2 * 60 * 60 * 1000));
    world.skill('project/skills/new');
    await find(world, 'merge pdf');
    expect([existsSync(`${old}`), existsSync(`${fresh}`)]).toEqual([false, true]);
  });

  it('of many projects keep a bounded number of files', async () => {
    const world = library();
    for (let index = 0; index < 20; index++) {
      const file = world.write(`cache/repertoire/index/${`${index}`.padStart(32, '0')}.index`, 'x');
      utimesSync(file, new Date(0), new Date(index * 1000));
    }
    await find(world, 'merge pdf');
    const left = readdirSync(folderOf(world)).filter((name) => name.endsWith('.index'));
    expect(left).toHaveLength(16);
    await expectRight(world);
  });
});
