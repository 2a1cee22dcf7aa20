import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectStdio, StdioServer, startHttp, startStdio } from '../support/mcp.ts';
import { createWorld, program, type World } from '../support/world.ts';

async function namesOn(world: World, args: readonly string[]): Promise<string[]> {
  const server = await connectStdio(world, args);
  const names = (await server.tools()).map(({ name }) => name);
  await server.end();
  return names;
}

const commands = ['mcp', 'mcp-server', 'serve'] as const;

describe('the start commands', () => {
  it('mcp lists skill alone [S0-LIST-01 C2-CMD-01]', async () => {
    expect(await namesOn(createWorld(), ['mcp'])).toEqual(['skill']);
  });

  it('mcp-server lists skills.list and skills.search [C2-CMD-02]', async () => {
    expect(await namesOn(createWorld(), ['mcp-server'])).toEqual(['skills.list', 'skills.search']);
  });

  it('mcp-server takes its skills from ./skills, or from the root that it is given [C2-CMD-03]', async () => {
    const world = createWorld();
    world.skill('project/skills/here');
    world.skill('elsewhere/deep/there');
    const listed = async (args: readonly string[]): Promise<unknown> => {
      const { structuredContent = {} } = await (await connectStdio(world, args)).call('skills.list');
      return (structuredContent['skills'] as { installName: string }[]).map(({ installName }) => installName);
    };
    expect(await listed(['mcp-server'])).toEqual(['here']);
    expect(await listed(['mcp-server', '--root', './skills'])).toEqual(['here']);
    expect(await listed(['mcp-server', '--root', '../elsewhere'])).toEqual(['there']);
  });

  it('each lists exactly the tools that --tools names, in that order, each once [C2-CMD-05]', async () => {
    const world = createWorld();
    for (const command of commands) {
      const args = [command, '--tools', 'skills.search,skill-engine/list_skills'];
      expect(await namesOn(world, args), command).toEqual(['skills.search', 'skill-engine/list_skills']);
      const spelled = ['--tools', 'skills_list', '--tools', 'skill, skills.list'];
      expect(await namesOn(world, [command, ...spelled]), command).toEqual(['skills.list', 'skill']);
    }
  });

  it('refuse a tool that there is not, before anything is served', async () => {
    for (const [command, tools] of [
      ['mcp', 'skil'],
      ['serve', 'skill,nothing'],
      ['mcp-server', '../skill'],
    ] as const) {
      const { code, stdout, stderr } = await createWorld().run([command, '--tools', tools]);
      expect([code, stdout], tools).toEqual([2, '']);
      expect(stderr).toMatch(/--tools: there is no tool '.*'\n(?:.*\n)*.*skill, skills\.list, skills\.search/);
    }
    const { code, stderr } = await createWorld().run(['mcp'], { env: { REPERTOIRE_TOOLS: 'skil' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("REPERTOIRE_TOOLS: there is no tool 'skil'")]);
  });

  it('are those of the command skill as well [C2-CMD-06]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const { bin } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(Object.keys(bin)).toEqual(['repertoire']);
    expect(program.endsWith(bin.repertoire)).toBe(true);
    expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect((await world.run(['alias', 'skill'])).code).toBe(0);
    const PATH = `${world.path('home/.local/bin')}:/usr/bin:/bin`;
    const child = spawn('sh', ['-c', 'exec skill serve'], { cwd: world.project, env: world.environment({ PATH }) });
    onTestFinished(() => void child.kill('SIGKILL'));
    const server = new StdioServer(child);
    await server.initialize();
    expect(await server.load('pdf')).toMatch(/^Loading: pdf\n/);
    expect(await server.end()).toBe(0);
  });
});

describe('the names of tools', () => {
  it('are listed as documented by default [C2-TOOLNAME-01]', async () => {
    const documented = ['skill', 'skills.list', 'skills.search', 'skill-engine/list_skills'];
    const names = await namesOn(createWorld(), ['serve']);
    expect(names).toEqual(expect.arrayContaining(documented));
    expect(await namesOn(createWorld(), ['serve', '--tool-names', 'documented'])).toEqual(names);
  });

  it('are of letters, digits and underscores with --tool-names portable [C2-TOOLNAME-02]', async () => {
    const world = createWorld();
    const names = await namesOn(world, ['serve', '--tool-names', 'portable']);
    expect(names).toEqual(
      expect.arrayContaining(['skill', 'skills_list', 'skills_search', 'skill_engine_list_skills']),
    );
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]{1,50}$/);
    expect(await namesOn(world, ['mcp-server', '--tool-names', 'portable'])).toEqual(['skills_list', 'skills_search']);
  });

  it('never fall together where a client maps other signs to underscores', async () => {
    for (const command of commands) {
      const names = await namesOn(createWorld(), [command]);
      for (const map of [/[^A-Za-z0-9_]/g, /[^A-Za-z0-9_-]/g, /[^A-Za-z0-9]/g]) {
        expect(new Set(names.map((name) => name.replace(map, '_').toLowerCase())).size).toBe(names.length);
      }
    }
  });

  it('may be spelled in any way in a call, however they are listed [C2-TOOLNAME-03]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    for (const naming of ['documented', 'portable']) {
      const server = await connectStdio(world, ['serve', '--tool-names', naming]);
      for (const spellings of [
        ['skills.list', 'skills_list', 'skills/list', 'skills-list'],
        [
          'skill-engine/list_skills',
          'skill_engine_list_skills',
          'skill-engine.list_skills',
          'skill-engine_list_skills',
        ],
      ]) {
        const results = await Promise.all(spellings.map((name) => server.call(name)));
        expect(JSON.stringify(results[0])).toContain('pdf');
        for (const result of results) expect(result).toEqual(results[0]);
      }
      const hits = await server.call('skills_search', { query: 'pdf' });
      expect(hits).toEqual(await server.call('skills.search', { query: 'pdf' }));
      expect(hits.structuredContent).toMatchObject({ total: 1 });
    }
  });

  it('of tools that are not listed cannot be called', async () => {
    const server = await connectStdio(createWorld(), ['mcp']);
    for (const name of ['skills.list', 'skills_list', 'skill-engine/execute', 'Skill', 'skill ', '', 'constructor']) {
      const { error } = await server.ask('tools/call', { name, arguments: {} });
      expect(error?.code, name).toBe(-32602);
      expect(error?.message, name).toMatch(/^Unknown tool: .*\n\nThis server lists skill\.$/);
    }
  });

  it('are those of the list in what an unknown one is answered with', async () => {
    const server = await connectStdio(createWorld(), ['mcp-server', '--tool-names', 'portable']);
    const { error } = await server.ask('tools/call', { name: 'skill', arguments: {} });
    expect(error?.message).toBe('Unknown tool: skill\n\nThis server lists skills_list, skills_search.');
  });

  it('are the same on every connection, whoever asks and however [C2-TOOLNAME-04]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const stdio = await connectStdio(world, ['serve']);
    const expected = await stdio.tools();
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18']) {
      const server = startStdio(world, ['serve']);
      await server.initialize(revision);
      expect(await server.tools(), revision).toEqual(expected);
    }
    const { url } = await startHttp(world);
    for (const name of ['claude-code', 'cursor-vscode', 'gemini-cli-mcp-client', 'codex-mcp-client']) {
      for (const mode of ['legacy', 'auto'] as const) {
        const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode } });
        await client.connect(new StreamableHTTPClientTransport(new URL(url)));
        expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
        const { tools } = await client.listTools();
        expect(tools, `${name} ${mode}`).toEqual(expected);
        await client.close();
      }
    }
  });
});
