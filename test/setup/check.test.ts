import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startHttp } from '../support/mcp.ts';
import { createWorld, program, type World } from '../support/world.ts';
import { agentFiles, type Report } from './agents.ts';

async function checked(world: World, args: string[] = [], env: Record<string, string> = {}) {
  const run = await world.run(['setup', '--check', '--json', ...args], { env });
  return { code: run.code, checks: run.json<Report>().checks ?? [] };
}

/** A server of our own making, in the file of Codex. */
function codexServer(world: World, command: string, args: string[], more = ''): void {
  world.write(
    'home/.codex/config.toml',
    `[mcp_servers.repertoire]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n${more}`,
  );
}

/** Names its skill only where nothing is in its cache, and keeps something there. */
const coldServer = `
const { mkdirSync, readdirSync, writeFileSync } = require('node:fs');
const folder = process.env.XDG_CACHE_HOME ?? process.env.HOME + '/.cache';
mkdirSync(folder, { recursive: true });
const isCold = readdirSync(folder).length === 0 && process.argv[2] !== 'silent';
writeFileSync(folder + '/remembered', 'yes');
const skills = ['pdf', 'csv'].map((name) => ({ name, uri: 'skill://x/' + name + '/SKILL.md' }));
const answers = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'cold', version: '1.0.0' },
    instructions: isCold ? 'Skills: pdf.' : 'No skills.',
  },
  'tools/list': { tools: [{ name: 'skill', inputSchema: { type: 'object' } }] },
  'resources/list': { resources: skills },
  'tools/call': { content: [{ type: 'text', text: 'Loading: pdf' }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }));
});
`;

describe('setup --check', () => {
  it('connects as every agent would, by what its file says', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    await world.run(['setup', ...agentFiles.map(({ id }) => id)]);
    const { code, checks } = await checked(world);
    expect(checks.map(({ agent }) => agent)).toEqual(agentFiles.map(({ id }) => id));
    for (const check of checks) {
      expect(check, check.agent).toMatchObject({ works: true, reason: null, skills: 1, loaded: 'pdf' });
      expect(check.tools, check.agent).toBeGreaterThan(1);
      expect(check.startMs, check.agent).toBeGreaterThan(0);
    }
    expect(code).toBe(0);
  });

  it('prints a table', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    await world.run(['setup', 'codex', 'cursor']);
    await world.run(['setup', 'cursor', '--project']);
    const run = await world.run(['setup', '--check']);
    expect(run.stdout).toMatch(/^agent +start +tools +skills +told +loaded +verdict$/m);
    expect(run.stdout).toMatch(/^codex +\d+ ms +6 +1 +\d +pdf +works$/m);
    expect(run.stdout).toMatch(/^cursor \(project\) +\d+ ms +6 +1 +\d +pdf +works$/m);
  });

  it('starts cold, whatever was remembered, and leaves nothing behind', async () => {
    const world = createWorld();
    const script = world.write('server.cjs', coldServer);
    const temporary = world.folder('tmp');
    world.write('cache/repertoire/remembered', 'yes');
    codexServer(world, process.execPath, [script]);
    const env = { TMPDIR: temporary };
    for (let time = 0; time < 2; time++) {
      const { checks } = await checked(world, ['codex'], env);
      expect(checks[0]).toMatchObject({ works: true, skills: 2, told: 1, loaded: 'pdf', notes: [] });
    }
    expect(readdirSync(temporary)).toEqual([]);
    codexServer(world, process.execPath, [script, 'silent']);
    const { checks } = await checked(world, ['codex'], env);
    expect(checks[0]).toMatchObject({ works: true, told: 0 });
    expect(checks[0]?.notes.join()).toContain('on a first start the instructions name none of the skills');
  });

  it('judges a server over HTTP as the agents do, and does not advise against it', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    const { url } = await startHttp(world, ['serve', '--http']);
    const ids = ['claude-code', 'codex', 'cursor', 'copilot-cli', 'opencode', 'qwen-code', 'cline'];
    await world.run(['setup', ...ids, '--http', url.toString()]);
    const { code, checks } = await checked(world, ids);
    for (const check of checks) expect(check, check.agent).toMatchObject({ works: true, loaded: 'pdf', remedy: null });
    expect(code).toBe(0);
    const notes = Object.fromEntries(checks.map(({ agent, notes: said }) => [agent, said.join()]));
    expect(notes['cursor']).toContain('start the server with --tool-names portable');
    for (const id of ids.filter((one) => one !== 'cursor')) expect(notes[id], id).not.toContain('tool-names');
  });

  it('says what a person must still confirm', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    const ids = ['claude-code', 'codex', 'gemini-cli', 'qwen-code'];
    const pending = async () => {
      const { checks } = await checked(world, [...ids, '--project']);
      return Object.fromEntries(checks.map((check) => [check.agent, check.pending]));
    };
    await world.run(['setup', ...ids, '--project']);
    const before = await pending();
    for (const id of ids) expect(before[id], id).toMatch(/^Start \w+ in this folder/);
    const table = await world.run(['setup', '--check', 'codex', '--project']);
    expect(table.stdout).toMatch(/^codex \(project\) .* pending approval$/m);
    expect(table.code).toBe(0);

    await world.run(['setup', 'claude-code', '--project', '--approve', 'read']);
    expect((await pending())['claude-code']).toContain('only claude -p');

    const folder = world.project;
    world.writeJson('home/.claude.json', { projects: { [folder]: { hasTrustDialogAccepted: true } } });
    world.write('home/.codex/config.toml', `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`);
    world.writeJson('home/.gemini/trustedFolders.json', { [world.root]: 'TRUST_FOLDER' });
    const approval = { repertoire: { status: 'approved', hash: 'x' } };
    world.writeJson('home/.qwen/mcpApprovals.json', { [folder]: approval });
    expect(await pending()).toEqual(Object.fromEntries(ids.map((id) => [id, null])));
  });

  it('says when nothing is left for the server to load', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    await world.run(['setup', 'claude-code']);
    const { code, checks } = await checked(world, ['claude-code']);
    expect(code).toBe(0);
    expect(checks[0]).toMatchObject({ works: true, skills: 0, loaded: null });
    expect(checks[0]?.reason).toContain('Claude Code does not load itself');
  });

  it('counts what the model is told of, with what no resource can carry', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    world.write('project/skills/mended/SKILL.md', '---\nname: mended\ndescription: Use when: it is mended\n---\n');
    world.write('project/skills/odd/SKILL.md', '---\nname: R & D\ndescription: Its name is in no address.\n---\n');
    await world.run(['setup', 'codex']);
    const { checks } = await checked(world);
    expect(checks[0]).toMatchObject({ works: true, skills: 3 });
    for (let index = 0; index < 997; index++) world.skill(`project/skills/more-${index}`);
    expect((await checked(world)).checks[0]).toMatchObject({ works: true, skills: 1000 });
  });

  it('loads by the full name where several skills have the same', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.roo/skills/pdf');
    await world.run(['setup', 'claude-desktop']);
    const { checks } = await checked(world);
    expect(checks).toMatchObject([{ agent: 'claude-desktop', works: true, skills: 2, reason: null }]);
    expect(checks[0]?.loaded).toMatch(/^(claude|roo):pdf$/);
  });

  it('checks a file once that counts for all projects and for this one', async () => {
    const world = createWorld();
    await world.run(['setup', 'cursor']);
    const run = await world.run(['setup', '--check', '--json'], { cwd: 'home' });
    expect(run.json<Report>().checks).toMatchObject([{ agent: 'cursor', scope: 'global', works: true }]);
  });

  it('says what is wrong with a command that is not there', async () => {
    const world = createWorld();
    codexServer(world, '/nowhere/repertoire', ['serve']);
    const { code, checks } = await checked(world);
    expect(code).toBe(1);
    expect(checks[0]).toMatchObject({ agent: 'codex', works: false, tools: null });
    expect(checks[0]?.reason).toContain('/nowhere/repertoire cannot be started (ENOENT)');
    expect(checks[0]?.remedy).not.toBeNull();
  });

  it('waits no longer than the agent for a server that never answers, and ends what that has started', async () => {
    const world = createWorld();
    const pids = world.path('pids');
    const script = 'sleep 600 & echo $$ $! > "$0"; wait';
    codexServer(world, '/bin/sh', ['-c', script, pids], 'startup_timeout_sec = 1\n');
    const { code, checks } = await checked(world, ['codex']);
    expect(code).toBe(1);
    expect(checks[0]?.reason).toContain('waits 1 s');
    const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
    expect(started).toHaveLength(2);
    await expect.poll(() => started.some(isRunning)).toBe(false);
  });

  it('tells what a server says that ends at once', async () => {
    const world = createWorld();
    codexServer(world, '/bin/sh', ['-c', 'echo no such luck >&2; exit 3']);
    const { checks } = await checked(world);
    expect(checks[0]?.reason).toContain('ended with code 3, saying: no such luck');
  });

  it('tells a program that is no server', async () => {
    const world = createWorld();
    codexServer(world, '/bin/sh', ['-c', 'echo hello; sleep 600']);
    const { checks } = await checked(world);
    expect(checks[0]?.reason).toContain('other than the protocol to stdout: hello');
  });

  it('goes by the file as somebody has edited it', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    await world.run(['setup', 'cursor']);
    const text = readFileSync(world.path('home/.cursor/mcp.json'), 'utf8');
    world.write('home/.cursor/mcp.json', text.replace('"portable"', '"documented"'));
    const { code, checks } = await checked(world);
    expect(code).toBe(1);
    expect(checks[0]?.reason).toMatch(/Cursor does not accept tools called skills\.list/);
    expect(checks[0]?.remedy).toContain('repertoire setup cursor');

    world.write('home/.cursor/mcp.json', text.replace('"serve"', '"serv"'));
    expect((await checked(world)).checks[0]?.reason).toContain('ended with code 2');
  });

  it('sees that an entry is switched off', async () => {
    const world = createWorld();
    await world.run(['setup', 'opencode']);
    const file = 'home/.config/opencode/opencode.json';
    world.write(file, readFileSync(world.path(file), 'utf8').replace('"enabled": true', '"enabled": false'));
    expect((await checked(world)).checks[0]).toMatchObject({ works: false, reason: 'it is disabled in the file' });
  });

  it('says who is not set up at all', async () => {
    const world = createWorld();
    const none = await world.run(['setup', '--check']);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('no agent is set up');
    const one = await world.run(['setup', '--check', 'codex']);
    expect(one.stderr).toContain('not set up: codex');
    expect((await world.run(['setup', '--check', '--remove'])).code).toBe(2);
  });

  it('connects over HTTP with the token that the entry names', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    const env = { REPERTOIRE_TOKEN: 'a-very-secret-token' };
    const { url } = await startHttp(world, ['serve', '--http', '--tool-names', 'portable'], { env });
    const ids = ['claude-code', 'codex', 'cursor', 'gemini-cli', 'opencode', 'goose', 'vscode'];
    await world.run(['setup', ...ids, '--http', url.toString()], { env });
    const { code, checks } = await checked(world, [], env);
    for (const check of checks) expect(check, check.agent).toMatchObject({ works: true, skills: 1, loaded: 'pdf' });
    expect(checks).toHaveLength(ids.length);
    expect(code).toBe(0);

    const without = await checked(world, ['cursor']);
    expect(without.checks[0]?.reason).toContain('REPERTOIRE_TOKEN');
    const wrong = await checked(world, ['cursor'], { REPERTOIRE_TOKEN: 'another-token' });
    expect(wrong.checks[0]?.reason).toContain('requires a different token');
  });

  it('does not run what a project has brought along, until it is told to', async () => {
    const world = createWorld();
    const started = world.path('started');
    const entry = { command: '/bin/sh', args: ['-c', `touch ${started}`] };
    world.writeJson('project/.mcp.json', { mcpServers: { repertoire: entry } });
    const { code, checks } = await checked(world);
    expect(code).toBe(1);
    expect(checks.every(({ scope, reason }) => scope === 'project' && reason?.includes('was not started'))).toBe(true);
    expect(existsSync(started)).toBe(false);
    await checked(world, ['--project']);
    expect(existsSync(started)).toBe(true);
  });

  it.each([
    [{ command: process.execPath, args: [program, 'serve'], env: { NODE_OPTIONS: '--require ./evil.cjs' } }],
    [{ url: 'https://skills.example.com/mcp', headers: { Authorization: `Bearer \${env:REPERTOIRE_TOKEN}` } }],
  ])('is not led astray by %j in a project', async (entry) => {
    const world = createWorld();
    world.writeJson('project/.cursor/mcp.json', { mcpServers: { repertoire: entry } });
    const { checks } = await checked(world, [], { REPERTOIRE_TOKEN: 'a-very-secret-token' });
    expect(checks[0]?.reason).toContain('was not started');
  });

  it('ends what it has started when it is broken off', async () => {
    const world = createWorld();
    const pids = world.path('pids');
    codexServer(world, '/bin/sh', ['-c', 'sleep 600 & echo $$ $! > "$0"; wait', pids], 'startup_timeout_sec = 500\n');
    const child = spawn(process.execPath, [program, 'setup', '--check'], {
      cwd: world.project,
      env: world.environment(),
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await expect.poll(() => existsSync(pids) && readFileSync(pids, 'utf8') !== '').toBe(true);
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
    await expect.poll(() => started.some(isRunning)).toBe(false);
  });

  it('says that nothing answers at an address', async () => {
    const world = createWorld();
    await world.run(['setup', 'cursor', '--http', 'http://127.0.0.1:9/mcp']);
    const { code, checks } = await checked(world);
    expect(code).toBe(1);
    expect(checks[0]?.reason).toContain('nothing answers at http://127.0.0.1:9/mcp');
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
