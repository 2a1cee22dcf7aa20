import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { evaluate, evaluation, file } from './evaluation.ts';

/**
 * Asked for zebras by words alone, the skill that is named so comes first, then the one that is described so, then the
 * one that only mentions them. Nothing is ever said of quaggas.
 */
function zoo(): World {
  const world = createWorld();
  world.skill('project/skills/zebra', { description: 'Feeds a zebra.', body: '\nThe zebra eats grass.\n' });
  world.skill('project/skills/stripes', { description: 'Counts what a zebra wears.', body: '\nFrom left to right.\n' });
  world.skill('project/skills/savanna', { description: 'Draws dry places.', body: `\n${'Sun. '.repeat(40)}zebra\n` });
  world.skill('project/skills/kettle', { description: 'Boils water for tea.', body: '\nPatience.\n' });
  return world;
}

const words = ['--half', 'words'];

describe('the figures of an evaluation', () => {
  it('match a hand-computed example', async () => {
    const lines = [
      { query: 'zebra', relevant: ['zebra'] },
      { query: 'zebra', relevant: ['stripes'] },
      { query: 'zebra', relevant: ['kettle', 'stripes', 'savanna'] },
      { query: 'quagga', relevant: ['zebra'] },
    ];
    const { all, results, kinds, skills, code } = await evaluation(zoo(), lines, words);
    expect(results[0]?.hits.map(({ name }) => name)).toEqual(['zebra', 'stripes', 'savanna']);
    expect(results.map(({ judgement }) => judgement)).toEqual([
      { rank: 1, recall: 1, ndcg: 1, missed: [] },
      { rank: 2, recall: 1, ndcg: expect.closeTo(0.63093, 5), missed: [] },
      // (1/log2(3) + 1/log2(4)) / (1 + 1/log2(3) + 1/log2(4))
      { rank: 2, recall: 2 / 3, ndcg: expect.closeTo(0.53072, 5), missed: ['kettle'] },
      { rank: null, recall: 0, ndcg: 0, missed: ['zebra'] },
    ]);
    expect(all).toEqual({
      queries: 4,
      figures: { hitAt1: 25, hitAtK: 75, recall: 66.6667, mrr: 50, ndcg: expect.closeTo(54.041, 3) },
      offTopic: null,
    });
    expect({ kinds, skills, code }).toEqual({ kinds: [], skills: 4, code: 0 });
  });

  it('look at the first hits only, and so does the ideal', async () => {
    const lines = [{ query: 'zebra', relevant: ['kettle', 'stripes', 'savanna'] }];
    const two = await evaluation(zoo(), lines, [...words, '--k', '2']);
    // 1/log2(3) / (1 + 1/log2(3))
    expect(two.results[0]?.judgement).toMatchObject({ rank: 2, recall: 1 / 3, ndcg: expect.closeTo(0.38685, 5) });
    expect(two.results[0]?.judgement?.missed).toEqual(['kettle', 'savanna']);
    const one = await evaluation(zoo(), lines, [...words, '--k', '1']);
    expect(one.all.figures).toEqual({ hitAt1: 0, hitAtK: 0, recall: 0, mrr: 0, ndcg: 0 });
  });

  it('are of both signals, of words, or of meaning', async () => {
    const world = zoo();
    const lines = [{ query: 'quick horses of Africa', relevant: ['zebra'] }];
    expect((await evaluation(world, lines, words)).results[0]?.hits).toEqual([]);
    const meaning = await evaluation(world, lines, ['--half', 'meaning']);
    expect(meaning.half).toBe('meaning');
    expect(meaning.results[0]?.judgement?.rank).not.toBeNull();
    const both = await evaluation(world, lines);
    expect(both.half).toBe('both');
    const search = (await world.run(['search', '--json', 'quick horses of Africa'])).json<{
      results: { name: string; score: number; weak: boolean }[];
    }>();
    const found = search.results.map(({ name, score, weak }) => ({ name, score, weak }));
    expect(both.results[0]?.hits).toEqual(found);
  });

  it('are given by kind as well, and separate off-topic queries from those not found', async () => {
    const lines = [
      { query: 'zebra', relevant: ['zebra'], kind: 'plain' },
      { query: 'zebra', relevant: ['stripes'], kind: 'hard' },
      { query: 'quagga', relevant: [], kind: 'off' },
      { query: 'zebra', relevant: [], kind: 'off' },
      { query: 'boils', relevant: ['kettle'] },
    ];
    const { all, kinds } = await evaluation(zoo(), lines, words);
    const offTopic = { queries: 2, quiet: 1, share: 50 };
    expect(all).toMatchObject({ queries: 3, figures: { hitAt1: 66.6667 }, offTopic });
    expect(kinds.map(({ kind, queries, figures }) => [kind, queries, figures?.mrr])).toEqual([
      ['plain', 1, 100],
      ['hard', 1, 50],
      ['off', 0, undefined],
      [null, 1, 100],
    ]);
    expect(kinds[2]?.offTopic).toEqual(offTopic);
  });

  it('are printed as a table, with the queries that came out worst', async () => {
    const lines = [
      { query: 'zebra', relevant: ['zebra'], kind: 'plain' },
      { query: 'zebra', relevant: ['savanna'], kind: 'hard' },
      { query: 'quagga', relevant: ['kettle'], kind: 'hard' },
      { query: 'boils tea', relevant: [], kind: 'off' },
    ];
    const world = zoo();
    const { stdout, code } = await evaluate(world, lines, words);
    expect(code).toBe(0);
    expect(stdout).toContain('evals.jsonl: 4 queries, 4 skills, by words alone\n');
    expect(stdout).toMatch(/^ +queries {2}hit@1 {2}hit@10 {2}recall@10 {4}MRR {2}nDCG@10$/m);
    expect(stdout).toMatch(/^ {2}plain +1 +100\.0 +100\.0 +100\.0 +100\.0 +100\.0$/m);
    expect(stdout).toMatch(/^ {2}hard +2 +0\.0 +50\.0 +50\.0 +16\.7 +25\.0$/m);
    expect(stdout).toMatch(/^ {2}all +3 +33\.3 +66\.7 +66\.7 +44\.4 +50\.0$/m);
    expect(stdout).toContain('Off topic: 0 of 1 query found nothing, or only weak hits.');
    expect(stdout).toMatch(/evals\.jsonl:3 {2}quagga\n +wanted {2}kettle \(not found\)\n +got {5}nothing\n/);
    expect(stdout).toMatch(/evals\.jsonl:2 {2}zebra\n +wanted {2}savanna; first at rank 3\n +got {5}zebra \d/);
    expect(stdout).toMatch(/evals\.jsonl:4 {2}boils tea\n +wanted {2}nothing, or only weak hits\n/);
    const few = await evaluate(world, lines, [...words, '--show', '1']);
    expect(few.stdout).toContain('Worst 1 of 3 queries that could be better');
    expect(few.stdout).not.toContain('evals.jsonl:2');
    expect((await evaluate(world, lines, [...words, '--show', '0'])).stdout).not.toContain('Worst');
  });
});

describe('the thresholds of an evaluation', () => {
  const lines = [
    { query: 'zebra', relevant: ['zebra'] },
    { query: 'zebra', relevant: ['stripes'] },
  ];

  it('decide the exit code', async () => {
    const world = zoo();
    const enough = await evaluation(world, lines, [...words, '--min-mrr', '75', '--min-recall', '100']);
    expect({ code: enough.code, passed: enough.passed }).toEqual({ code: 0, passed: true });
    const low = await evaluate(world, lines, [...words, '--min-mrr', '76', '--min-recall', '100', '--min-ndcg', '90']);
    expect(low.code).toBe(1);
    expect(low.stdout).toMatch(/^passed {2}recall@10 is 100, at least 100$/m);
    expect(low.stdout).toMatch(/^failed {2}MRR is 75, lower than 76$/m);
    expect(low.stdout).toMatch(/^failed {2}nDCG@10 is 81\.546\d, lower than 90$/m);
  });

  it('need something to measure, and are in per cent', async () => {
    const world = zoo();
    const triggers = await evaluate(world, [{ query: 'zebra', should_match: 'zebra' }], ['--min-mrr', '50']);
    expect([triggers.code, triggers.stderr]).toEqual([2, expect.stringContaining('names nothing relevant')]);
    expect((await evaluate(world, lines, ['--min-ndcg', '101'])).code).toBe(2);
  });
});

describe('the trigger tests of an evaluation', () => {
  it('pass when what should match does, and what should not does not', async () => {
    const lines = [
      { query: 'feed my zebra', should_match: ['zebra'], should_not_match: 'kettle' },
      { query: 'feed my zebra', shouldMatch: 'zebra', shouldNotMatch: ['kettle'] },
      { query: 'quagga', should_not_match: '*' },
      { query: 'boils water', relevant: ['kettle'], should_match: ['kettle'] },
    ];
    const world = zoo();
    const { code, triggers, all, passed } = await evaluation(world, lines, words);
    expect({ code, passed, triggers }).toEqual({ code: 0, passed: true, triggers: { total: 6, passed: 6 } });
    expect(all.queries).toBe(1);
    expect((await evaluate(world, lines, words)).stdout).toContain('passed  triggers: 6 of 6 as expected\n');
  });

  it('fail otherwise, and name the hits', async () => {
    const lines = [
      { query: 'zebra', should_match: ['zebra', 'kettle'] },
      { query: 'zebra', should_not_match: ['kettle', 'zebra'] },
      { query: 'zebra', should_not_match: '*' },
      { query: 'zebra', should_match: ['zebra'] },
    ];
    const world = zoo();
    const { code, results, triggers, passed } = await evaluation(world, lines, words);
    expect({ code, passed, triggers }).toEqual({ code: 1, passed: false, triggers: { total: 4, passed: 1 } });
    const failed = results.map((result) => result.triggers.flatMap(({ against }) => against));
    expect(failed).toEqual([
      [{ label: 'kettle', rank: null }],
      [expect.objectContaining({ label: 'zebra', rank: 1, name: 'zebra', weak: false })],
      [expect.objectContaining({ label: '*', rank: 1, name: 'zebra', weak: false })],
      [],
    ]);
    const { stdout } = await evaluate(world, lines, words);
    expect(stdout).toContain('failed  triggers: 1 of 4 as expected\n');
    expect(stdout).toMatch(/evals\.jsonl:1 {2}zebra\n +should match kettle, which was not found\n +got {5}zebra \d/);
    expect(stdout).toMatch(/evals\.jsonl:2 {2}zebra\n +should not match zebra, but zebra is at rank 1 with \d/);
    expect(stdout).toMatch(/evals\.jsonl:3 {2}zebra\n +should not match anything, but zebra is at rank 1 with \d/);
  });

  it('count a weak hit as no hit', async () => {
    const query = 'zebra llama ferret walrus badger otter magpie heron';
    const lines = [
      { query, should_not_match: ['savanna'] },
      { query, should_match: ['savanna'] },
    ];
    const { results, code } = await evaluation(zoo(), lines, words);
    const [first] = results;
    expect(first?.hits.find(({ name }) => name === 'savanna')?.weak).toBe(true);
    expect(results.map(({ triggers }) => triggers.map(({ passed }) => passed))).toEqual([[true], [false]]);
    expect(code).toBe(1);
  });

  it('look at the first hits only', async () => {
    const lines = [{ query: 'zebra', should_match: 'stripes' }];
    const world = zoo();
    expect((await evaluation(world, lines, [...words, '--k', '2'])).code).toBe(0);
    expect((await evaluation(world, lines, [...words, '--k', '1'])).code).toBe(1);
  });
});

describe('an evaluation', () => {
  it('says what it is about', async () => {
    const { stdout } = await zoo().run(['eval', '--help']);
    expect(stdout).toContain('repertoire eval FILE [OPTIONS]');
    expect(stdout).toContain('--min-ndcg PERCENT');
  });

  it('prints all of it for programs', async () => {
    const lines = [{ query: 'zebra', relevant: ['zebra'], kind: 'plain', should_match: 'zebra' }];
    const output = await evaluation(zoo(), lines, ['--k', '5', '--min-recall', '1']);
    expect(output).toMatchObject({
      file,
      k: 5,
      half: 'both',
      skills: 4,
      thresholds: [{ figure: 'recall', least: 1, got: 100, passed: true }],
      notes: [],
      results: [
        {
          line: 1,
          query: 'zebra',
          kind: 'plain',
          relevant: ['zebra'],
          triggers: [{ expects: 'match', labels: ['zebra'], passed: true, against: [] }],
        },
      ],
    });
    expect(output.results[0]?.hits[0]).toEqual({ name: 'zebra', score: expect.any(Number), weak: false });
  });

  it('writes nothing but the index', async () => {
    const world = zoo();
    await evaluate(world, [{ query: 'zebra', relevant: ['zebra'] }]);
    const { readdirSync } = await import('node:fs');
    expect(readdirSync(world.root).sort()).toEqual(['cache', 'home', 'project']);
    expect(readdirSync(world.home)).toEqual([]);
  });

  it('needs skills: without any, every test for silence would pass', async () => {
    const { code, stderr } = await evaluate(createWorld(), [{ query: 'zebra', should_not_match: '*' }]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('there are no skills to search')]);
  });
});
