import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { cruelLibrary, type Resource } from './library.ts';

interface Page {
  resources: Resource[];
  nextCursor?: string;
}

function open(server: StdioServer, uri: string, cursor?: string): Promise<Page> {
  return server.request<Page>('resources/directory/read', { uri, ...(cursor && { cursor }) });
}

const root = 'skill://claude/pdf';
const folder = 'inode/directory';

describe('resources/directory/read', () => {
  it('gives the direct children of each folder of a skill, and nothing from further down [C2-EXT-06]', async () => {
    const world = cruelLibrary();
    world.folder('home/.claude/skills/pdf/vacant');
    const server = await connectStdio(world);
    expect((await open(server, root)).resources).toEqual([
      { uri: `${root}/.hidden`, name: '.hidden', mimeType: folder },
      { uri: `${root}/SKILL.md`, name: 'SKILL.md', mimeType: 'text/markdown', size: expect.any(Number) },
      { uri: `${root}/blob`, name: 'blob', mimeType: 'application/octet-stream', size: 5 },
      { uri: `${root}/data.json`, name: 'data.json', mimeType: 'application/json', size: 9 },
      { uri: `${root}/empty.txt`, name: 'empty.txt', mimeType: 'text/plain', size: 0 },
      { uri: `${root}/latin.txt`, name: 'latin.txt', mimeType: 'text/plain', size: 3 },
      { uri: `${root}/logo.png`, name: 'logo.png', mimeType: 'image/png', size: 7 },
      { uri: `${root}/references`, name: 'references', mimeType: folder },
      { uri: `${root}/scripts`, name: 'scripts', mimeType: folder },
      { uri: `${root}/vacant`, name: 'vacant', mimeType: folder },
    ]);
    const names = async (uri: string): Promise<string[]> => (await open(server, uri)).resources.map(({ name }) => name);
    expect(await names(`${root}/scripts`)).toEqual(['no-extension', 'run.py']);
    expect((await names(`${root}/references`)).sort()).toEqual(['100% #1?.md', 'FORMS & more.md', '日本語']);
    expect((await names(`${root}/references/${encodeURIComponent('日本語')}`)).sort()).toEqual([
      'e\u0301.txt',
      'é.txt',
    ]);
    expect(await open(server, `${root}/vacant`)).toEqual({ resources: [] });
    expect(await names('skill://agents/lower')).toEqual(['SKILL.md']);
    expect(await names('skill://agents/outer')).toEqual(['SKILL.md', 'copy.md', 'skills']);
    expect(await names('skill://agents/outer/skills')).toEqual(['inner']);
    expect(await names('skill://agents/outer/skills/inner')).toEqual(['SKILL.md', 'notes.md']);
  });

  it('answers -32602 for what is no folder of a skill [C2-EXT-07]', async () => {
    const world = cruelLibrary();
    world.link('home', 'home/.claude/skills/pdf/outside');
    world.link('home/.claude/skills/pdf/references', 'home/.claude/skills/pdf/inside');
    world.folder('home/.claude/skills/pdf/.git/objects');
    const server = await connectStdio(world);
    const refused = [
      `${root}/SKILL.md`,
      `${root}/data.json`,
      `${root}/none`,
      `${root}/data.json/none`,
      `${root}/outside`,
      `${root}/inside`,
      `${root}/.git`,
      `${root}/.git/objects`,
      `${root}/..`,
      `${root}/%2e%2e`,
      `${root}/references/..`,
      `${root}/`,
      'skill://claude',
      'skill://claude/none',
      'skill://',
      'file:///',
      '/',
    ];
    for (const uri of refused) {
      const { error, result } = await server.ask('resources/directory/read', { uri });
      expect(error, `${uri}: ${JSON.stringify(result)}`).toMatchObject({ code: -32602 });
      expect(error?.message).not.toContain(world.root);
    }
    for (const params of [undefined, {}, { uri: 7 }, { uri: root, cursor: 7 }, { uri: root, cursor: 'x' }]) {
      expect((await server.ask('resources/directory/read', params)).error).toMatchObject({ code: -32602 });
    }
  });

  it('gives a full folder in pages, each child once, while others come and go', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const file = (index: number): string => `f${String(index).padStart(3, '0')}.txt`;
    for (let index = 0; index < 230; index++) world.write(`home/.claude/skills/pdf/many/${file(index)}`, 'x');
    const server = await connectStdio(world);
    const pages = [await open(server, `${root}/many`)];
    world.write('home/.claude/skills/pdf/many/a.txt', 'before the cursor');
    world.write('home/.claude/skills/pdf/many/z.txt', 'behind it');
    for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await open(server, `${root}/many`, cursor));
    }
    expect(pages.length).toBeGreaterThan(1);
    const names = pages.flatMap(({ resources }) => resources.map(({ name }) => name));
    expect(names).toEqual([...Array.from({ length: 230 }, (_, index) => file(index)), 'z.txt']);
    const elsewhere = { uri: root, cursor: pages[0]?.nextCursor };
    expect((await server.ask('resources/directory/read', elsewhere)).error).toMatchObject({ code: -32602 });
  });
});
