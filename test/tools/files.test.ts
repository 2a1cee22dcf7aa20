import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer, type ToolResult } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

const folder = 'home/.claude/skills/pdf';

function withFiles(files: Readonly<Record<string, string | Uint8Array>>): World {
  const world = createWorld();
  world.skill(folder);
  for (const [path, content] of Object.entries(files)) world.write(`${folder}/${path}`, content);
  return world;
}

const read = (server: StdioServer, file: string, offset?: number): Promise<ToolResult> =>
  server.call('skill', { name: 'pdf', file, ...(offset !== undefined && { offset }) });

/** Every part of a file, read one after the other as each tells where the next begins. */
async function readParts(server: StdioServer, file: string): Promise<string[]> {
  const parts: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { content, structuredContent = {} }: ToolResult = await read(server, file, offset);
    const next = structuredContent['nextOffset'] as number | undefined;
    if (next !== undefined) {
      expect(next).toBeGreaterThan(offset);
      expect(content[0]?.text).toContain(`\nMore: call again with offset ${next}\n`);
    }
    parts.push(String(structuredContent['content']));
    offset = next;
  }
  return parts;
}

describe('a supporting file read through the tool', () => {
  it('is a text: what it is, a blank line, and the file', async () => {
    const text = '# Forms\n\n\tIndented é 表\r\n';
    const world = withFiles({ 'references/FORMS.md': text });
    const server = await connectStdio(world);
    const { content, structuredContent, isError } = await read(server, 'references/FORMS.md');
    expect(isError).toBeUndefined();
    const dir = world.path(folder);
    const size = Buffer.byteLength(text);
    expect(content).toEqual([
      {
        type: 'text',
        text: `Reading: pdf/references/FORMS.md\nBase directory: ${dir}\nType: text/markdown, ${size} bytes\n\n${text}`,
      },
    ]);
    expect(structuredContent).toEqual({
      name: 'pdf',
      baseDirectory: dir,
      path: `${dir}/SKILL.md`,
      location: 'global',
      provider: 'claude',
      file: 'references/FORMS.md',
      mimeType: 'text/markdown',
      encoding: 'text',
      size,
      offset: 0,
      content: text,
    });
  });

  it('is found however the skill is named, and with ./ before it', async () => {
    const server = await connectStdio(withFiles({ 'scripts/run.py': 'print(1)' }));
    for (const args of [
      { name: 'PDF', file: './scripts/run.py' },
      { command: 'claude:pdf', file: 'scripts/run.py' },
      { name: 'skill://pdf/SKILL.md', file: '././scripts/run.py' },
    ]) {
      expect((await server.call('skill', args)).content[0]?.text).toMatch(
        /^Reading: pdf\/scripts\/run\.py\n(?:.*\n)*print\(1\)$/,
      );
    }
    expect((await read(server, 'SKILL.md')).content[0]?.text).toContain('\n\n---\nname: pdf\n');
  });

  it('comes in parts where it is long, which make the whole without a broken character', async () => {
    const text = 'é表😀a\n'.repeat(20_000);
    const server = await connectStdio(withFiles({ 'long.txt': text, 'x.md': `a${'表'.repeat(50_000)}` }));
    const parts = await readParts(server, 'long.txt');
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('') === text).toBe(true);
    expect((await readParts(server, 'x.md')).join('') === `a${'表'.repeat(50_000)}`).toBe(true);
    const { structuredContent } = await read(server, 'long.txt', 7);
    expect(structuredContent).toMatchObject({ offset: 7, size: Buffer.byteLength(text) });
  });

  it('ends, even where it is no valid text', async () => {
    const server = await connectStdio(
      withFiles({ 'bad.md': Buffer.alloc(200_000, 0x80), 'end.md': Buffer.from([0xe8]) }),
    );
    expect((await readParts(server, 'bad.md')).join('')).toMatch(/^\ufffd+$/);
    expect(await readParts(server, 'end.md')).toEqual(['\ufffd']);
  });

  it('may be empty, or begin at its end, but not beyond', async () => {
    const server = await connectStdio(withFiles({ 'empty.txt': '', 'five.txt': '12345' }));
    expect((await read(server, 'empty.txt')).structuredContent).toMatchObject({ content: '', size: 0 });
    expect((await read(server, 'five.txt', 5)).structuredContent).toMatchObject({ content: '', offset: 5 });
    const beyond = await server.ask('tools/call', {
      name: 'skill',
      arguments: { name: 'pdf', file: 'five.txt', offset: 6 },
    });
    expect(beyond.error).toMatchObject({ code: -32602, message: expect.stringMatching(/from 0 to 5/) });
  });

  it('is given in base64 where it is no text, if it is small', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 1, 2]);
    const server = await connectStdio(
      withFiles({ 'logo.png': bytes, data: Buffer.alloc(40), 'big.bin': Buffer.alloc(300_000) }),
    );
    const { content, structuredContent } = await read(server, 'logo.png');
    expect(content[0]?.text).toMatch(/\nType: image\/png, 8 bytes, in base64\n\n[A-Za-z0-9+/=]+$/);
    expect(structuredContent).toMatchObject({
      mimeType: 'image/png',
      encoding: 'base64',
      content: bytes.toString('base64'),
    });
    expect((await read(server, 'data')).structuredContent).toMatchObject({ encoding: 'base64' });
    const big = await server.ask('tools/call', { name: 'skill', arguments: { name: 'pdf', file: 'big.bin' } });
    expect(big.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^big\.bin is .* of 300000 bytes/),
    });
    const uri = /skill:\/\/[^\s,]+/.exec(big.error?.message ?? '')?.[0];
    const resource = await server.request<{ contents: { blob: string }[] }>('resources/read', { uri });
    expect(Buffer.from(resource.contents[0]?.blob ?? '', 'base64')).toHaveLength(300_000);
  });

  it('that is not there is an error which names near ones; a folder names what it holds', async () => {
    const server = await connectStdio(withFiles({ 'references/FORMS.md': 'x', 'references/b.md': 'x' }));
    for (const [file, text] of [
      [
        'references/FORM.md',
        /^Skill 'pdf' has no file 'references\/FORM\.md'; it has 3 files\. Did you mean: references\/FORMS\.md/,
      ],
      ['references/FORMS.md/x', /^Skill 'pdf' has no file /],
      ['x'.repeat(5000), /^Skill 'pdf' has no file 'x{200,}…?'; it has 3 files\.$/],
      [`${'a/'.repeat(3000)}b`, /^Skill 'pdf' has no file /],
      ['references', /^'references' in skill 'pdf' is a folder; it holds references\/FORMS\.md, references\/b\.md\n/],
      ['references/', /^'references' in skill 'pdf' is a folder/],
    ] as const) {
      const { content, isError } = await read(server, file);
      expect(isError, file).toBe(true);
      expect(content[0]?.text, file).toMatch(text);
    }
  });

  it('is read as it is now', async () => {
    const world = withFiles({ 'a.txt': 'before' });
    const server = await connectStdio(world);
    expect((await read(server, 'a.txt')).structuredContent).toMatchObject({ content: 'before' });
    world.write(`${folder}/a.txt`, 'after');
    world.write(`${folder}/b.txt`, 'new');
    expect((await read(server, 'a.txt')).structuredContent).toMatchObject({ content: 'after' });
    expect((await read(server, 'b.txt')).structuredContent).toMatchObject({ content: 'new' });
    expect(await server.load('pdf')).toContain('\nFiles: a.txt, b.txt\n');
  });
});
