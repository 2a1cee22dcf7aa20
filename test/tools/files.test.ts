import { describe, expect, it } from 'vitest';
import { connectStdio, type StdioServer, startStdio, type ToolResult } from '../support/mcp.ts';
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

/** What stands below the header. */
const bodyOf = ({ content }: ToolResult): string => content[0]?.text.replace(/^(?:.+\n)+\n/, '') ?? '';

/** Every part of a file, read one after the other as each says where the next begins. */
async function readParts(server: StdioServer, file: string): Promise<string[]> {
  const parts: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const answer: ToolResult = await read(server, file, offset);
    const [head = ''] = answer.content[0]?.text.split('\n\n', 1) ?? [];
    const more = /^More: call again with offset (\d+)$/m.exec(head)?.[1];
    const next = more === undefined ? undefined : Number(more);
    if (next !== undefined) expect(next).toBeGreaterThan(offset);
    parts.push(bodyOf(answer));
    // As some agents see it: quoted as JSON, and cut at 8,000 characters.
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(8000);
    offset = next;
  }
  return parts;
}

describe('a supporting file read through the tool', () => {
  it('is a text: what it is, a blank line, and the file', async () => {
    const text = '# Forms\n\n\tIndented é 表\r\n';
    const world = withFiles({ 'references/FORMS.md': text });
    const server = await connectStdio(world);
    const answer = await read(server, 'references/FORMS.md');
    const dir = world.path(folder);
    const size = Buffer.byteLength(text);
    const content = [
      {
        type: 'text',
        text: `Reading: pdf/references/FORMS.md\nBase directory: ${dir}\nType: text/markdown, ${size} bytes\n\n${text}`,
      },
    ];
    expect(answer).toEqual({ content });
    const structured = await read(await connectStdio(world, ['mcp', '--structured']), 'references/FORMS.md');
    expect(structured.content).toEqual(content);
    expect(structured.structuredContent).toEqual({
      name: 'pdf',
      baseDirectory: dir,
      path: `${dir}/SKILL.md`,
      location: 'global',
      provider: 'claude',
      file: 'references/FORMS.md',
      mimeType: 'text/markdown',
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

  it('comes in parts where it is long, each small enough for every agent, which make the whole [C2-FILE-01]', async () => {
    const texts = ['é表😀a\n', '表', '{"a": "\\"}\r\n\t', 'x'].map((text) => text.repeat(30_000 / text.length));
    const world = withFiles(Object.fromEntries(texts.map((text, index) => [`${index}.txt`, text])));
    const server = await connectStdio(world);
    for (const [index, text] of texts.entries()) {
      const parts = await readParts(server, `${index}.txt`);
      expect(parts.length).toBeGreaterThan(2);
      expect(parts.join('') === text, `text ${index}`).toBe(true);
    }
    expect((await read(server, '3.txt', 7)).content[0]?.text).toMatch(/^Part: bytes 7 to \d+\nMore: /m);
    const whole = await connectStdio(world, ['mcp', '--file-part', '40000']);
    expect(bodyOf(await read(whole, '3.txt'))).toBe(texts[3]);
    const wrong = await world.run(['mcp', '--file-part', '10']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--file-part .*from 1000 to/)]);
  });

  it('ends, even where it is no valid text', async () => {
    const server = await connectStdio(
      withFiles({ 'bad.md': Buffer.alloc(20_000, 0x80), 'end.md': Buffer.from([0xe8]) }),
    );
    expect((await readParts(server, 'bad.md')).join('')).toMatch(/^\ufffd+$/);
    expect(await readParts(server, 'end.md')).toEqual(['\ufffd']);
  });

  it('may be empty, or begin at its end, but not beyond', async () => {
    const server = await connectStdio(withFiles({ 'empty.txt': '', 'five.txt': '12345' }));
    expect((await read(server, 'empty.txt')).content[0]?.text).toMatch(/\nType: text\/plain, 0 bytes\n\n$/);
    expect((await read(server, 'five.txt', 5)).content[0]?.text).toMatch(/\nPart: bytes 5 to 5\n\n$/);
    const beyond = await server.ask('tools/call', {
      name: 'skill',
      arguments: { name: 'pdf', file: 'five.txt', offset: 6 },
    });
    expect(beyond.error).toMatchObject({ code: -32602, message: expect.stringMatching(/from 0 to 5/) });
  });

  it('is image or audio content where it is a picture or a sound [C2-FILE-02]', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0', 'latin1'), Buffer.from('IEND')]);
    const world = withFiles({ 'logo.png': png, 'bell.ogg': 'OggS\0', 'drawing.svg': '<svg/>' });
    const server = await connectStdio(world);
    const head = (file: string, type: string, size: number): object => ({
      type: 'text',
      text: `Reading: pdf/${file}\nBase directory: ${world.path(folder)}\nType: ${type}, ${size} bytes`,
    });
    const picture = [
      head('logo.png', 'image/png', png.length),
      { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
    ];
    expect(await read(server, 'logo.png')).toEqual({ content: picture });
    const sound = [
      head('bell.ogg', 'audio/ogg', 5),
      { type: 'audio', data: Buffer.from('OggS\0').toString('base64'), mimeType: 'audio/ogg' },
    ];
    expect(await read(server, 'bell.ogg')).toEqual({ content: sound });
    expect(bodyOf(await read(server, 'drawing.svg'))).toBe('<svg/>');
    const structured = await read(await connectStdio(world, ['mcp', '--structured']), 'logo.png');
    expect(structured.content).toEqual(picture);
    expect(structured.structuredContent).toMatchObject({ file: 'logo.png', mimeType: 'image/png', size: png.length });
    // The first revision of the protocol has no audio content.
    const first = startStdio(world, ['mcp']);
    await first.initialize('2024-11-05');
    expect((await read(first, 'logo.png')).content).toEqual(picture);
    expect((await read(first, 'bell.ogg')).content[0]?.text).toContain(`\nPath: ${world.path(folder)}/bell.ogg\n`);
  });

  it('is named with its path and type where it is anything else, or too large [C2-FILE-03]', async () => {
    const files = { 'a.zip': 'PK\x03\x04\0', 'fake.png': 'MZ\0\0', 'huge.png': '\0'.repeat(1024 * 1024 + 1) };
    const world = withFiles(files);
    const server = await connectStdio(world);
    for (const [file, content] of Object.entries(files)) {
      const answer = await read(server, file);
      expect([answer.isError, answer.content.length]).toEqual([undefined, 1]);
      const text = answer.content[0]?.text ?? '';
      expect(text).toContain(`, ${content.length} bytes\nPath: ${world.path(folder)}/${file}\n`);
      expect(text).toMatch(/\n\nIts content is not shown: .*\. Read it at its path\.$/);
      expect(text).not.toContain(Buffer.from(content).toString('base64').slice(0, 6));
      const uri = /^Resource: (skill:.*)$/m.exec(text)?.[1];
      const resource = await server.request<{ contents: { blob: string }[] }>('resources/read', { uri });
      expect(Buffer.from(resource.contents[0]?.blob ?? '', 'base64')).toHaveLength(content.length);
    }
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
      [
        'references',
        /^'references' in skill 'pdf' is a folder; it contains references\/FORMS\.md, references\/b\.md\n/,
      ],
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
    expect((await read(server, 'a.txt')).content[0]?.text).toMatch(/\n\nbefore$/);
    world.write(`${folder}/a.txt`, 'after');
    world.write(`${folder}/b.txt`, 'new');
    expect((await read(server, 'a.txt')).content[0]?.text).toMatch(/\n\nafter$/);
    expect((await read(server, 'b.txt')).content[0]?.text).toMatch(/\n\nnew$/);
    expect(await server.load('pdf')).toContain('\nFiles: a.txt, b.txt\n');
  });
});
