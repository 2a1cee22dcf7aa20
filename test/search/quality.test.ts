import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createWorld, type Run, type World } from '../support/world.ts';
import type { Evaluation } from './evaluation.ts';

const bench = (file: string) => fileURLToPath(new URL(`../../bench/search/${file}`, import.meta.url));
const examples = fileURLToPath(new URL('../../skills', import.meta.url));

/**
 * The least nDCG@10 of each kind of query, in per cent: a few points below what it was when this was written, so that
 * a change that costs quality is seen, and one that moves a single query is not.
 */
const floors = { para: 58, short: 97, long: 75, typo: 97, zh: 75, de: 50, es: 63, ja: 76 } as const;
const least = { ndcg: 70, hitAtK: 84, quiet: 13 } as const;

/** A machine with the catalogue of the benches on it. */
async function machine(): Promise<World> {
  const world = createWorld();
  const { writeCatalogue } = (await import(bench('catalogue.mjs'))) as { writeCatalogue: (folder: string) => unknown };
  writeCatalogue(world.path('catalogue'));
  return world;
}

function evaluated(world: World, file: string, args: readonly string[] = []): Promise<Run> {
  const folders = ['--skill-dir', world.path('catalogue'), '--skill-dir', examples];
  return world.run(['eval', bench(file), '--json', ...folders, ...args]);
}

/** By kind, for those kinds that have answers. */
function gains({ kinds }: Evaluation): Record<string, number> {
  const judged = kinds.filter(({ figures }) => figures !== null);
  return Object.fromEntries(judged.map(({ kind, figures }) => [`${kind}`, figures?.ndcg ?? 0]));
}

describe('the quality of the search', () => {
  it('is not lower than it was, and both halves together are not worse than words alone', async () => {
    const world = await machine();
    const run = await evaluated(world, 'queries.jsonl', ['--half', 'both']);
    expect(run.code, run.stderr).toBe(0);
    const both = run.json<Evaluation>();
    const words = (await evaluated(world, 'queries.jsonl', ['--half', 'words'])).json<Evaluation>();
    expect([both.half, words.half, both.notes, words.notes]).toEqual(['both', 'words', [], []]);
    expect(both.all.figures?.ndcg).toBeGreaterThanOrEqual(least.ndcg);
    expect(both.all.figures?.hitAtK).toBeGreaterThanOrEqual(least.hitAtK);
    const [together, alone] = [gains(both), gains(words)];
    expect(Object.keys(together).toSorted()).toEqual(Object.keys(floors).toSorted());
    for (const [kind, floor] of Object.entries(floors)) {
      expect(together[kind], kind).toBeGreaterThanOrEqual(floor);
      expect(together[kind], `${kind}, against words alone`).toBeGreaterThanOrEqual(alone[kind] ?? 100);
    }
  });

  it('is quiet about most of what no skill is about', async () => {
    const world = await machine();
    const { all } = (await evaluated(world, 'queries.jsonl')).json<Evaluation>();
    expect(all.offTopic?.queries).toBe(33);
    expect(all.offTopic?.quiet).toBeGreaterThanOrEqual(least.quiet);
  });

  it('passes its own trigger tests', async () => {
    const run = await evaluated(await machine(), 'triggers.jsonl');
    const { triggers, results } = run.json<Evaluation>();
    expect(results.filter((line) => line.triggers.some(({ passed }) => !passed)).map(({ query }) => query)).toEqual([]);
    expect(triggers).toEqual({ total: 22, passed: 22 });
    expect(run.code, run.stderr).toBe(0);
  });
});
