import { rmSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { evaluation } from './evaluation.ts';
import { indexOf } from './index-files.ts';
import { find, hitsFor, namesFor } from './library.ts';

describe('an index after many changes', () => {
  function write(world: World, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      world.skill(`project/skills/s${at}`, { description: `Number ${at}.`, body: `\nword${at}\n` });
    }
  }

  function remove(world: World, from: number, to: number): void {
    for (let at = from; at < to; at++) rmSync(world.path(`project/skills/s${at}`), { recursive: true });
  }

  it('is compacted when most of it is about removed skills, and not before', async () => {
    const world = createWorld();
    write(world, 0, 1300);
    expect((await find(world, 'word1299')).index.added).toBe(1300);
    const whole = statSync(indexOf(world)).size;
    remove(world, 0, 900);
    expect((await find(world, 'word1299')).results[0]?.name).toBe('s1299');
    expect(statSync(indexOf(world)).size).toBe(whole);
    remove(world, 900, 1250);
    expect((await find(world, 'word1299')).results[0]?.name).toBe('s1299');
    expect(statSync(indexOf(world)).size).toBeLessThan(whole / 5);
    const { results, index, notes } = await find(world, 'word1250');
    expect([results[0]?.name, index, notes]).toEqual(['s1250', { ready: 50, total: 50, added: 0 }, []]);
  });

  const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

  /** Skills that a word finds equally well. */
  function equals(world: World, names: readonly string[]): void {
    for (const name of names)
      world.skill(`project/skills/q${name}`, { description: 'Reviews a migration.', body: '\n' });
  }

  async function order(world: World): Promise<string[]> {
    const lines = [{ query: 'migration', relevant: ['qa'] }];
    const { results } = await evaluation(world, lines, ['--half', 'words']);
    const hits = results[0]?.hits ?? [];
    expect(new Set(hits.map(({ score }) => score)).size).toBe(1);
    return hits.map(({ name }) => name);
  }

  it('orders equal hits as a fresh index does', async () => {
    const fresh = createWorld();
    equals(fresh, letters);
    const expected = await order(fresh);
    expect(expected.toSorted()).toEqual(letters.map((letter) => `q${letter}`));
    const old = createWorld();
    for (const name of letters.toReversed()) {
      equals(old, [name]);
      await find(old, 'migration');
    }
    expect(await order(old)).toEqual(expected);
    for (const name of ['a', 'e']) {
      old.skill(`project/skills/q${name}`, { description: 'Peels potatoes.' });
      await find(old, 'migration');
      rmSync(old.path('cache/repertoire/index'), { recursive: true, force: true });
      await find(old, 'migration');
      equals(old, [name]);
    }
    expect(await order(old)).toEqual(expected);
  });
});

describe('the data of hits', () => {
  it('names no copies that a filter keeps out', async () => {
    const world = createWorld();
    const text = { description: 'Fold paper cranes.', body: '\nWash your hands.\n' };
    for (const agent of ['claude', 'codex', 'cursor']) world.skill(`home/.${agent}/skills/crane`, text);
    const [codex, ...others] = (await find(world, 'paper', 'crane', '--provider', 'codex')).results;
    expect([codex?.name, codex?.copies, others]).toEqual(['codex:crane', [], []]);
    const hit = (await find(world, 'paper', 'crane', '--provider', 'cursor')).results;
    expect(hit.map(({ name, copies }) => [name, copies])).toEqual([['cursor:crane', []]]);
    const hidden = await find(world, 'paper', 'crane', '--exclude', 'cursor:*');
    expect(hidden.results.map(({ copies }) => copies.map(({ name }) => name))).toEqual([['codex:crane']]);
  });

  it('adds up to the score', async () => {
    const world = createWorld();
    world.skill('project/skills/migration', { description: 'Review data migrations.', body: '\nRun the migration.\n' });
    world.skill('project/skills/pictures', { description: 'Crop images for the web.' });
    world.skill('project/skills/tables', { description: 'Plan the move of a database.' });
    const { results } = await find(world, 'review', 'migratoin', 'database', '--explain');
    expect(results.length).toBeGreaterThan(1);
    for (const { name, score, scores, explanation } of results) {
      const shares = explanation?.shares ?? { words: 0, meaning: 0 };
      expect(shares.words + shares.meaning, name).toBeCloseTo(1, 6);
      expect(shares.words * scores.words + shares.meaning * scores.meaning, name).toBeCloseTo(score, 3);
      const parts = explanation?.words.flatMap(({ fields }) => Object.values(fields)) ?? [];
      expect(Math.abs(parts.reduce((sum, part) => sum + part, 0) - scores.words), name).toBeLessThan(0.02);
    }
  });

  it('leaves out what scores nothing', async () => {
    const world = createWorld();
    for (const name of ['one', 'two', 'three']) world.skill(`project/skills/${name}`);
    world.skill('project/skills/four', { description: 'About zxqvkw.' });
    const lines = [{ query: 'zxqvkw', relevant: ['four'] }];
    const { results } = await evaluation(world, lines, ['--half', 'words']);
    expect(results[0]?.hits.map(({ name }) => name)).toEqual(['four']);
    // A word that no table has and no skill is about.
    const run = await world.run(['search', 'wqjxzv', '--json']);
    expect(run.json<{ results: { score: number }[] }>().results.filter(({ score }) => score === 0)).toEqual([]);
    const server = await connectStdio(world, ['serve']);
    for (const { score } of await hitsFor(server, 'zxqvkw', { top_k: 100 })) expect(score).toBeGreaterThan(0);
  });

  it('is an address to read where no tool loads skills', async () => {
    const world = createWorld();
    for (const agent of ['claude', 'codex']) {
      world.skill(`home/.${agent}/skills/crane`, {
        description: `Fold cranes as ${agent} does.`,
        body: `\nBy ${agent}.\n`,
      });
    }
    const server = await connectStdio(world, ['serve', '--tools', 'skill-engine/search_skills']);
    expect((await server.tools()).map(({ name }) => name)).toEqual(['skill-engine/search_skills']);
    const hits = (await hitsFor(server, 'fold cranes')) as unknown as { name: string; uri?: string; call?: object }[];
    expect(hits.map(({ name }) => name).toSorted()).toEqual(['claude:crane', 'codex:crane']);
    for (const { name, uri, call } of hits) {
      expect(call).toBeUndefined();
      const { contents } = await server.request<{ contents: { text: string }[] }>('resources/read', { uri });
      expect(contents[0]?.text).toContain(`By ${name.split(':')[0]}.`);
    }
    const whole = await connectStdio(world, ['serve']);
    expect((await hitsFor(whole, 'fold cranes'))[0]).not.toHaveProperty('uri');
    expect(await namesFor(whole, 'fold cranes')).toHaveLength(2);
  });
});
