import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { evaluation } from './evaluation.ts';
import { hitsFor } from './library.ts';

const bench = (file: string) => fileURLToPath(new URL(`../../bench/search/${file}`, import.meta.url));
const limits = [5, 10, 30, 100] as const;

/** Every so many of the questions of the benches. */
function questions(step: number): string[] {
  const lines = ['queries.jsonl', 'off-topic.jsonl'].flatMap((file) => readFileSync(bench(file), 'utf8').split('\n'));
  const asked = lines.filter((line) => line !== '').map((line) => (JSON.parse(line) as { query: string }).query);
  return asked.filter((_, at) => at % step === 0);
}

/** Whether each answer begins with the one for a smaller number of hits, scores, marks and tools included. */
async function expectPrefixes(server: StdioServer, query: string): Promise<number> {
  let before = await hitsFor(server, query, { top_k: limits[0] });
  for (const limit of limits.slice(1)) {
    const hits = await hitsFor(server, query, { top_k: limit });
    expect(hits.slice(0, before.length), `${query}, ${limit}`).toEqual(before);
    const weak = hits.map((hit) => Number(hit.weak));
    expect(weak).toEqual(weak.toSorted((a, b) => a - b));
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    before = hits;
  }
  return before.length;
}

async function catalogue(): Promise<World> {
  const world = createWorld();
  const { writeCatalogue } = (await import(bench('catalogue.mjs'))) as { writeCatalogue: (folder: string) => unknown };
  const { writeToolSkills } = (await import(bench('tools/write.mjs'))) as {
    writeToolSkills: (folder: string) => unknown;
  };
  writeCatalogue(world.path('project/skills'));
  writeToolSkills(world.path('project/skills'));
  return world;
}

describe('the number of hits that is asked for', () => {
  it('changes nothing but their number', async () => {
    const server = await connectStdio(await catalogue(), ['serve']);
    const found: number[] = [];
    for (const query of questions(9)) found.push(await expectPrefixes(server, query));
    expect(Math.max(...found)).toBe(100);
  });

  it('changes nothing among skills that are equally good, in whatever order they were indexed', async () => {
    const world = createWorld();
    const names = (letter: string) => Array.from({ length: 90 }, (_, at) => `${letter}${at + 10}`);
    /** By words alone, since names that differ point in different directions. */
    const found = async (k: number) => {
      const { results } = await evaluation(
        world,
        [{ query: 'bread', relevant: [] }],
        ['--half', 'words', '--k', `${k}`],
      );
      return results[0]?.hits.map(({ name }) => name);
    };
    for (const letter of ['z', 'a']) {
      for (const name of names(letter))
        world.skill(`project/skills/${name}`, { description: 'Bakes bread.', body: name });
      await found(1);
    }
    for (const k of [10, 100]) expect(await found(k), `${k}`).toEqual(names('a').slice(0, 10));
  });
});
