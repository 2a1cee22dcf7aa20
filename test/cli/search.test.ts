import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

interface Hit {
  installName: string;
  meta: { name: string; description: string };
  skillPath: string;
  skillFile: string;
  fullName: string;
  provider: string;
  score: number;
  excerpt: string;
}

interface Found {
  query: string;
  limit: number;
  total: number;
  results: Hit[];
}

async function search(world: World, ...args: string[]): Promise<Found> {
  return (await world.run(['search', '--exact', '--json', ...args])).json<Found>();
}

async function namesFound(world: World, ...args: string[]): Promise<string[]> {
  return (await search(world, ...args)).results.map((hit) => hit.fullName);
}

describe('a search', () => {
  it('looks at folder name, metadata and text [S2-SEARCH-01 S2-SEARCH-02 S2-SEARCH-03]', async () => {
    const world = createWorld();
    world.skill('project/skills/walrus-folder', { name: 'a', description: 'One.' });
    world.skill('project/skills/two', { name: 'walrus-name', description: 'Two.' });
    world.skill('project/skills/three', { name: 'c', description: 'About a Walrus.' });
    world.skill('project/skills/four', {
      name: 'd',
      description: 'Four.',
      extra: 'license: Walrus-1.0\nmetadata:\n  tags: [otter, seal]',
    });
    world.skill('project/skills/five', { name: 'e', description: 'Five.', body: '\nThe last line names a walrus.' });
    world.skill('project/skills/six', { name: 'f', description: 'Six.', body: '\nNo such animal.\n' });
    expect((await namesFound(world, 'walrus')).sort()).toEqual(['a', 'c', 'd', 'e', 'walrus-name']);
    expect(await namesFound(world, 'otter')).toEqual(['d']);
    expect(await namesFound(world, 'metadata')).toEqual([]);
  });

  it('returns what it documents [S2-SEARCH-10 S2-SEARCH-11 S2-SEARCH-12 S2-SEARCH-13]', async () => {
    const world = createWorld();
    world.skill('project/skills/group/folder', { name: 'csv', description: 'Reads CSV files.', body: '\nComma.\n' });
    world.skill('home/.claude/skills/csv-home', { description: 'Not in the project.', body: '\nComma.\n' });
    const found = await search(world, '--limit', '5', 'comma');
    expect(Object.keys(found)).toEqual(['query', 'limit', 'total', 'results']);
    expect(found).toMatchObject({ query: 'comma', limit: 5, total: 2 });
    expect(found.results.find((hit) => hit.fullName === 'csv')).toEqual({
      installName: 'folder',
      meta: { name: 'csv', description: 'Reads CSV files.' },
      skillPath: 'skills/group/folder',
      skillFile: 'skills/group/folder/SKILL.md',
      fullName: 'csv',
      provider: 'agents',
      score: 1,
      excerpt: 'Comma.',
    });
    const home = found.results.find((hit) => hit.fullName === 'csv-home');
    expect(home?.skillFile).toBe(world.path('home/.claude/skills/csv-home/SKILL.md'));
  });

  it('folds letters by the rules of Unicode [S2-DATA-06 C2-CATTOOLS-07]', async () => {
    const world = createWorld();
    world.skill('project/skills/a', { body: '\nÉCOLE Größe ЁЛКА ΟΔΥΣΣΕΥΣ İstanbul Ǆ ﬂow\n' });
    for (const word of ['école', 'École', 'GRÖSSE', 'größe', 'ёлка', 'Ёлка', 'οδυσσευς', 'ΟΔΥΣΣΕΥΣ', 'ǆ', 'FLOW']) {
      expect(await namesFound(world, word), word).toEqual(['a']);
    }
    expect(await namesFound(world, 'ÉCOLE'.normalize('NFD'))).toEqual(['a']);
    expect(await namesFound(world, 'ecole')).toEqual([]);
  });

  it('splits its words at blanks of every kind [S2-DATA-07 C2-CATTOOLS-08]', async () => {
    const world = createWorld();
    world.skill('project/skills/a', { body: '\nalpha and beta and gamma\n' });
    for (const blank of [' ', '\t', '\n', '\u00a0', '\u2003', '\u3000', '   ']) {
      const found = await search(world, `  beta${blank}alpha${blank}gamma `);
      expect([found.total, found.results[0]?.score], JSON.stringify(blank)).toEqual([1, 3]);
    }
    expect((await search(world, 'beta', 'alpha')).results[0]?.score).toBe(2);
    expect((await search(world, 'alpha,beta')).total).toBe(0);
  });

  it('wants all words, wherever in the skill each stands [S2-DATA-08 C2-CATTOOLS-09]', async () => {
    const world = createWorld();
    world.skill('project/skills/invoice', { description: 'Writes letters.', body: '\nAsk for the customer.\n' });
    world.skill('project/skills/other', { description: 'Writes letters.', body: '\nAsk for nothing.\n' });
    expect(await namesFound(world, 'invoice', 'letters', 'customer')).toEqual(['invoice']);
    expect(await namesFound(world, 'letters ask')).toEqual(['invoice', 'other']);
    expect(await namesFound(world, 'letters', 'customer', 'nowhere')).toEqual([]);
    expect(await namesFound(world, 'invoiceletters')).toEqual([]);
  });

  it('scores a hit by the number of its words [C2-CATTOOLS-10 S2-TEST-02]', async () => {
    const world = createWorld();
    world.skill('project/skills/a', { body: '\none two three one one\n' });
    expect((await search(world, 'one')).results[0]?.score).toBe(1);
    expect((await search(world, 'one two')).results[0]?.score).toBe(2);
    expect((await search(world, 'three two one')).results[0]?.score).toBe(3);
    expect((await search(world, 'one ONE One')).results[0]?.score).toBe(1);
  });

  it('puts the more relevant of equal scores first [C2-CATTOOLS-11]', async () => {
    const world = createWorld();
    world.skill('project/skills/a-body', { description: 'Nothing.', body: '\nOnce there was a migration.\n' });
    world.skill('project/skills/b-described', { description: 'Reviews a migration.' });
    world.skill('project/skills/c-often', { description: 'Nothing.', body: `\n${'A migration. '.repeat(8)}\n` });
    world.skill('project/skills/migration', { description: 'Nothing.' });
    expect(await namesFound(world, 'migration')).toEqual(['migration', 'b-described', 'c-often', 'a-body']);
  });

  it('gives the same order and scores each time, however the skills came to be [S2-DATA-09]', async () => {
    const [one, two] = [createWorld(), createWorld()];
    const names = Array.from({ length: 20 }, (_, index) => `skill-${(index * 7) % 20}`);
    for (const name of names) one.skill(`project/skills/${name}`, { body: '\nsame words\n' });
    for (const name of names.toReversed()) two.skill(`project/skills/${name}`, { body: '\nsame words\n' });
    const first = await search(one, 'same words', '--limit', '25');
    expect(first.total).toBe(20);
    expect(await search(one, 'same words', '--limit', '25')).toEqual(first);
    expect(await search(two, 'same words', '--limit', '25')).toEqual(first);
  });

  it('reads what stands in the file now', async () => {
    const world = createWorld();
    world.skill('project/skills/a', { body: '\nold words\n' });
    expect(await namesFound(world, 'old')).toEqual(['a']);
    world.skill('project/skills/a', { body: '\nnew words\n' });
    expect(await namesFound(world, 'old')).toEqual([]);
    expect(await namesFound(world, 'new')).toEqual(['a']);
  });

  it('takes signs in a query for themselves', async () => {
    const world = createWorld();
    world.skill('project/skills/a', {
      body: '\nUse c++ (always) and [x-y] {1} a|b $HOME ^\\d* 50% "quoted" #tag /path\n',
    });
    for (const word of [
      'c++',
      '(always)',
      '[x-y]',
      '{1}',
      'a|b',
      '$home',
      '^\\d*',
      '50%',
      '"quoted"',
      '#tag',
      '/path',
    ]) {
      expect(await namesFound(world, '--', word), word).toEqual(['a']);
    }
    for (const word of ['.*', 'c+++', '[x', 'a.b']) {
      expect((await search(world, '--', word)).total, word).toBe(word === '[x' ? 1 : 0);
    }
  });
});

describe('the limit', () => {
  function machineWith(count: number): World {
    const world = createWorld();
    for (let index = 0; index < count; index++) world.skill(`project/skills/s${index}`, { body: '\ncommon\n' });
    return world;
  }

  it('is ten unless said, and the total goes beyond [S2-SEARCH-05 S2-SEARCH-09 C2-CATTOOLS-14]', async () => {
    const world = machineWith(31);
    const found = await search(world, 'common');
    expect([found.limit, found.results.length, found.total]).toEqual([10, 10, 31]);
    const three = await search(world, 'common', '--limit', '3');
    expect([three.limit, three.results.length, three.total]).toEqual([3, 3, 31]);
    const most = await search(world, 'common', '--limit=25');
    expect([most.limit, most.results.length, most.total]).toEqual([25, 25, 31]);
    const one = await search(world, 'common', '--limit', '1');
    expect([one.results.length, one.total]).toEqual([1, 31]);
    expect((await world.run(['search', '--exact', 'common'])).stdout).toMatch(/31 skills found, the first 10 shown/);
    const first = await world.run(['search', '--exact', 'common', '--limit', '1']);
    expect(first.stdout).toMatch(/31 skills found, the first shown \(/);
  });

  it('is refused unless a whole number from 1 to 25 [S2-SEARCH-06 S2-SEARCH-07 S2-SEARCH-08]', async () => {
    const world = machineWith(1);
    for (const limit of ['0', '-1', '26', '1000', '1.5', 'abc', '1e1', '0x5', '5 5', 'NaN', 'Infinity', '९']) {
      const run = await world.run(['search', '--exact', 'common', '--limit', limit]);
      expect(run.code, limit).toBe(2);
      expect(run.stdout, limit).toBe('');
      expect(run.stderr, limit).toMatch(/^error: --limit must be a whole number from 1 to (25|100)/);
    }
    for (const missing of [['--limit'], ['--limit='], ['--limit', '--json']]) {
      expect((await world.run(['search', '--exact', 'common', ...missing])).code, missing.join(' ')).toBe(2);
    }
  });
});

describe('the query', () => {
  it('is refused when it is empty [S2-SEARCH-04]', async () => {
    const world = createWorld();
    world.skill('project/skills/a');
    for (const words of [[], [''], ['   '], ['\u3000\t'], ['', '']]) {
      const run = await world.run(['search', '--exact', ...words]);
      expect(run.code, JSON.stringify(words)).toBe(2);
      expect(run.stdout).toBe('');
      expect(run.stderr).toMatch(/error:/);
    }
  });

  it('that finds nothing says so and ends with 1', async () => {
    const world = createWorld();
    world.skill('project/skills/a');
    const run = await world.run(['search', '--exact', 'nowhere', 'to\u001b[31m be found']);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/No skill contains all of: nowhere to/);
    expect(run.stdout).not.toContain('\u001b');
    expect((await world.run(['search', '--exact', 'nowhere', '--json'])).json()).toEqual({
      query: 'nowhere',
      limit: 10,
      total: 0,
      results: [],
    });
  });
});
