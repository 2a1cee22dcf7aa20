import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { type Found, foundBy } from './found.ts';

/** What the command line finds. */
async function search(world: World, ...args: string[]): Promise<Found> {
  return (await world.run(['search', '--exact', '--json', ...args])).json<Found>();
}

const filler = 'The quick brown fox jumps over the lazy dog and thinks nothing of it. ';

describe('the excerpt of an exact search', () => {
  /** One skill that names its words one by one, then all together, then one by one again. */
  function scattered(): World {
    const world = createWorld();
    const alone = ['Ledger.', 'Invoice.', 'Ledger.', 'Customer.'].map((word) => `${filler.repeat(5)}${word} `).join('');
    const together = 'Each invoice goes to its customer, and into the ledger. ';
    world.skill('project/skills/books', {
      description: 'Keeps a ledger.',
      body: `\n${alone}${filler.repeat(5)}${together}${filler.repeat(5)}${alone}\n`,
    });
    return world;
  }

  it('shows where most of the words stand together [C2-CATTOOLS-12 S2-SEARCH-12 S2-TEST-03]', async () => {
    const world = scattered();
    const server = await connectStdio(world, ['mcp-server']);
    for (const query of ['invoice ledger customer', 'CUSTOMER Invoice ledger']) {
      for (const { results } of [await search(world, query), await foundBy(server, query)]) {
        expect(results[0]?.excerpt).toContain('Each invoice goes to its customer, and into the ledger.');
        expect(results[0]?.excerpt.length).toBeLessThanOrEqual(166);
      }
    }
  });

  it('is of the first place where several are as good [C2-CATTOOLS-12]', async () => {
    const world = scattered();
    expect((await search(world, 'ledger')).results[0]?.excerpt).toBe('Keeps a ledger.');
    expect((await search(world, 'invoice')).results[0]?.excerpt).toContain('of it. Invoice. The quick');
    const world2 = createWorld();
    const pair = (number: number) => `${filler.repeat(4)}Pair ${number}: alpha and beta. `;
    world2.skill('project/skills/pairs', { body: `\n${filler.repeat(4)}alpha ${pair(1)}${pair(2)}${pair(3)}\n` });
    expect((await search(world2, 'beta alpha')).results[0]?.excerpt).toContain('Pair 1: alpha and beta.');
  });

  it('is of the part of the skill that holds most words [C2-CATTOOLS-12]', async () => {
    const world = createWorld();
    world.skill('project/skills/in-metadata', {
      description: 'About whales.',
      extra: 'metadata:\n  note: whales and otters',
      body: '\nOnly otters.\n',
    });
    world.skill('project/skills/whales-otters', { description: 'About whales.', body: '\nOnly otters.\n' });
    world.skill('project/skills/nowhere-together', { description: 'About whales.', body: '\nOnly otters.\n' });
    const { results } = await search(world, 'otters whales');
    expect(Object.fromEntries(results.map(({ installName, excerpt }) => [installName, excerpt]))).toEqual({
      'in-metadata': 'whales and otters',
      'whales-otters': expect.stringMatching(/^whales-otters/),
      'nowhere-together': 'About whales.',
    });
  });

  it('cuts no character where the best place lies among characters of many code points [C2-CATTOOLS-13]', async () => {
    const world = createWorld();
    const family = '👨‍👩‍👧‍👦';
    world.skill('project/skills/emoji', {
      body: `\n${family.repeat(500)}Straße${family.repeat(3)}ﬁnal${family.repeat(500)}\n`,
    });
    const excerpt = (await search(world, 'FINAL strasse')).results[0]?.excerpt ?? '';
    expect(excerpt).toContain(`Straße${family.repeat(3)}ﬁnal`);
    expect(excerpt.replaceAll(family, '').replaceAll(/[… ]/g, '')).toBe('Straßeﬁnal');
  });
});

describe('an exact search', () => {
  it('finds the same by the command line and over the protocol [S2-SEARCH-10 S2-SEARCH-17 S2-DATA-08 C2-CATTOOLS-14]', async () => {
    const world = createWorld();
    for (let index = 0; index < 30; index++) {
      const rest = index % 3 === 0 ? 'bd' : 'beads';
      world.skill(`project/skills/task-${index}`, { body: `\nRun ${rest} ready and read what it says.\n` });
    }
    const server = await connectStdio(world, ['mcp-server']);
    for (const [query, total] of [
      ['bd ready', 10],
      ['ready', 30],
      ['bd beads', 0],
    ] as const) {
      const { results, ...over } = await search(world, query);
      expect(over).toEqual({ query, limit: 10, total });
      const bare = results.map(({ fullName: _fullName, provider: _provider, ...hit }) => hit);
      expect(await foundBy(server, query)).toEqual({ ...over, results: bare });
    }
  });

  it('orders by relevance, then by full name, whatever the limit [C2-CATTOOLS-11 S2-DATA-09]', async () => {
    const world = createWorld();
    const twins = ['b', 'd', 'a', 'c'];
    for (const name of twins) world.skill(`project/skills/${name}`, { description: 'A twin.', body: '\nkestrel\n' });
    world.skill('project/skills/z-described', { description: 'On the kestrel.' });
    world.skill('project/skills/kestrel', { description: 'A bird.' });
    world.skill('project/skills/e-part', { description: 'A bird.', body: '\nkestrels\n' });
    const server = await connectStdio(world, ['mcp-server']);
    const order = ['kestrel', 'z-described', 'a', 'b', 'c', 'd', 'e-part'];
    for (let limit = 1; limit <= order.length; limit++) {
      const { results, total } = await foundBy(server, 'Kestrel', limit);
      expect([results.map((hit) => hit.installName), total]).toEqual([order.slice(0, limit), order.length]);
    }
  });

  it('sees what was written since the last search', async () => {
    const world = createWorld();
    world.skill('project/skills/a', { body: '\nfirst\n' });
    const server = await connectStdio(world, ['mcp-server']);
    expect((await foundBy(server, 'first')).total).toBe(1);
    world.skill('project/skills/a', { body: '\nsecond\n' });
    expect((await foundBy(server, 'first')).total).toBe(0);
    expect((await foundBy(server, 'second')).results[0]?.excerpt).toBe('second');
  });
});
