import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer, type ToolResult } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { clientOverStdio, eras } from './clients.ts';
import { numberedNames, numberedWorld } from './library.ts';

interface Page {
  skills: { name: string; description: string; provider: string; location: string }[];
  total: number;
  nextOffset?: number;
}

function call(server: StdioServer, args: object = {}): Promise<ToolResult> {
  return server.call('skill-engine/list_skills', args);
}

async function page(server: StdioServer, args: object = {}): Promise<Page> {
  return (await call(server, args)).structuredContent as unknown as Page;
}

describe('skill-engine/list_skills', () => {
  it('takes an optional limit and an optional offset, as documented [S4-LIST-02 S4-LIST-03 S4-LIST-04 C2-ENGINE-01]', async () => {
    const server = await connectStdio(createWorld(), ['serve']);
    const tool = (await server.tools()).find((one) => one.name === 'skill-engine/list_skills');
    expect(tool?.inputSchema.properties).toEqual({
      limit: { type: 'number', description: 'Maximum skills to return', default: 50 },
      offset: { type: 'number', description: 'Pagination offset', default: 0 },
    });
    expect(tool?.inputSchema.required ?? []).toEqual([]);
  });

  it('gives the installed skills in pages, each once, with the total and where to go on [S4-LIST-01 S4-LIST-04 C2-ENGINE-01 C2-ENGINE-02 C2-ENGINE-04]', async () => {
    const server = await connectStdio(numberedWorld(123), ['serve']);
    const first = await page(server);
    expect(first).toMatchObject({ total: 123, nextOffset: 50, skills: { length: 50 } });
    expect(first.skills[0]).toMatchObject({
      name: 's000',
      description: 'What s000 does.',
      provider: 'claude',
      location: 'global',
    });
    const second = await page(server, { offset: 50 });
    const third = await page(server, { offset: 100 });
    expect(third).toMatchObject({ total: 123, skills: { length: 23 } });
    expect(third).not.toHaveProperty('nextOffset');
    const all = [first, second, third].flatMap(({ skills }) => skills.map(({ name }) => name));
    expect(all).toEqual(numberedNames(123));
    expect(await page(server, { limit: 2, offset: 7 })).toMatchObject({
      total: 123,
      nextOffset: 9,
      skills: [{ name: 's007' }, { name: 's008' }],
    });
    const whole = await page(server, { limit: 123 });
    expect(whole.skills).toHaveLength(123);
    expect(whole).not.toHaveProperty('nextOffset');
    expect(await page(server, { offset: 123 })).toEqual({ skills: [], total: 123 });
    expect((await page(server, { limit: 1e9 })).skills).toHaveLength(123);
  });

  it('says the same in words', async () => {
    const server = await connectStdio(numberedWorld(3), ['serve']);
    const text = async (args: object): Promise<string> => (await call(server, args)).content[0]?.text ?? '';
    expect(await text({})).toBe(
      '3 skills installed.\n- s000: What s000 does.\n- s001: What s001 does.\n- s002: What s002 does.',
    );
    expect(await text({ limit: 1, offset: 1 })).toBe(
      '3 skills installed, 2 to 2 shown.\n- s001: What s001 does.\nCall again with offset 2 for more.',
    );
    expect(await text({ offset: 9 })).toBe('3 skills installed, none from offset 9 on.');
  });

  it('refuses a page that cannot be', async () => {
    const server = await connectStdio(numberedWorld(3), ['serve']);
    for (const args of [{ limit: 0 }, { limit: -1 }, { limit: 1.5 }, { offset: -1 }, { offset: 0.5 }, { limit: '5' }]) {
      const { error } = await server.ask('tools/call', { name: 'skill-engine/list_skills', arguments: args });
      const [name] = Object.keys(args);
      expect(error, JSON.stringify(args)).toMatchObject({
        code: -32602,
        message: expect.stringContaining(`\`${name}\` must be a`),
      });
    }
  });

  it('pages for every spelling of its name, and names skills so that they can be loaded', async () => {
    const world = numberedWorld(1);
    world.skill('home/.codex/skills/s000');
    const server = await connectStdio(world, ['serve', '--tool-names', 'portable']);
    for (const spelling of ['skill_engine_list_skills', 'skill-engine/list_skills', 'skill-engine.list_skills']) {
      const { structuredContent } = await server.call(spelling);
      expect((structuredContent as unknown as Page).skills.map(({ name }) => name).sort()).toEqual([
        'claude:s000',
        'codex:s000',
      ]);
    }
    expect(await server.load('codex:s000')).toContain(world.path('home/.codex/skills/s000'));
  });

  for (const era of eras) {
    it(`returns to a ${era} client what it declares`, async () => {
      const client = await clientOverStdio(numberedWorld(3), era);
      await client.listTools();
      const { structuredContent } = await client.callTool({
        name: 'skill-engine/list_skills',
        arguments: { limit: 2 },
      });
      expect(structuredContent).toMatchObject({ total: 3, nextOffset: 2 });
    });
  }
});
