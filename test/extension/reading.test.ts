import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio, modernMeta, type StdioServer, startStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';
import { bytesOf, type Content, cruelLibrary, oddFiles } from './library.ts';

async function read(server: StdioServer, uri: string): Promise<Content> {
  const { contents } = await server.request<{ contents: Content[] }>('resources/read', { uri });
  expect(contents).toHaveLength(1);
  return contents[0] as Content;
}

const root = 'skill://claude/pdf';
const uriOf = (path: string): string => `${root}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The type of each odd file, and whether it goes as text. */
const types: Readonly<Record<string, readonly [string, 'text' | 'blob']>> = {
  'references/FORMS & more.md': ['text/markdown', 'text'],
  'references/100% #1?.md': ['text/markdown', 'text'],
  'references/日本語/é.txt': ['text/plain', 'text'],
  'references/日本語/e\u0301.txt': ['text/plain', 'text'],
  'scripts/run.py': ['text/x-python', 'text'],
  'scripts/no-extension': ['text/plain', 'text'],
  'data.json': ['application/json', 'text'],
  'empty.txt': ['text/plain', 'text'],
  'latin.txt': ['text/plain', 'blob'], // not UTF-8: as text it would come out as other bytes
  'logo.png': ['image/png', 'blob'],
  blob: ['application/octet-stream', 'blob'],
  '.hidden/settings': ['text/plain', 'text'],
};

describe('resources/read', () => {
  it('gives a whole SKILL.md, byte for byte [S2-FOLLOW-02]', async () => {
    const world = cruelLibrary();
    const server = await connectStdio(world, ['mcp-server']);
    const files = {
      [`${root}/SKILL.md`]: 'home/.claude/skills/pdf/SKILL.md',
      'skill://agents/crlf/SKILL.md': 'project/skills/crlf/SKILL.md',
      'skill://agents/lower/SKILL.md': 'project/skills/lower/skill.md',
    };
    for (const [uri, file] of Object.entries(files)) {
      const content = await read(server, uri);
      expect(content).toMatchObject({ uri, mimeType: 'text/markdown' });
      expect(bytesOf(content)).toEqual(readFileSync(world.path(file)));
    }
  });

  it('gives every file beside it, by type, as text or as base64 [C2-EXT-08]', async () => {
    const server = await connectStdio(cruelLibrary());
    for (const [path, expected] of Object.entries(oddFiles)) {
      const [mimeType, kind] = types[path] ?? [];
      const content = await read(server, uriOf(path));
      expect(content, path).toMatchObject({ uri: uriOf(path), mimeType, [kind ?? 'text']: expect.any(String) });
      expect(bytesOf(content), path).toEqual(Buffer.from(expected as string));
    }
    expect((await read(server, 'skill://agents/outer/skills/inner/notes.md')).text).toBe('n\n');
    expect((await read(server, 'skill://agents/inner/notes.md')).text).toBe('n\n');
  });

  it('knows a file by any spelling of its address that means the same', async () => {
    const server = await connectStdio(cruelLibrary());
    for (const uri of [`${root}/data%2Ejson`, 'SKILL://claude/pdf/data.json', `${root}/%64ata.json`]) {
      expect(await read(server, uri), uri).toMatchObject({ uri, text: '{"a": 1}\n' });
    }
  });

  it('answers -32602 for what is not served, whatever lies there on disk [C2-EXT-09]', async () => {
    const world = cruelLibrary();
    const skill = 'home/.claude/skills/pdf';
    world.write(`${skill}/.git/config`, 'secret');
    world.write(`${skill}/node_modules/x/index.js`, 'x');
    world.write('home/.claude/skills/secret.txt', 'secret');
    world.link('home/.claude/skills/secret.txt', `${skill}/outside.txt`);
    world.link('home', `${skill}/outside`);
    world.link(`${skill}/references`, `${skill}/inside`);
    world.link('nowhere', `${skill}/broken`);
    execFileSync('mkfifo', [world.path(`${skill}/pipe`)]);
    const server = await connectStdio(world);
    const unserved = [
      `${root}/none.md`,
      `${root}/data.json/x`,
      `${root}/.git/config`,
      `${root}/node_modules/x/index.js`,
      `${root}/outside.txt`,
      `${root}/outside/.claude/skills/secret.txt`,
      `${root}/inside/FORMS%20%26%20more.md`,
      `${root}/broken`,
      `${root}/pipe`,
      `${root}/../secret.txt`,
      `${root}/%2e%2e/secret.txt`,
      `${root}/..%2fsecret.txt`,
      `${root}/references/..%5c..%5csecret.txt`,
      `${root}/data.json%00.md`,
      `${root}//data.json`,
      `${root}/./data.json`,
      `${root}/data.json/`,
      `${root}/%ff`,
      `${root}/%zz`,
      `${root}/references`, // a folder
      root,
      'skill://claude',
      'skill://',
      'skill://codex/pdf/SKILL.md',
      'skill://CLAUDE/PDF/SKILL.md',
      'https://example.com/',
      'skill:claude/pdf/SKILL.md',
    ];
    for (const uri of unserved) {
      const { error, result } = await server.ask('resources/read', { uri });
      expect(error, `${uri}: ${JSON.stringify(result)}`).toMatchObject({ code: -32602 });
      expect(error?.message).not.toContain(world.root);
    }
    expect((await read(server, `${root}/data.json`)).text).toBe('{"a": 1}\n');
  });

  it('answers the same to clients of the newer era, never with -32002', async () => {
    const server = startStdio(cruelLibrary(), ['mcp']);
    const { error } = await server.ask('resources/read', { uri: `${root}/none.md`, ...modernMeta });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`${root}/none.md`) });
    expect(await server.request('resources/read', { uri: `${root}/data.json`, ...modernMeta })).toMatchObject({
      contents: [{ text: '{"a": 1}\n' }],
    });
  });

  it('reads a large file whole', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const bytes = Buffer.alloc(8 * 1024 * 1024, 'größe ');
    world.write('home/.claude/skills/pdf/large.txt', bytes);
    const server = await connectStdio(world);
    const content = await read(server, `${root}/large.txt`);
    expect(bytesOf(content).equals(bytes)).toBe(true);
  });
});
