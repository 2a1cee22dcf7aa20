import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type * as Library from '../../src/index.ts';
import { createWorld } from '../support/world.ts';
import { find, library, librarySize } from './library.ts';

describe('the command search', () => {
  it('prints the best hits with score, signals, place and passage', async () => {
    const { stdout, stderr, code } = await library().run(['search', 'join', 'documents']);
    expect([code, stderr]).toEqual([0, '']);
    const [head, passage] = stdout.split('\n');
    expect(head).toMatch(/^ {2}pdf-merge {2}0\.\d\d {2}words \+ meaning {2}skills\/pdf-merge\/SKILL\.md$/);
    expect(passage).toMatch(/^ {6}.*join documents/);
    expect(stdout).toMatch(/\d+ skills shown, best first\. repertoire show NAME prints one\.\n$/);
  });

  it('prints JSON', async () => {
    const world = library();
    const answer = await find(world, 'merge', 'pdf', '--limit', '2');
    expect(Object.keys(answer)).toEqual(['query', 'limit', 'results', 'index', 'notes']);
    expect(answer).toMatchObject({ query: 'merge pdf', limit: 2, notes: [] });
    expect(answer.index).toMatchObject({ ready: librarySize, total: librarySize });
    expect(answer.results[0]).toMatchObject({
      name: 'pdf-merge',
      provider: 'agents',
      location: 'project',
      plugin: null,
      path: world.path('project/skills/pdf-merge/SKILL.md'),
      weak: false,
      matchedBy: ['words', 'meaning'],
      copies: [],
      call: { name: 'skill', arguments: { name: 'pdf-merge' } },
    });
    expect(answer.results).toHaveLength(2);
  });

  it('gives the same answer to the same query each time', async () => {
    const world = library();
    const { index: _first, ...one } = await find(world, 'write tests for a release');
    const { index: _second, ...other } = await find(world, 'write tests for a release');
    expect(other).toEqual(one);
  });

  it('explains a score to the last part', async () => {
    const world = library();
    world.skill('project/skills/migration', {
      description: 'Migrate data and migrations.',
      extra: 'metadata:\n  tags: [migration]',
      body: '\nRun the migration. Then review the data again.\n',
    });
    const { results } = await find(world, 'reviewing', 'data', 'migratoins', 'nowheretobefound', '--explain');
    for (const { name, explanation, scores } of results) {
      const parts = explanation?.words.flatMap(({ fields }) => Object.values(fields)) ?? [];
      // The index keeps how much a word says in eight bits.
      expect(Math.abs(parts.reduce((sum, part) => sum + part, 0) - scores.words), name).toBeLessThan(0.01);
    }
    const words = results.find(({ name }) => name === 'migration')?.explanation?.words ?? [];
    expect(words.map(({ word, as }) => [word, as])).toEqual(
      expect.arrayContaining([
        ['review', 'review'],
        ['data', 'data'],
      ]),
    );
    const nowhere = words.find(({ word }) => word.startsWith('nowhere'));
    expect(nowhere).toMatchObject({ as: null, by: null, fields: {} });
    const { stdout } = await world.run(['search', 'migration', '--explain']);
    expect(stdout).toMatch(/score 0\.\d+ = 0\.60 × words 0\.\d+ \+ 0\.40 × meaning 0\.\d+/);
    expect(stdout).toMatch(
      /migration \(rarity \d\.\d\): in names 0\.\d+, description 0\.\d+, metadata 0\.\d+, body 0\.\d+/,
    );
  });

  it('ends with 1 and says so when nothing fits', async () => {
    const run = await createWorld().run(['search', 'merge\u001b[31m', 'pdf']);
    expect([run.code, run.stdout]).toEqual([1, expect.stringMatching(/^No skill found for: merge/)]);
    expect(run.stdout).not.toContain('\u001b');
  });

  it('ends with 1 when all that was found is weak, and says what to try', async () => {
    const world = library();
    const weak = await world.run(['search', 'a recipe for lasagne']);
    expect([weak.code, weak.stderr]).toEqual([1, '']);
    expect(weak.stdout).toMatch(/^ {2}[\w-]+ {2}0\.\d\d weak {2}/);
    expect(weak.stdout).toMatch(
      /\nNothing fits well; these come closest\. Try other words; repertoire list shows all skills\.\n$/,
    );
    const json = await world.run(['search', 'a recipe for lasagne', '--json']);
    const { results } = JSON.parse(json.stdout) as { results: { weak: boolean }[] };
    expect([json.code, results.length > 0, results.every((hit) => hit.weak)]).toEqual([1, true, true]);
    for (const half of [[], ['--json'], ['--exact'], ['--exact', '--json']]) {
      expect((await world.run(['search', 'merge', ...half])).code, half.join(' ')).toBe(0);
      expect((await world.run(['search', 'lasagne', ...half])).code, half.join(' ')).toBe(1);
    }
  });

  it('shows text, not the Markdown that it is written in', async () => {
    const world = library();
    world.skill('project/skills/walrus', {
      description: 'Keeps **walruses** with `care`.',
      body: '\n## Feeding\n\n- **Walrus** food: see [the *table*](https://a.example/t)\n\n| fish | times |\n|---|---|\n| `herring` | **2** |\n\n```sh\nfeed --fish="*"\n```\n',
    });
    const shown = 'Feeding · Walrus food: see the table · fish · times · herring · 2 · feed --fish="*"';
    const [hit] = (await find(world, 'walrus food herring')).results;
    expect(hit).toMatchObject({ name: 'walrus', passage: shown });
    const { stdout } = await world.run(['search', 'walrus food herring', '--limit', '1']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(shown);
    const exact = await world.run(['search', 'walrus', 'herring', '--exact', '--json']);
    expect(JSON.parse(exact.stdout)).toMatchObject({ results: [{ excerpt: shown }] });
    const address = await world.run(['search', 'a.example/t', '--exact', '--json']);
    expect(JSON.parse(address.stdout).results[0].excerpt).toContain('see the table(https://a.example/t) · fish');
  });

  it('refuses options and queries that make no sense', async () => {
    const world = library();
    for (const args of [
      ['x', '--limit', '0'],
      ['x', '--limit', '101'],
      ['x', '--limit', '1.5'],
      ['x', '--exact', '--limit', '26'],
      ['x', '--exact', '--provider', 'claude'],
      ['x', '--exact', '--location', 'project'],
      ['x', '--exact', '--runtime', 'none'],
      ['x', '--exact', '--explain'],
      ['  '],
      [],
    ]) {
      const { code, stdout, stderr } = await world.run(['search', ...args]);
      expect([code, stdout, stderr], args.join(' ')).toEqual([2, '', expect.stringMatching(/^error: /)]);
    }
    expect((await world.run(['search', 'merge', '--limit', '100'])).code).toBe(0);
  });

  it('finds with --exact only what contains the words [S2-DATA-08 C2-CATTOOLS-09]', async () => {
    const world = library();
    const exact = async (...words: string[]) => {
      const run = await world.run(['search', '--exact', '--json', ...words]);
      return run.json<{ total: number; results: { installName: string }[] }>();
    };
    expect((await exact('migrations')).results.map(({ installName }) => installName)).toEqual(['sql-migration-review']);
    for (const words of [['migratoins'], ['migrating'], ['压缩图片'], ['merge', 'kubernetes']]) {
      expect((await exact(...words)).total, words.join(' ')).toBe(0);
    }
  });
});

describe('the library', () => {
  it('searches by meaning and exactly, and narrows', async () => {
    const world = library();
    world.skill('home/.codex/skills/merge-branches', { description: 'Merge branches and resolve conflicts.' });
    const built = pathToFileURL(fileURLToPath(new URL('../../dist/lib/index.js', import.meta.url))).href;
    const { createRepertoire, SkillError } = (await import(built)) as typeof Library;
    const repertoire = createRepertoire({
      cwd: world.project,
      home: world.home,
      env: { HOME: world.home, XDG_CACHE_HOME: world.path('cache') },
    });
    try {
      const found = await repertoire.search('合并 PDF');
      expect(found.results[0]).toMatchObject({ name: 'pdf-merge', call: { name: 'skill' } });
      expect(found.index).toEqual({ ready: librarySize + 1, total: librarySize + 1, added: librarySize + 1 });
      expect((await repertoire.search('merge', { limit: 3, explain: true })).results[0]?.explanation).toBeDefined();
      const narrowed = await repertoire.search('merge', { provider: 'codex' });
      expect(narrowed.results.map(({ name }) => name)).toEqual(['merge-branches']);
      expect((await repertoire.searchExact('merge branches')).results.map(({ fullName }) => fullName)).toEqual([
        'merge-branches',
      ]);
      for (const limit of [0, 101, 1.5, Number.NaN]) {
        await expect(repertoire.search('merge', { limit })).rejects.toThrow(SkillError);
      }
      await expect(repertoire.search(' ')).rejects.toThrow(/empty/);
      const circular: unknown[] = [];
      circular.push(circular);
      for (const name of [circular, { a: 1n }]) {
        await expect(repertoire.load(name as never)).rejects.toMatchObject({ name: 'SkillError', code: 'usage' });
      }
      world.skill('project/skills/new', { description: 'Knits a scarf.' });
      await expect.poll(async () => (await repertoire.search('knit scarf')).results[0]?.name).toBe('new');
    } finally {
      repertoire.close();
    }
  });
});
