import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { folderOf, indexOf, picture } from './index-files.ts';
import { find, hitsFor, library, librarySize, namesFor } from './library.ts';

describe('the index', () => {
  it('is one file in the cache, for its owner alone, and nothing else is written [C3-SEARCH-07]', async () => {
    const world = library();
    const [home, project] = [picture(world.home), picture(world.project)];
    await find(world, 'merge pdf', '--no-activity');
    const server = await connectStdio(world, ['serve', '--no-activity']);
    await hitsFor(server, 'merge pdf');
    await server.end();
    expect([picture(world.home), picture(world.project)]).toEqual([home, project]);
    expect(readdirSync(world.root).toSorted()).toEqual(['cache', 'home', 'project']);
    expect(readdirSync(world.path('cache'))).toEqual(['repertoire']);
    expect(statSync(indexOf(world)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folderOf(world))).toHaveLength(1);
  });

  it('lies in the home folder where no other place is given', async () => {
    const world = library();
    await world.run(['search', 'pdf'], { env: { XDG_CACHE_HOME: '' } });
    expect(readdirSync(world.path('home/.cache/repertoire/index'))).toHaveLength(1);
    expect(existsSync(world.path('cache'))).toBe(false);
  });

  it('reads each text once, by its digest [C3-SEARCH-07 C3-SEARCH-08]', async () => {
    const world = library();
    const added = async () => (await find(world, 'merge pdf')).index;
    const all = librarySize;
    expect(await added()).toEqual({ ready: all, total: all, added: all });
    const before = picture(folderOf(world));
    expect(await added()).toEqual({ ready: all, total: all, added: 0 });
    expect(picture(folderOf(world))).toEqual(before);

    world.skill('project/skills/log-triage', { description: 'Something else by now.' });
    expect(await added()).toEqual({ ready: all, total: all, added: 1 });
    world.skill('project/skills/new', { description: 'Knits a scarf.' });
    expect(await added()).toEqual({ ready: all + 1, total: all + 1, added: 1 });
    renameSync(world.path('project/skills/new'), world.path('project/skills/renamed'));
    expect(await added()).toEqual({ ready: all + 1, total: all + 1, added: 1 });
    rmSync(world.path('project/skills/renamed'), { recursive: true });
    expect(await added()).toEqual({ ready: all, total: all, added: 0 });
    expect((await find(world, 'knit a scarf')).results.map(({ name }) => name)).not.toContain('renamed');

    // A file that was touched or written again as it was costs nothing.
    utimesSync(world.path('project/skills/pdf-merge/SKILL.md'), new Date(), new Date());
    expect((await added()).added).toBe(0);
    // Nor does the same text under the same name in another place.
    cpSync(world.path('project/skills/pdf-merge'), world.path('home/.claude/skills/pdf-merge'), { recursive: true });
    expect((await added()).added).toBe(0);
  });

  it('is all that a second server needs [C3-SEARCH-08]', async () => {
    const world = library();
    const first = await connectStdio(world, ['serve']);
    await hitsFor(first, 'merge pdf');
    await expect.poll(() => existsSync(folderOf(world)) && readdirSync(folderOf(world)).length).toBe(1);
    await first.end();
    expect((await find(world, 'merge pdf')).index.added).toBe(0);
  });

  it('is shared between projects that see the same skills', async () => {
    const world = createWorld();
    for (let index = 0; index < 20; index++)
      world.skill(`home/.claude/skills/s${index}`, { description: `Case ${index}.` });
    world.folder('other/.git');
    world.skill('third/skills/extra', { description: 'Knits a scarf.' });
    world.folder('third/.git');
    const added = async (cwd: string) =>
      (await world.run(['search', 'case', '--json'], { cwd })).json<{ index: object }>().index;
    expect(await added('project')).toEqual({ ready: 20, total: 20, added: 20 });
    expect(await added('other')).toEqual({ ready: 20, total: 20, added: 0 });
    expect(await added('third')).toEqual({ ready: 21, total: 21, added: 1 });
    expect(await added('third')).toEqual({ ready: 21, total: 21, added: 0 });
    expect(await added('project')).toEqual({ ready: 20, total: 20, added: 0 });
  });

  it('is not changed by filters', async () => {
    const world = library();
    await find(world, 'merge pdf');
    const { index, results } = await find(world, 'merge pdf', '--exclude', 'pdf-*');
    expect(index).toEqual({ ready: librarySize - 1, total: librarySize - 1, added: 0 });
    expect(results.map(({ name }) => name)).not.toContain('pdf-merge');
    expect((await find(world, 'merge pdf')).index.added).toBe(0);
  });

  it('does not keep an old text to be found', async () => {
    const world = library();
    world.skill('project/skills/a', { description: 'About the walrus.' });
    expect((await find(world, 'walrus')).results[0]).toMatchObject({ name: 'a', weak: false });
    world.skill('project/skills/a', { description: 'About the otter.' });
    expect((await find(world, 'walrus')).results.filter(({ matchedBy }) => matchedBy.includes('words'))).toEqual([]);
    expect((await find(world, 'otter')).results[0]).toMatchObject({ name: 'a', weak: false });
  });
});

describe('a server that does not refresh', () => {
  it('goes on answering from what it found first', async () => {
    const world = library();
    const server = await connectStdio(world, ['serve', '--no-refresh']);
    expect((await namesFor(server, 'merge pdf'))[0]).toBe('pdf-merge');
    world.skill('project/skills/scarf', { description: 'Knits a scarf.' });
    rmSync(world.path('project/skills/image-resize'), { recursive: true });
    expect(await namesFor(server, 'knit a scarf')).not.toContain('scarf');
    const [best] = await hitsFor(server, 'compress images');
    expect([best?.name, best?.passage ?? best?.description]).toEqual([
      'image-resize',
      expect.stringContaining('compress images'),
    ]);
  });
});
