import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

describe('names that earlier servers list', () => {
  it('are accepted by calls, with the arguments as they spell them', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/git', { description: 'Commits and merges.' });
    const server = await connectStdio(world, ['serve']);
    expect((await server.call('list_skills', {})).content[0]?.text).toContain('git');
    expect((await server.call('search_skills', { query: 'commits', top_k: 1 })).content[0]?.text).toContain('git');
    expect((await server.call('skills_show', { skillName: 'git' })).content[0]?.text).toMatch(/^Loading: git\n/);
    const executed = await server.call('execute', { skill: 'git', tool: 'nothing', args: {} });
    expect([executed.isError, executed.content[0]?.text]).toEqual([true, expect.stringContaining('nothing')]);
    expect((await server.tools()).map(({ name }) => name)).not.toContain('execute');
  });

  it('need no parameters of a tool that takes none, which our own name requires', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/git');
    const server = await connectStdio(world, ['serve']);
    const absent = { result: { isError: true, content: [{ text: expect.stringContaining("no 'status'") }] } };
    for (const [name, args] of [
      ['execute', { skill: 'git', tool: 'status' }],
      ['execute', { skill_name: 'git', tool_name: 'status' }],
      ['skill-engine/execute', { skill: 'git', tool: 'status' }],
    ] as const) {
      expect(await server.ask('tools/call', { name, arguments: args })).toMatchObject(absent);
    }
    const own = { name: 'skill-engine/execute', arguments: { skill_name: 'git', tool_name: 'status' } };
    expect(await server.ask('tools/call', own)).toMatchObject({
      error: { code: -32602, message: '`parameters` is required' },
    });
  });

  it('are refused where the tool is not offered', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/git');
    const catalogue = await connectStdio(world, ['mcp-server']);
    expect((await catalogue.call('skills_show', { skillName: 'git' })).content[0]?.text).toMatch(/^Loading: git\n/);
    const one = await connectStdio(world, ['mcp']);
    for (const name of ['execute', 'list_skills', 'search_skills']) {
      expect(await one.ask('tools/call', { name, arguments: {} })).toMatchObject({ error: { code: -32602 } });
    }
  });
});
