import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { World } from '../support/world.ts';
import { find, library, librarySize } from './library.ts';

/** Where the indexes of a world lie. */
export const folderOf = (world: World) => world.path('cache/repertoire/index');

/** The one index file of a world. */
export function indexOf(world: World): string {
  const files = readdirSync(folderOf(world)).filter((name) => name.endsWith('.index'));
  expect(files).toHaveLength(1);
  return join(folderOf(world), `${files[0]}`);
}

/** Every file and folder below, with its bytes and when it changed. */
export function picture(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      const stats = statSync(path);
      return `${name} ${stats.mode} ${stats.mtimeMs} ${stats.isFile() ? readFileSync(path, 'latin1') : ''}`;
    });
}

/** Asks twice over: the answer is right, and the next start has nothing left to do. */
export async function expectRight(world: World, skills = librarySize): Promise<void> {
  for (const added of [expect.any(Number), 0]) {
    const { results, index, notes } = await find(world, 'merge pdf');
    expect(results[0]?.name).toBe('pdf-merge');
    expect(index).toEqual({ ready: skills, total: skills, added });
    if (added === 0) expect(notes).toEqual([]);
  }
}

/** The library and so many more. */
export function manySkills(count: number): World {
  const world = library();
  for (let index = 0; index < count; index++) {
    world.skill(`project/skills/s${index}`, {
      description: `Handles the case with number ${index}.`,
      body: `\n${`word${index} and more text here. `.repeat(20)}\n`,
    });
  }
  return world;
}
