import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

interface Found {
  query: string;
  limit: number;
  total: number;
  results: { installName: string; score: number; excerpt: string }[];
}

/** Thirty skills that speak of ready work, and one that speaks of nothing else besides. */
function checkout(): World {
  const world = createWorld();
  for (let index = 0; index < 30; index++) {
    world.skill(`project/skills/task-${String(index).padStart(2, '0')}`, { body: 'Ready work comes first.\n' });
  }
  world.skill('project/skills/deep/down/pdf-tools', {
    name: 'pdf',
    description: 'Fill in forms.',
    body: 'Straße 🚀 end\n',
  });
  return world;
}

describe('skills.search', () => {
  it('is listed with the documented schema, and with one for what it returns [S2-SEARCH-14 S2-SEARCH-15 S2-SEARCH-16 C2-CATTOOLS-02 C2-CATTOOLS-03]', async () => {
    const server = await connectStdio(createWorld(), ['mcp-server']);
    const tool = (await server.tools()).find((one) => one.name === 'skills.search');
    expect(tool?.inputSchema).toEqual({
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'Keywords to match (all whitespace-separated tokens must be present)',
          minLength: 1,
        },
        limit: { type: 'integer', description: 'Maximum number of hits', minimum: 1, maximum: 25, default: 10 },
      },
      required: ['query'],
      additionalProperties: false,
    });
    expect(tool?.outputSchema).toMatchObject({ required: ['query', 'limit', 'total', 'results'] });
  });

  it('returns the query, the limit, the number of all hits and the hits, and says so in words [S2-SEARCH-17 S2-GOAL-03 C2-CATTOOLS-02 C2-CATTOOLS-04 C2-CATTOOLS-05 C2-CATTOOLS-06]', async () => {
    const server = await connectStdio(checkout(), ['mcp-server']);
    const one = await server.call('skills.search', { query: 'FORMS 🚀' });
    expect(one.structuredContent).toEqual({
      query: 'FORMS 🚀',
      limit: 10,
      total: 1,
      results: [
        {
          installName: 'pdf-tools',
          meta: { name: 'pdf', description: 'Fill in forms.' },
          skillPath: 'skills/deep/down/pdf-tools',
          skillFile: 'skills/deep/down/pdf-tools/SKILL.md',
          score: 2,
          excerpt: expect.stringContaining('forms'),
        },
      ],
    });
    expect(one.content[0]?.text).toMatch(/^1 skill matching "FORMS 🚀"\.\n- pdf: /);
    const many = (await server.call('skills.search', { query: 'ready' })).structuredContent as unknown as Found;
    expect(many).toMatchObject({ query: 'ready', limit: 10, total: 30, results: { length: 10 } });
    const most = await server.call('skills.search', { query: 'ready work', limit: 25 });
    expect(most.structuredContent).toMatchObject({ limit: 25, total: 30, results: { length: 25 } });
    expect(most.content[0]?.text).toMatch(/^30 skills matching "ready work", the first 25\.\n/);
    const first = await server.call('skills.search', { query: 'ready work', limit: 1 });
    expect(first.content[0]?.text).toMatch(/^30 skills matching "ready work", the first\.\n/);
    const none = await server.call('skills.search', { query: 'ready nowhere' });
    expect(none.structuredContent).toEqual({ query: 'ready nowhere', limit: 10, total: 0, results: [] });
    expect(none).not.toHaveProperty('isError');
    expect(none.content[0]?.text).toBe('0 skills matching "ready nowhere".');
  });

  it('refuses what its schema does not allow, saying what it does', async () => {
    const server = await connectStdio(checkout(), ['mcp-server']);
    const refusals: readonly [object, RegExp][] = [
      [{}, /`query` is required/],
      [{ query: '' }, /`query` cannot be empty/],
      [{ query: ' \t ' }, /empty/],
      [{ query: 7 }, /`query` must be a string/],
      [{ query: 'x', limit: 0 }, /`limit` must be from 1 to 25, not 0/],
      [{ query: 'x', limit: 26 }, /`limit` must be from 1 to 25, not 26/],
      [{ query: 'x', limit: 2.5 }, /`limit` must be an integer/],
      [{ query: 'x', limit: '5' }, /`limit` must be an integer/],
      [{ query: 'x', top: 1 }, /`top`/],
    ];
    for (const [args, message] of refusals) {
      const { error } = await server.ask('tools/call', { name: 'skills.search', arguments: args });
      expect(error, JSON.stringify(args)).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
    }
    const { error } = await server.ask('tools/call', { name: 'skills.search', arguments: ['x'] });
    expect(error?.code).toBe(-32602);
  });

  it('takes a query of any length and any characters', async () => {
    const server = await connectStdio(checkout(), ['mcp-server']);
    for (const query of ['x'.repeat(100_000), 'a '.repeat(20_000), '\u0000\ud800', '.*[(', 'STRASSE', '\u202e']) {
      const { structuredContent } = await server.call('skills.search', { query });
      expect(structuredContent?.['total'], query.slice(0, 20)).toBeTypeOf('number');
    }
    const { structuredContent } = await server.call('skills.search', { query: 'pdf' });
    expect(structuredContent?.['total']).toBe(1);
  });
});
