import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { clientOverStdio, eras } from './clients.ts';
import { cruelLibrary, type Resource } from './library.ts';

const template = 'skill://{+path}';

function complete(server: StdioServer, value: string): Promise<{ completion: { values: string[]; hasMore: boolean } }> {
  const params = { ref: { type: 'ref/resource', uri: template }, argument: { name: 'path', value } };
  return server.request('completion/complete', params);
}

describe('for clients that know resources and nothing of skills', () => {
  it('resources/list lists each skill under its name, with its description [C2-EXT-13]', async () => {
    const server = await connectStdio(cruelLibrary());
    const { resources } = await server.request<{ resources: Resource[] }>('resources/list');
    expect(resources.map(({ uri, name }) => [uri, name])).toEqual([
      ['skill://agents/crlf/SKILL.md', 'crlf'],
      ['skill://agents/inner/SKILL.md', 'inner'],
      ['skill://agents/lower/SKILL.md', 'lower'],
      ['skill://agents/outer/SKILL.md', 'outer'],
      ['skill://agents/renamed/SKILL.md', 'renamed'],
      ['skill://claude/pdf/SKILL.md', 'pdf'],
    ]);
    expect(resources.at(-1)).toMatchObject({
      description: 'Fill in forms: all of them',
      mimeType: 'text/markdown',
      size: expect.any(Number),
    });
    for (const { uri } of resources) expect(await server.request('resources/read', { uri })).toHaveProperty('contents');
  });

  it('the template that every address fits is offered [C2-EXT-14]', async () => {
    const server = await connectStdio(createWorld());
    const { resourceTemplates } = await server.request('resources/templates/list');
    expect(resourceTemplates).toEqual([expect.objectContaining({ uriTemplate: template })]);
  });

  it('its path is completed to skills, and below a skill to its files', async () => {
    const server = await connectStdio(cruelLibrary());
    const values = async (value: string): Promise<string[]> => (await complete(server, value)).completion.values;
    expect(await values('')).toContain('agents/crlf/SKILL.md');
    expect(await values('cla')).toEqual(['claude/pdf/SKILL.md']);
    expect(await values('claude/pdf/scripts/')).toEqual([
      'claude/pdf/scripts/no-extension',
      'claude/pdf/scripts/run.py',
    ]);
    expect(await values('agents/outer/s')).toEqual([
      'agents/outer/skills/inner/SKILL.md',
      'agents/outer/skills/inner/notes.md',
    ]);
    for (const value of ['none', 'claude/pdf/../', '/', '%', 'claude/pdf/none', '\u0000']) {
      expect(await values(value), value).toEqual([]);
    }
  });

  it('a completion is cut at a hundred, and says that there are more', async () => {
    const world = createWorld();
    for (let index = 0; index < 130; index++) world.skill(`home/.claude/skills/s${index}`);
    const server = await connectStdio(world);
    const { completion } = await complete(server, 'claude/');
    expect(completion.values).toHaveLength(100);
    expect(completion.hasMore).toBe(true);
  });

  for (const era of eras) {
    it(`the protocol's own client lists and reads them, ${era}`, async () => {
      const client = await clientOverStdio(cruelLibrary(), era);
      const { resources } = await client.listResources();
      expect(resources).toHaveLength(6);
      for (const { uri } of resources) expect((await client.readResource({ uri })).contents).toHaveLength(1);
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
      await expect(client.readResource({ uri: 'skill://claude/none/SKILL.md' })).rejects.toMatchObject({
        code: -32602,
      });
    });
  }
});
