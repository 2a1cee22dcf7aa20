import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio, modernMeta, type StdioServer, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { cruelLibrary, digestOf, type Entry, oddFiles } from './library.ts';

async function listed(server: StdioServer): Promise<Entry[]> {
  return (await server.request<{ skills: Entry[] }>('skills/list')).skills;
}

const capability = { extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } } };

describe('the skills extension', () => {
  it('is declared with directory reads, in both eras and by every server [C2-EXT-01]', async () => {
    for (const command of ['mcp', 'mcp-server', 'serve']) {
      const world = createWorld();
      const { capabilities } = await startStdio(world, [command]).initialize();
      expect(capabilities).toMatchObject({ ...capability, resources: {} });
      const discovered = await startStdio(world, [command]).request('server/discover', modernMeta);
      expect(discovered['capabilities']).toMatchObject({ ...capability, resources: {} });
    }
  });

  it('describes a skill by its address, its whole front matter, and every file once with size and digest [C2-EXT-03 C2-EXT-10 C2-EXT-11]', async () => {
    const world = cruelLibrary();
    const server = await connectStdio(world);
    const entry = (await listed(server)).find(({ uri }) => uri === 'skill://claude/pdf/SKILL.md');
    expect(entry?.frontmatter).toEqual({
      name: 'pdf',
      description: 'Fill in forms: all of them',
      license: 'MIT',
      'allowed-tools': 'Read, Bash(git *)',
      metadata: { version: '1.0', author: 'Ann' },
      tags: ['a', 'b c', 3, true, null],
      nested: { deeper: { list: [{ x: 1 }] } },
      version: 2,
      text: 'two\nlines\n',
    });
    const main = readFileSync(world.path('home/.claude/skills/pdf/SKILL.md'));
    const expected = Object.entries({ 'SKILL.md': main, ...oddFiles }).map(([path, content]) => ({
      uri: `skill://claude/pdf/${path.split('/').map(encodeURIComponent).join('/')}`,
      size: Buffer.byteLength(content),
      digest: digestOf(content),
    }));
    const byUri = (a: { uri: string }, b: { uri: string }): number => (a.uri < b.uri ? -1 : 1);
    expect(entry?.resources.sort(byUri)).toEqual(expected.sort(byUri));
  });

  it('ends the path of each skill with its name [C2-EXT-12]', async () => {
    const skills = await listed(await connectStdio(cruelLibrary()));
    for (const { uri, frontmatter } of skills) {
      expect(uri).toMatch(/^skill:\/\/[^/]+\/(?:[^/]+\/)*[^/]+\/SKILL\.md$/);
      expect(uri.split('/').at(-2)).toBe(frontmatter['name']);
    }
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://agents/crlf/SKILL.md',
      'skill://agents/inner/SKILL.md',
      'skill://agents/lower/SKILL.md',
      'skill://agents/outer/SKILL.md',
      'skill://agents/renamed/SKILL.md',
      'skill://claude/pdf/SKILL.md',
    ]);
  });

  it('counts the files of a skill within another to both, and what a link leads out to to none', async () => {
    const skills = await listed(await connectStdio(cruelLibrary()));
    const paths = (name: string): string[] => {
      const entry = skills.find(({ frontmatter }) => frontmatter['name'] === name);
      const root = entry?.uri.replace('SKILL.md', '') ?? '';
      return entry?.resources.map(({ uri }) => uri.replace(root, '')) ?? [];
    };
    expect(paths('outer')).toEqual(['SKILL.md', 'copy.md', 'skills/inner/SKILL.md', 'skills/inner/notes.md']);
    expect(paths('inner')).toEqual(['SKILL.md', 'notes.md']);
  });

  it('gives each skill alone as it lists it [C2-EXT-04]', async () => {
    const server = await connectStdio(cruelLibrary());
    const skills = await listed(server);
    expect(skills).toHaveLength(6);
    for (const entry of skills)
      expect(await server.request('skills/get', { uri: entry.uri })).toEqual({ skill: entry });
  });

  it('answers -32602 for the address of no skill, naming it [C2-EXT-05]', async () => {
    const server = await connectStdio(cruelLibrary());
    const unknown = [
      'skill://claude/none/SKILL.md',
      'skill://claude/pdf', // a folder
      'skill://claude/pdf/data.json', // a file that is no SKILL.md
      'skill://claude/pdf/skills/none/SKILL.md',
      'skill://claude/pdf/SKILL.md/',
      'skill://claude/pdf/../pdf/SKILL.md',
      'skill://claude/%70df%2F..%2Fpdf/SKILL.md',
      'skill://user@claude/pdf/SKILL.md',
      'skill://claude/pdf/SKILL.md?x=1',
      'file:///etc/passwd',
      'pdf',
      '',
      `skill://claude/${'x'.repeat(100_000)}/SKILL.md`,
    ];
    for (const uri of unknown) {
      const { error } = await server.ask('skills/get', { uri });
      expect(error, uri.slice(0, 80)).toMatchObject({
        code: -32602,
        message: expect.stringContaining(uri.slice(0, 100)),
      });
      expect(error?.message.length).toBeLessThan(1000);
    }
    for (const params of [undefined, {}, { uri: 1 }, { uri: null }, { uri: ['skill://claude/pdf/SKILL.md'] }]) {
      expect((await server.ask('skills/get', params)).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('`uri`'),
      });
    }
  });

  it('is without skills on a machine without any', async () => {
    const server = await connectStdio(createWorld());
    const _meta = { 'repertoire/server': expect.stringMatching(/^[0-9a-f]{32}$/) as string };
    expect(await server.request('skills/list')).toEqual({ skills: [], _meta });
  });

  it('tells clients of the newer era how long each result holds, and no others', async () => {
    const world = cruelLibrary();
    const uri = 'skill://claude/pdf/SKILL.md';
    const requests = [
      ['skills/list', {}],
      ['skills/get', { uri }],
      ['resources/directory/read', { uri: 'skill://claude/pdf' }],
      ['resources/read', { uri }],
      ['resources/list', {}],
    ] as const;
    const [legacy, modern] = [await connectStdio(world), startStdio(world, ['mcp'])];
    for (const [method, params] of requests) {
      const result = await modern.request(method, { ...params, ...modernMeta });
      expect(result, method).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
      const older = await legacy.request(method, params);
      for (const key of ['resultType', 'ttlMs', 'cacheScope']) expect(older, method).not.toHaveProperty(key);
    }
  });
});
