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
const floors = { para: 76, short: 97, long: 77, typo: 98, zh: 94, de: 80, es: 86, ja: 80 } as const;
const least = { ndcg: 84, hitAtK: 93, quiet: 20 } as const;
/** Of sixty questions about something else entirely, and of a hundred right first hits. */
const nonsense = { quiet: 57, quietAmongTrades: 55, lost: 1 } as const;

/** A machine with the catalogue of the benches on it, and skills with tools that could be taken for an answer to anything. */
async function machine(fillers?: number): Promise<World> {
  const world = createWorld();
  const { writeCatalogue } = (await import(bench('catalogue.mjs'))) as {
    writeCatalogue: (folder: string, fillers?: number) => unknown;
  };
  const { writeToolSkills } = (await import(bench('tools/write.mjs'))) as {
    writeToolSkills: (folder: string) => unknown;
  };
  writeCatalogue(world.path('catalogue'), fillers);
  writeToolSkills(world.path('with-tools'));
  return world;
}

function evaluated(world: World, file: string, args: readonly string[] = []): Promise<Run> {
  const folders = [world.path('catalogue'), world.path('with-tools'), examples];
  return world.run(['eval', bench(file), '--json', ...folders.flatMap((folder) => ['--skill-dir', folder]), ...args]);
}

/** By kind, for those kinds that have answers. */
function gains({ kinds }: Evaluation): Record<string, number> {
  const judged = kinds.filter(({ figures }) => figures !== null);
  return Object.fromEntries(judged.map(({ kind, figures }) => [`${kind}`, figures?.ndcg ?? 0]));
}

describe('the quality of the search', () => {
  it('is not lower than it was, and both signals together are not worse than words alone', async () => {
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

  it('leaves most off-topic queries without a hit', async () => {
    const world = await machine();
    const { all } = (await evaluated(world, 'queries.jsonl')).json<Evaluation>();
    expect(all.offTopic?.queries).toBe(33);
    expect(all.offTopic?.quiet).toBeGreaterThanOrEqual(least.quiet);
  });

  it('says of nonsense in five languages that nothing fits, and rarely so of what is right', async () => {
    const world = await machine(0);
    const { all, kinds } = (await evaluated(world, 'off-topic.jsonl')).json<Evaluation>();
    expect(kinds.map(({ kind, queries }) => [kind, queries])).toHaveLength(5);
    expect(all.offTopic?.queries).toBe(60);
    expect(all.offTopic?.quiet).toBeGreaterThanOrEqual(nonsense.quiet);
    const { results } = (await evaluated(world, 'queries.jsonl')).json<Evaluation>();
    const right = results.filter(({ judgement }) => judgement?.rank === 1);
    const lost = right.filter(({ hits }) => hits[0]?.weak).map(({ query }) => query);
    expect((100 * lost.length) / right.length, lost.join('\n')).toBeLessThanOrEqual(nonsense.lost);
  });

  it('says so among skills about trades as well, which are nearer to everyday life', async () => {
    const { all } = (await evaluated(await machine(), 'off-topic.jsonl')).json<Evaluation>();
    expect([all.offTopic?.queries, (all.offTopic?.quiet ?? 0) >= nonsense.quietAmongTrades]).toEqual([60, true]);
  });

  it('passes its own trigger tests', async () => {
    const run = await evaluated(await machine(), 'triggers.jsonl');
    const { triggers, results } = run.json<Evaluation>();
    expect(results.filter((line) => line.triggers.some(({ passed }) => !passed)).map(({ query }) => query)).toEqual([]);
    expect(triggers).toEqual({ total: 22, passed: 22 });
    expect(run.code, run.stderr).toBe(0);
  });
});
