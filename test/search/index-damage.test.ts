import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { isRoot } from '../support/root.ts';
import type { World } from '../support/world.ts';
import { expectRight, indexOf } from './index-files.ts';
import { find, hitsFor, library, librarySize, namesFor } from './library.ts';

describe('a damaged index', () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'is empty': (file) => writeFileSync(file, ''),
    'is cut in its header': (file) => writeFileSync(file, readFileSync(file).subarray(0, 40)),
    'is cut in its middle': (file) => writeFileSync(file, readFileSync(file).subarray(0, statSync(file).size >> 1)),
    'lacks its last byte': (file) => writeFileSync(file, readFileSync(file).subarray(0, -1)),
    'goes on': (file) => writeFileSync(file, 'x', { flag: 'a' }),
    'has another sign': (file) => flip(file, 0),
    'has another checksum': (file) => flip(file, 5),
    'has another length': (file) => flip(file, 9),
    'has another maker': (file) => flip(file, 20),
    'has other keys': (file) => flip(file, 200),
    'has another last byte': (file) => flip(file, statSync(file).size - 1),
    'is text': (file) => writeFileSync(file, 'hello '.repeat(1000)),
    'can be written by others': (file) => chmodSync(file, 0o666),
    'is a link': (file) => {
      renameSync(file, `${file}.moved`);
      symlinkSync(`${file}.moved`, file);
    },
    'is a link to nowhere': (file) => {
      rmSync(file);
      symlinkSync('/nowhere/at/all', file);
    },
  };

  function flip(file: string, at: number): void {
    const bytes = readFileSync(file);
    bytes[at] = (bytes[at] as number) ^ 0x10;
    writeFileSync(file, bytes);
  }

  it('is reported and rebuilt, whatever the damage', async () => {
    const cases = Object.entries(damages).map(async ([name, damage]) => {
      const world = library();
      await find(world, 'merge pdf');
      damage(indexOf(world));
      const { results, notes } = await find(world, 'merge pdf');
      expect(results[0]?.name, name).toBe('pdf-merge');
      expect(notes, name).toEqual([
        expect.stringMatching(/^the search index could not be used \(.+\) and is rebuilt$/),
      ]);
      expect(statSync(indexOf(world)).mode & 0o777, name).toBe(0o600);
      const again = await find(world, 'merge pdf');
      expect([again.notes, again.index.added, again.results], name).toEqual([[], 0, results]);
    });
    await Promise.all(cases);
  });

  it('that is a folder is reported, and so is that it cannot be replaced', async () => {
    const world = library();
    await find(world, 'merge pdf');
    const file = indexOf(world);
    rmSync(file);
    mkdirSync(join(file, 'sub'), { recursive: true });
    const run = await world.run(['search', 'merge pdf']);
    expect([run.code, run.stdout.startsWith('  pdf-merge ')]).toEqual([0, true]);
    expect(run.stderr).toMatch(/note: the search index could not be used \(not a regular file\)/);
    rmSync(file, { recursive: true });
    await expectRight(world);
  });

  it('does not disturb a server', async () => {
    const world = library();
    await find(world, 'merge pdf');
    flip(indexOf(world), 300);
    const server = await connectStdio(world, ['serve']);
    const { structuredContent, content } = await server.call('skill-engine/search_skills', { query: 'merge pdf' });
    expect(structuredContent).toMatchObject({ notes: [expect.stringContaining('could not be used')] });
    expect(content[0]?.text).toMatch(/^Note: the search index could not be used/m);
    expect((await namesFor(server, 'merge pdf'))[0]).toBe('pdf-merge');
  });
});

/** The server may be writing into it. */
const vanish = { recursive: true, force: true, maxRetries: 20, retryDelay: 20 } as const;

describe('a cache that cannot be written', () => {
  it.each([
    ['is a file', (world: World) => void world.write('cache', 'x')],
    ['has a file for our folder', (world: World) => void world.write('cache/repertoire', 'x')],
    ['has a file for the index folder', (world: World) => void world.write('cache/repertoire/index', 'x')],
    ['is a link to nowhere', (world: World) => symlinkSync('/proc/1/nowhere', world.path('cache'))],
  ])('and %s does not keep a search from being answered', async (_, spoil) => {
    const world = library();
    spoil(world);
    for (let times = 0; times < 2; times++) {
      const { results, index } = await find(world, 'merge pdf');
      expect(results[0]?.name).toBe('pdf-merge');
      expect(index.added).toBe(librarySize);
    }
  });

  it('because it is read-only is reported', async () => {
    const world = library();
    const ordinary = isRoot ? { uid: 65_534 } : {};
    world.mode('.', 0o755);
    world.folder('cache/repertoire/index');
    world.mode('cache/repertoire/index', 0o555);
    const { code, stdout } = await world.run(['search', 'merge pdf'], ordinary);
    expect([code, stdout.startsWith('  pdf-merge ')]).toEqual([0, true]);
    for (let index = 0; index < 40; index++) world.skill(`project/skills/s${index}`);
    const run = await world.run(['search', 'merge pdf', '--json'], ordinary);
    expect(run.stderr).toMatch(/cannot be saved \(EACCES\)/);
  });

  it('that disappears while a server runs does not disturb the server', async () => {
    const world = library();
    const server = await connectStdio(world, ['serve']);
    await hitsFor(server, 'merge pdf');
    rmSync(world.path('cache'), vanish);
    expect((await namesFor(server, 'merge pdf'))[0]).toBe('pdf-merge');
    world.skill('project/skills/scarf', { description: 'Knits a scarf.' });
    expect((await namesFor(server, 'knit a scarf'))[0]).toBe('scarf');
    rmSync(world.path('cache'), vanish);
    expect((await namesFor(server, 'knit a scarf'))[0]).toBe('scarf');
    await expectRight(world, librarySize + 1);
  });
});
