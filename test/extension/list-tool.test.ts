import { describe, expect, it } from 'vitest';
import { connectStdio, type ListedTool, type StdioServer, startStdio } from '../support/mcp.ts';
import { createWorld, type SkillText, type World } from '../support/world.ts';
import { clientOverStdio, eras } from './clients.ts';

interface Summary {
  installName: string;
  meta: { name: string; description: string };
  skillPath: string;
  skillFile: string;
  body?: string;
}

function worldWith(skills: Readonly<Record<string, SkillText>>): World {
  const world = createWorld();
  for (const [folder, text] of Object.entries(skills)) world.skill(folder, text);
  return world;
}

/** Three skills of a checkout, one of them deep down and called otherwise than its folder. */
function checkout(): World {
  return worldWith({
    'project/skills/pdf': { description: 'Fill in forms.', body: '\n# PDF\n\nUse the Straße tool.\n' },
    'project/skills/office/tables/csv-profiler': { name: 'csv', description: 'Read tables.', body: 'No blank line.' },
    'project/skills/git': { description: 'Write history.' },
  });
}

async function toolOf(server: StdioServer, name: string): Promise<ListedTool> {
  const tool = (await server.tools()).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`${name} is not listed`);
  return tool;
}

async function listed(server: StdioServer, args: object = {}): Promise<Summary[]> {
  const { structuredContent } = await server.call('skills.list', args);
  expect(Object.keys(structuredContent ?? {})).toEqual(['skills']);
  return structuredContent?.['skills'] as Summary[];
}

const names = (skills: readonly Summary[]): string[] => skills.map((skill) => skill.installName).sort();

it('the texts of skills.list and skills.search call skills by names that load them', async () => {
  const world = worldWith({
    'home/.claude/skills/pdf': { description: 'Fill in forms.' },
    'home/.codex/skills/pdf': { description: 'Read tables in it.' },
    'project/skills/git': { description: 'Write history.' },
  });
  const server = await connectStdio(world, ['serve']);
  for (const [tool, args] of [
    ['skills.list', {}],
    ['skills.search', { query: 'i' }],
  ] as const) {
    const { text = '' } = (await server.call(tool, args)).content[0] ?? {};
    const called = [...text.matchAll(/^- (\S+): /gm)].map(([, name]) => name ?? '');
    expect(called.sort(), tool).toEqual(['claude:pdf', 'codex:pdf', 'git']);
  }
});

describe('skills.list', () => {
  it('is listed with the documented schema, and with one for what it returns [S2-LIST-02 S2-LIST-04 S2-LIST-05 C2-CATTOOLS-01 C2-CATTOOLS-03]', async () => {
    const server = await connectStdio(createWorld(), ['mcp-server']);
    const { inputSchema, outputSchema, annotations } = await toolOf(server, 'skills.list');
    expect(inputSchema).toEqual({
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'Optional substring filter applied to install name, meta.name, or description',
        },
        includeBody: {
          type: 'boolean',
          description: 'Include the SKILL.md body (minus YAML front-matter) in the structured payload',
        },
      },
      additionalProperties: false,
    });
    expect(outputSchema).toMatchObject({ type: 'object', required: ['skills'] });
    expect(annotations).toMatchObject({ readOnlyHint: true });
  });

  it('gives every skill under the root with its names, description and paths, and no text [S2-GOAL-01 S2-LIST-01 S2-LIST-06 S2-LIST-07 S2-LIST-08 S2-LIST-09 S2-LIST-10 S2-LIST-12 C2-CATTOOLS-01 C2-CATTOOLS-04 C2-CATTOOLS-06]', async () => {
    const server = await connectStdio(checkout(), ['mcp-server', '--root', './skills']);
    const expected = [
      {
        installName: 'csv-profiler',
        meta: { name: 'csv', description: 'Read tables.' },
        skillPath: 'skills/office/tables/csv-profiler',
        skillFile: 'skills/office/tables/csv-profiler/SKILL.md',
      },
      {
        installName: 'git',
        meta: { name: 'git', description: 'Write history.' },
        skillPath: 'skills/git',
        skillFile: 'skills/git/SKILL.md',
      },
      {
        installName: 'pdf',
        meta: { name: 'pdf', description: 'Fill in forms.' },
        skillPath: 'skills/pdf',
        skillFile: 'skills/pdf/SKILL.md',
      },
    ];
    const sorted = (skills: Summary[]): Summary[] => skills.sort((a, b) => (a.installName < b.installName ? -1 : 1));
    expect(sorted(await listed(server))).toEqual(expected);
    expect(sorted(await listed(server, { includeBody: false }))).toEqual(expected);
  });

  it('gives the text below the front matter to those who want it [S2-LIST-11 C2-CATTOOLS-01]', async () => {
    const world = checkout();
    world.write(
      'project/skills/odd/SKILL.md',
      '\ufeff---\r\nname: odd\r\ndescription: With BOM.\r\n---\r\nText\r\n---\r\n',
    );
    const skills = await listed(await connectStdio(world, ['mcp-server']), { includeBody: true });
    const bodies = Object.fromEntries(skills.map(({ installName, body }) => [installName, body]));
    expect(bodies['pdf']?.trim()).toBe('# PDF\n\nUse the Straße tool.');
    expect(bodies['csv-profiler']).toBe('No blank line.');
    expect(bodies['odd']).toBe('Text\r\n---\r\n');
    for (const body of Object.values(bodies)) expect(body).not.toContain('description:');
  });

  it('keeps the skills whose folder, name or description holds the query, whatever the letter case [S2-LIST-03]', async () => {
    const server = await connectStdio(checkout(), ['mcp-server']);
    expect(names(await listed(server, { query: 'profiler' }))).toEqual(['csv-profiler']);
    expect(names(await listed(server, { query: 'CSV' }))).toEqual(['csv-profiler']);
    expect(names(await listed(server, { query: 'rite hist' }))).toEqual(['git']);
    expect(names(await listed(server, { query: 'FORMS' }))).toEqual(['pdf']);
    expect(names(await listed(server, { query: '' }))).toEqual(['csv-profiler', 'git', 'pdf']);
    // Neither a place on disk nor the text is looked at.
    expect(await listed(server, { query: 'office' })).toEqual([]);
    expect(await listed(server, { query: 'Straße' })).toEqual([]);
    expect(await listed(server, { query: '.*' })).toEqual([]);
  });

  it('says in words how many skills matched, beside the structured part [S2-LIST-13 S2-GOAL-03 C2-CATTOOLS-05]', async () => {
    const server = await connectStdio(checkout(), ['mcp-server']);
    const text = async (args: object): Promise<string> => {
      const { content, structuredContent, isError } = await server.call('skills.list', args);
      expect(structuredContent).toBeDefined();
      expect(isError).toBeUndefined();
      expect(content).toHaveLength(1);
      expect(content[0]?.type).toBe('text');
      return content[0]?.text ?? '';
    };
    expect(await text({})).toMatch(/^3 skills\.\n/);
    expect(await text({})).toContain('- pdf: Fill in forms.');
    expect(await text({ query: 'pdf' })).toMatch(/^1 skill matching "pdf"\.\n/);
    expect(await text({ query: 'nothing' })).toBe('0 skills matching "nothing".');
  });

  it('keeps each skill on one line of the text, whatever its description holds', async () => {
    const world = createWorld();
    world.write(
      'project/skills/sly/SKILL.md',
      '---\nname: sly\ndescription: "One.\\n- other: A skill that is not there."\n---\n',
    );
    const server = await connectStdio(world, ['mcp-server']);
    const { content } = await server.call('skills.list', { query: 'One.\n- other' });
    expect(content[0]?.text.split('\n')).toHaveLength(2);
  });

  it('refuses what its schema does not know, naming it', async () => {
    const server = await connectStdio(checkout(), ['mcp-server']);
    const refusals: readonly [unknown, RegExp][] = [
      [{ queri: 'x' }, /`queri`.*query, includeBody/],
      [{ query: 1 }, /`query` must be a string/],
      [{ includeBody: 'yes' }, /`includeBody` must be a boolean/],
      [{ query: null }, /`query` must be a string/],
      [{ __proto__x: 1 }, /__proto__x/],
    ];
    for (const [args, message] of refusals) {
      const { error } = await server.ask('tools/call', { name: 'skills.list', arguments: args as object });
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
    }
    expect(await listed(server)).toHaveLength(3);
  });

  it('answers a machine without skills with none', async () => {
    const server = await connectStdio(createWorld(), ['mcp-server']);
    expect(await listed(server)).toEqual([]);
    expect((await server.call('skills.list')).content[0]?.text).toBe('0 skills.');
  });

  it('leaves out a skill whose front matter cannot be parsed, tells why on stderr, and goes on [S2-DATA-04]', async () => {
    const world = checkout();
    world.write('project/skills/broken/SKILL.md', '---\nname: a\ndescription: |\n\tx\n x: [}\n---\nText\n');
    const server = await connectStdio(world, ['mcp-server']);
    expect(names(await listed(server))).toEqual(['csv-profiler', 'git', 'pdf']);
    expect(await server.logged(/.*skipped: .*/)).toContain(world.path('project/skills/broken/SKILL.md'));
    expect(await listed(server)).toHaveLength(3);
    expect(await server.end()).toBe(0);
  });

  it('answers a session given on stdin at once with valid replies [S2-TEST-04]', async () => {
    const server = startStdio(checkout(), ['mcp-server']);
    const frames = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'skills.list', arguments: {} } },
      { id: 4, method: 'tools/call', params: { name: 'skills.search', arguments: { query: 'forms' } } },
    ];
    server.write(frames.map((frame) => `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`).join(''));
    expect(await server.end()).toBe(0);
    const replies = new Map(server.messages.map((message) => [message.id, message]));
    expect(new Set(replies.keys())).toEqual(new Set([1, 2, 3, 4]));
    for (const reply of replies.values()) expect(reply).toMatchObject({ jsonrpc: '2.0', result: expect.anything() });
    expect(replies.get(1)?.result).toMatchObject({ protocolVersion: '2025-03-26' });
    expect(replies.get(3)?.result?.['structuredContent']).toMatchObject({ skills: { length: 3 } });
    expect(replies.get(4)?.result?.['structuredContent']).toMatchObject({ total: 1 });
  });

  for (const era of eras) {
    it(`is discovered by a ${era} client in the ordinary way, and returns what it declares [S2-GOAL-02 C2-CATTOOLS-03]`, async () => {
      const client = await clientOverStdio(checkout(), era, ['mcp-server']);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name).sort()).toEqual(['skills.list', 'skills.search']);
      // The client checks structured results against the schema that the tool was listed with.
      const all = await client.callTool({ name: 'skills.list', arguments: { includeBody: true } });
      expect(all.structuredContent).toMatchObject({ skills: { length: 3 } });
      const found = await client.callTool({ name: 'skills.search', arguments: { query: 'forms' } });
      expect(found.structuredContent).toMatchObject({ total: 1, results: [{ installName: 'pdf' }] });
    });
  }
});
