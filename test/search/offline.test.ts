import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { library, namesFor } from './library.ts';

describe('both searches', () => {
  const preload = {
    NODE_OPTIONS: `--require ${fileURLToPath(new URL('./watched.cjs', import.meta.url))}`,
    REPERTOIRE_ACTIVITY: 'false',
  };

  it('touch no network, from the first start on, with nothing in the home folder [C3-SEARCH-02 C3-SEARCH-03 C3-SEARCH-04]', async () => {
    const world = library();
    for (const args of [['合并 PDF'], ['合并 PDF'], ['migration', '--exact']]) {
      const run = await world.run(['search', ...args], { env: preload });
      expect(run.code).toBe(0);
      expect(run.stderr).toContain('WATCHED open');
      expect(run.stderr).not.toContain('WATCHED network');
    }
    expect((await world.run(['search', '合并 PDF', '--no-activity'])).stdout).toMatch(/^ {2}pdf-merge /);
    expect(readdirSync(world.home)).toEqual([]);
    const server = await connectStdio(world, ['serve'], { env: preload });
    expect((await namesFor(server, '压缩图片'))[0]).toBe('image-resize');
    expect(server.stderr).not.toContain('WATCHED network');
  });

  it('use one index [C3-SEARCH-01]', async () => {
    const world = createWorld();
    for (let index = 0; index < 250; index++) world.skill(`project/skills/plain-${index}`);
    world.skill('project/skills/special', { body: '\nThe flux capacitor needs a gigawatt.\n' });
    const opened = async (...args: string[]) => {
      const { stderr, stdout } = await world.run(['search', ...args], { env: preload });
      expect(stdout).toContain('special');
      return stderr.match(/WATCHED open .*/g) ?? [];
    };
    const skillFiles = (list: readonly string[]) => list.filter((one) => one.endsWith('SKILL.md')).length;
    await opened('flux capacitor');
    const folder = world.path('cache/repertoire/index');
    const files = readdirSync(folder);
    expect(files).toHaveLength(1);
    const byMeaning = await opened('flux capacitor');
    const exactly = await opened('capacitor', '--exact');
    for (const list of [byMeaning, exactly]) expect(list.some((one) => one.endsWith(`${files[0]}`))).toBe(true);
    // What cannot hold the word is not even read.
    expect(skillFiles(exactly)).toBeLessThan(30);
    expect(readdirSync(folder)).toEqual(files);
    expect(existsSync(world.path('home/.cache'))).toBe(false);
  });
});
