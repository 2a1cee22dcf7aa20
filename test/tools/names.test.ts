import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { connectStdio, type StdioServer } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

/** The text of a failure; a call that does not fail, fails the test. */
async function failureOf(server: StdioServer, name: string): Promise<string> {
  const { content, isError, structuredContent } = await server.call('skill', { name });
  expect({ isError, structuredContent, items: content.length }).toEqual({
    isError: true,
    structuredContent: undefined,
    items: 1,
  });
  return content[0]?.text ?? '';
}

const loading = async (server: StdioServer, name: string): Promise<string | undefined> =>
  /^Loading: .*\nBase directory: .*/.exec(await server.load(name))?.[0];

describe('names given to the tool', () => {
  it('are taken in any case and normal form [S3-EX-02]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/mcp-builder');
    world.skill('home/.claude/skills/cafe', { name: 'Café' });
    const server = await connectStdio(world);
    for (const name of ['MCP-Builder', 'mcp-builder', ' MCP-BUILDER ', 'skill://mcp-builder/SKILL.md']) {
      expect(await server.load(name), name).toMatch(/^Loading: mcp-builder\n/);
    }
    for (const name of ['café', 'CAFE\u0301']) expect(await server.load(name), name).toMatch(/^Loading: Café\n/);
  });

  it('that two plugins share are an error that names both [S0-LOAD-06 S1-LOAD-11 C2-RESULT-12]', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'], 'other@market': ['pdf'] });
    const server = await connectStdio(world);
    const text = await failureOf(server, 'pdf');
    expect(text).toMatch(/^Skill name 'pdf' is ambiguous: example:pdf, other:pdf\n/);
    expect(text).toMatch(/by its full name, as in example:pdf/);
    for (const name of ['example:pdf', 'other:pdf']) expect(await server.load(name)).toContain(`Loading: ${name}\n`);
  });

  it('that two providers share are an error; with the provider before them they are not [S0-PROVIDER-04 S0-PROVIDER-05 C2-RESULT-12]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf');
    const server = await connectStdio(world);
    const text = await failureOf(server, 'pdf');
    expect(text).toMatch(/^Skill name 'pdf' is ambiguous: /);
    for (const provider of ['claude', 'codex']) {
      expect(text).toContain(`${provider}:pdf`);
      expect(await server.load(`${provider}:pdf`)).toContain(world.path(`home/.${provider}/skills/pdf`));
      expect(await server.load(`${provider.toUpperCase()}:PDF`)).toContain(`Provider: ${provider}\n`);
    }
  });

  it('that two providers share are listed as they can be called, and --on-duplicate first settles them', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf');
    const server = await connectStdio(world);
    const description = (await server.tools())[0]?.description;
    expect(description).toContain('<name>claude:pdf</name>');
    expect(description).toContain('<name>codex:pdf</name>');
    const first = await connectStdio(world, ['mcp', '--on-duplicate', 'first']);
    expect(await first.load('pdf')).toContain('Provider: claude\n');
  });

  it('of plugins may be given in full, or short where that is enough [S1-LOAD-05 S1-LOAD-07]', async () => {
    const world = createWorld();
    installPlugins(world, { 'example-skills@market': ['pdf'], 'other@market': ['xlsx'] });
    const server = await connectStdio(world);
    const whole = await loading(server, 'example-skills:pdf');
    expect(whole).toMatch(/^Loading: example-skills:pdf\n/);
    for (const name of ['pdf', 'PDF', 'Example-Skills:pdf', 'claude:pdf', 'claude:example-skills:pdf']) {
      expect(await loading(server, name), name).toBe(whole);
    }
    expect(await server.load('example-skills:pdf')).toMatch(/\n\n---\nname: pdf\n(?:.*\n)*# Text\n$/);
  });
});

function threeSkills(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/git', { description: 'Git deployment workflow skill' });
  world.skill('home/.claude/skills/mcp-builder', { description: 'MCP server development guide' });
  world.skill('home/.claude/skills/postgres', { description: 'PostgreSQL database operations' });
  return world;
}

describe('a name that is not there', () => {
  it('is a result that is an error, with the list of what is [S3-EX-03 S3-RESP-05 S3-RESP-06 S3-RESP-07 S1-LOAD-14 C2-RESULT-12 C2-RESULT-13]', async () => {
    const server = await connectStdio(threeSkills());
    expect(await failureOf(server, 'nonexistent')).toBe(
      [
        "Skill 'nonexistent' not found.",
        '',
        'Available skills:',
        '- git: Git deployment workflow skill',
        '- mcp-builder: MCP server development guide',
        '- postgres: PostgreSQL database operations',
        '',
        'Use the exact skill name (case-insensitive) to load a skill.',
      ].join('\n'),
    );
    expect(await failureOf(server, 'NonExistent')).toMatch(/^Skill 'NonExistent' not found\.\n/);
  });

  it('is answered with near ones', async () => {
    const server = await connectStdio(threeSkills());
    for (const name of ['gti', 'giit', 'gt']) {
      expect(await failureOf(server, name)).toMatch(
        /^Skill '\w+' not found\.\n\nDid you mean: git\?\n\nAvailable skills:\n/,
      );
    }
  });

  it('is answered alike where a file of it was asked for', async () => {
    const server = await connectStdio(threeSkills());
    const { content, isError } = await server.call('skill', { name: 'gti', file: 'references/A.md' });
    expect(isError).toBe(true);
    expect(content[0]?.text).toBe(await failureOf(server, 'gti'));
  });

  it('is answered where there is no skill at all', async () => {
    const server = await connectStdio(createWorld());
    expect(await failureOf(server, 'git')).toBe(
      "Skill 'git' not found.\n\nAvailable skills:\nnone\n\nUse the exact skill name (case-insensitive) to load a skill.",
    );
  });

  it('is answered with so many skills and a number, each on a line that ends', async () => {
    const world = createWorld();
    for (let i = 10; i < 60; i++) {
      world.skill(`home/.claude/skills/skill-${i}`, { description: `"${'long 表 '.repeat(100)}\\n- evil: x"` });
    }
    const server = await connectStdio(world);
    const lines = (await failureOf(server, 'x\n\u001b[2Jy')).split('\n');
    expect(lines[0]).toBe("Skill 'x \ufffd[2Jy' not found.");
    const listed = lines.filter((line) => line.startsWith('- '));
    expect(listed).toHaveLength(20);
    for (const line of listed) expect(line).toMatch(/^- skill-\d\d: long 表 .{1,100}…$/u);
    expect(lines).toContain('… and 30 more');
  });
});
