import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorld, program, type World } from '../support/world.ts';
import { agentFiles, type Report, textOf } from './agents.ts';

/** A PATH with these programs and nothing else. */
function pathWith(world: World, ...names: string[]): Record<string, string> {
  for (const name of names) chmodSync(world.write(`bin/${name}`, '#!/bin/sh\n'), 0o755);
  world.folder('bin');
  return { PATH: world.path('bin') };
}

async function shown(world: World, args: string[] = [], env: Record<string, string> = pathWith(world)) {
  const run = await world.run(['setup', '--json', ...args], { env });
  return run.json<Report>();
}

describe('detecting agents', () => {
  it('finds none on an empty machine, and says how to go on', async () => {
    const world = createWorld();
    const run = await world.run(['setup'], { env: pathWith(world) });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('No agent was found');
    expect((await world.run(['setup', '--all'], { env: pathWith(world) })).code).toBe(1);
  });

  it.each(agentFiles)('finds $id by its own file', async ({ id, global }) => {
    const world = createWorld();
    world.write(global, '');
    const { agents, mode } = await shown(world);
    expect(mode).toBe('show');
    expect(agents.map((agent) => agent.id)).toContain(id);
    expect(textOf(world, global)).toBe('');
  });

  it('finds agents by their programs', async () => {
    const world = createWorld();
    const { agents } = await shown(world, [], pathWith(world, 'goose', 'claude'));
    expect(agents.map(({ id }) => id)).toEqual(['claude-code', 'goose']);
    expect(agents.map(({ detectedBy }) => detectedBy)).toEqual([world.path('bin/claude'), world.path('bin/goose')]);
  });

  it('tells how each file stands and writes nothing', async () => {
    const world = createWorld();
    world.write('home/.cursor/mcp.json', '{"mcpServers":{"repertoire":{"command":"x"}}}');
    world.write('home/.codeium/windsurf/mcp_config.json', '{');
    world.folder('home/.codex');
    const { agents } = await shown(world);
    expect(agents.map(({ id, state, done }) => [id, state, done])).toEqual([
      ['codex', 'absent', false],
      ['cursor', 'differs', false],
      ['windsurf', 'unparseable', false],
    ]);
    expect(textOf(world, 'home/.codex/config.toml')).toBeNull();
    const { stdout } = await world.run(['setup'], { env: pathWith(world) });
    const columns = [...stdout.matchAll(/^ {2}[a-z].*? (?=~)/gm)].map(([start]) => start.length);
    expect(columns, stdout).toEqual([columns[0], columns[0], columns[0]]);
  });

  it('sets up all that it finds, and takes it out again', async () => {
    const world = createWorld();
    world.folder('home/.codex');
    world.folder('home/.cursor');
    const env = pathWith(world);
    const all = await world.run(['setup', '--all', '--json'], { env });
    expect(all.json<Report>().agents.map(({ id, done }) => [id, done])).toEqual([
      ['codex', true],
      ['cursor', true],
    ]);
    const gone = await world.run(['setup', '--all', '--remove', '--json'], { env });
    expect(gone.json<Report>().agents.map(({ id, done }) => [id, done])).toEqual([
      ['codex', true],
      ['cursor', true],
    ]);
    expect(textOf(world, 'home/.codex/config.toml') ?? '').not.toContain('repertoire');
  });

  it('knows aliases, and what was meant by a slip', async () => {
    const world = createWorld();
    expect((await world.run(['setup', 'github-copilot', 'claude', '--json'])).json<Report>().agents).toMatchObject([
      { id: 'claude-code' },
      { id: 'vscode' },
    ]);
    const slip = await world.run(['setup', 'codx']);
    expect(slip.code).toBe(2);
    expect(slip.stderr).toContain("unknown agent 'codx'");
    expect(slip.stderr).toContain('codex');
    const other = await world.run(['setup', 'nope']);
    expect(other.stderr).not.toContain('Did you mean');
    expect(other.stderr).toContain('Known agents: claude-code, ');
  });

  it('means that Cline which is here', async () => {
    const ids = async (world: World) => (await shown(world, ['cline', '--dry-run'])).agents.map(({ id }) => id);
    const world = createWorld();
    expect(await ids(world)).toEqual(['cline']);
    world.folder('home/.config/Code/User/globalStorage/saoudrizwan.claude-dev');
    expect(await ids(world)).toEqual(['cline-vscode']);
    world.folder('home/.cline');
    expect(await ids(world)).toEqual(['cline', 'cline-vscode']);
  });

  it.each([
    ['CLAUDE_CONFIG_DIR', 'claude-code', '.claude.json'],
    ['CLINE_DIR', 'cline', 'data/settings/cline_mcp_settings.json'],
    ['QWEN_HOME', 'qwen-code', 'settings.json'],
    ['CODEX_HOME', 'codex', 'config.toml'],
    ['XDG_CONFIG_HOME', 'goose', 'goose/config.yaml'],
    ['XDG_CONFIG_HOME', 'opencode', 'opencode/opencode.json'],
  ])('follows %s for %s', async (variable, id, file) => {
    const world = createWorld();
    const run = await world.run(['setup', id], { env: { [variable]: world.folder('moved') } });
    expect(run.code, run.stderr + run.stdout).toBe(0);
    expect(textOf(world, `moved/${file}`)).toContain('repertoire');
  });
});

describe('what is written', () => {
  it.each(agentFiles.filter(({ project }) => project !== null))('$id has a file in a project', async (agent) => {
    const world = createWorld();
    const cwd = world.folder('project/deep/down').slice(world.root.length + 1);
    const run = await world.run(['setup', agent.id, '--project', '--json'], { cwd });
    expect(run.code, run.stdout).toBe(0);
    const [report] = run.json<Report>().agents;
    expect(report?.file).toBe(world.path(agent.project ?? ''));
    expect(report?.notes.join(' ')).toContain('this machine');
    expect(textOf(world, agent.project ?? '')).toContain(program);
    expect(textOf(world, agent.global)).toBeNull();
  });

  it('says so where an agent has no file in a project', async () => {
    const world = createWorld();
    const run = await world.run(['setup', 'windsurf', '--project']);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('no project file for servers');
    world.folder('home/.codeium/windsurf');
    world.folder('home/.cursor');
    const all = await world.run(['setup', '--all', '--project', '--json'], { env: pathWith(world) });
    expect(all.code).toBe(0);
    expect(all.json<Report>().agents.map(({ id }) => id)).toEqual(['cursor']);
  });

  it('serves two agents that share a file with one entry', async () => {
    const world = createWorld();
    const first = await world.run(['setup', 'claude-code', 'copilot-cli', '--project', '--json']);
    expect(first.code).toBe(0);
    expect(textOf(world, 'project/.mcp.json')).toContain('portable');
    expect(textOf(world, 'project/.mcp.json')).toContain('native:claude-code+copilot-cli');
    const again = await world.run(['setup', 'claude-code', 'copilot-cli', '--project', '--json']);
    expect(again.json<Report>().agents.map(({ state }) => state)).toEqual(['current', 'current']);
  });

  it('leaves out of a shared entry only what each of its readers loads by itself', async () => {
    const world = createWorld();
    world.skill('project/.claude/skills/both');
    world.skill('home/.agents/skills/codex-only');
    const left = async (token: string) =>
      (await world.list(['--exclude', token])).skills.map(({ name }) => name).sort();
    expect(await left('native:claude-code+copilot-cli')).toEqual(['codex-only']);
    expect(await left('native:claude-code+codex')).toEqual(['both', 'codex-only']);
    const { diagnostics } = await world.list(['--exclude', 'native:claude-code+nobody']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['filter-no-match']);
  });

  it('gives portable names of tools to those that need them', async () => {
    const world = createWorld();
    await world.run(['setup', ...agentFiles.map(({ id }) => id)]);
    const portable = agentFiles.filter(({ global }) => textOf(world, global)?.includes('portable'));
    const others = agentFiles.filter((agent) => !portable.includes(agent)).map(({ id }) => id);
    expect(others).toEqual(['claude-code', 'gemini-cli']);
  });

  it('leaves out what the agent loads by itself', async () => {
    const world = createWorld();
    await world.run(['setup', 'claude-code']);
    const { mcpServers } = JSON.parse(textOf(world, 'home/.claude.json') ?? '') as {
      mcpServers: { repertoire: { args: string[] } };
    };
    const { args } = mcpServers.repertoire;
    expect(args[args.indexOf('--exclude') + 1]?.split(',')).toEqual(['native:claude-code']);
  });

  it('takes over options that choose skills', async () => {
    const world = createWorld();
    await world.run(['setup', 'cursor', '--skill-dir', 'mine', '--no-plugins']);
    const text = textOf(world, 'home/.cursor/mcp.json');
    expect(text).toMatch(new RegExp(`"--skill-dir",\\s*"${world.path('project/mine')}"`));
    expect(text).toContain('"--no-plugins"');
  });

  it('uses the program on PATH where that is this one, for agents of the terminal', async () => {
    const world = createWorld();
    world.link(program, 'bin/repertoire');
    world.link(process.execPath, 'bin/node');
    await world.run(['setup', 'claude-code', 'cursor'], {
      env: { PATH: ['/nowhere', world.path('bin')].join(delimiter) },
    });
    expect(textOf(world, 'home/.claude.json')).toContain(`"command": "${world.path('bin/repertoire')}"`);
    expect(textOf(world, 'home/.cursor/mcp.json')).toContain(`"command": "${world.path('bin/node')}"`);
  });

  it('warns of a program that lies where npx keeps downloads', async () => {
    const world = createWorld();
    const folder = world.folder('home/.npm/_npx/1a2b/node_modules/repertoire');
    cpSync(dirname(program), join(folder, 'dist/cli'), { recursive: true });
    cpSync(join(dirname(program), '../../package.json'), join(folder, 'package.json'));
    const copy = join(folder, 'dist/cli/bin.cjs');
    const options = { cwd: world.project, env: world.environment(), encoding: 'utf8' } as const;
    const output = execFileSync(process.execPath, [copy, 'setup', 'cursor'], options);
    expect(output).toContain('in the cache of npx');
    expect(textOf(world, 'home/.cursor/mcp.json')).toContain(copy);
  });

  it('calls the entry as told, and refuses what no agent could call it', async () => {
    const world = createWorld();
    expect((await world.run(['setup', 'cursor', '--name', 'skills'])).code).toBe(0);
    expect(textOf(world, 'home/.cursor/mcp.json')).toContain('"skills": {');
    expect((await world.run(['setup', 'cursor', '--name', 'a.b'])).code).toBe(2);
    expect((await world.run(['setup', 'cursor', '--global', '--project'])).code).toBe(2);
  });

  it('tells the same line for the programs that have one', async () => {
    const world = createWorld();
    const run = await world.run(['setup', 'claude-code', 'codex', 'gemini-cli', 'vscode', 'zed', '--json']);
    const lines = new Map(run.json<Report>().agents.map(({ id, command }) => [id, command]));
    expect(lines.get('claude-code')).toMatch(/^claude mcp add --scope user repertoire -- \/.* serve/);
    expect(lines.get('codex')).toMatch(/^codex mcp add repertoire -- \/.* serve/);
    expect(lines.get('gemini-cli')).toMatch(/^gemini mcp add --scope user repertoire \/.* serve/);
    expect(lines.get('vscode')).toMatch(/^code --add-mcp '\{"name":"repertoire"/);
    expect(lines.get('zed')).toBeNull();
  });
});
