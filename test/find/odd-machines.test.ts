import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

function installClaudePlugin(world: World, key: string, skill: string): void {
  const [name = ''] = key.split('@');
  const dir = `home/plugins/${key.replaceAll('/', '-')}`;
  world.skill(`${dir}/skills/${skill}`);
  const file = 'home/.claude/plugins/installed_plugins.json';
  const known = installed.get(world) ?? {};
  known[key] = [{ scope: 'user', installPath: world.path(dir) }];
  installed.set(world, known);
  world.writeJson(file, { version: 2, plugins: known });
  expect(name).not.toBe('');
}

/** Some users, as in containers, have none. */
function homeOnRecord(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '/nonexistent';
  }
}

const installed = new WeakMap<World, Record<string, unknown>>();

describe('on an odd machine', () => {
  it('a marketplace whose name could be a path does not stop a listing', async () => {
    const world = createWorld();
    installClaudePlugin(world, 'office@acme/tools', 'pdf');
    installClaudePlugin(world, 'office@other', 'pdf');
    const run = await world.run(['list']);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('ask for office@acme-tools:pdf');
    expect((await world.run(['show', 'office@acme-tools:pdf'])).code).toBe(0);
  });

  it('a plugin that is one skill is found though another agent links to it', async () => {
    const world = createWorld();
    world.writeJson('home/.claude/skills/plug/.claude-plugin/plugin.json', { name: 'plug' });
    world.skill('home/.claude/skills/plug', { name: 'whole' });
    world.link('home/.claude/skills/plug', 'home/.codex/skills/plug');
    expect((await world.list()).skills.map((skill) => skill.fullName)).toEqual(['plug:whole']);
  });

  it('doctor tells two roots at one path apart', async () => {
    const world = createWorld();
    world.skill('project/.claude/skills/one');
    const run = await world.run(['doctor', '--json', '--skill-dir', '.claude/skills']);
    const { roots } = run.json<{ roots: { path: string; provider: string; skills: number }[] }>();
    const here = roots.filter((root) => root.path === world.path('project/.claude/skills'));
    expect(here.map((root) => [root.provider, root.skills])).toEqual([
      ['file', 1],
      ['claude', 0],
    ]);
  });

  it('a plugin may be called like an agent', async () => {
    const world = createWorld();
    installClaudePlugin(world, 'codex@market', 'review');
    const { skills, diagnostics } = await world.list(['--include', 'codex:review']);
    expect(skills.map((skill) => skill.fullName)).toEqual(['codex:review']);
    expect(diagnostics).toEqual([]);
  });

  it('the reason under --on-duplicate first is the order of the roots', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('project/.codex/skills/pdf');
    const run = await world.run(['why', 'pdf', '--on-duplicate', 'first']);
    expect(run.stdout).toContain('its root comes first');
  });

  it('an agent is known by its other names, whatever the case', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    expect((await world.run(['show', 'Claude-Code:pdf'])).code).toBe(0);
    expect((await world.list(['--include', 'Claude'])).skills.length).toBe(1);
  });

  it('search gives whole paths from the root of the disk', async () => {
    const world = createWorld();
    world.skill('project/skills/needle');
    const run = await world.run(
      ['search', '--exact', 'needle', '--json', '--skill-dir', world.path('project/skills')],
      {
        cwd: '../..',
      },
    );
    const [hit] = run.json<{ results: { skillPath: string }[] }>().results;
    expect(world.path('project/skills/needle').endsWith(hit?.skillPath ?? '?')).toBe(true);
  });

  it('a cache folder that cannot be made anywhere holds nothing up', async () => {
    const world = createWorld();
    world.skill('project/skills/needle');
    // There, one system call of Node's for making folders never returns.
    const env = { XDG_CACHE_HOME: '/proc/nowhere' };
    expect((await world.run(['list', '--json'], { env })).code).toBe(0);
    const search = await world.run(['search', 'needle'], { env });
    expect([search.code, search.stderr]).toEqual([0, expect.stringMatching(/the search index cannot be saved/)]);
  });

  it('a home or a folder for settings that is a file holds nothing', async () => {
    const world = createWorld();
    world.skill('project/skills/needle');
    const file = world.write('file', '');
    const commands = [['list'], ['search', 'needle'], ['doctor'], ['grants'], ['audit'], ['stats'], ['config']];
    for (const env of [{ HOME: '/dev/null' }, { XDG_CONFIG_HOME: file }, { XDG_STATE_HOME: file }]) {
      for (const command of commands) {
        const { code, stderr } = await world.run(command, { env });
        expect([env, command, code, stderr]).toEqual([env, command, 0, '']);
      }
    }
    const server = await connectStdio(world, ['serve'], { env: { HOME: '/dev/null' } });
    expect(JSON.stringify(await server.call('skill-engine/list_skills', { skill_name: 'needle' }))).toContain('needle');
  });

  it('a home that is empty or relative is not looked for below the working folder', async () => {
    const world = createWorld();
    const homedir = homeOnRecord();
    for (const HOME of ['', 'rel', './home']) {
      const { files } = (await world.run(['config', '--json'], { env: { HOME } })).json<{
        files: { path: string }[];
      }>();
      expect(files.at(-1)?.path).toBe(`${homedir}/.config/repertoire/config.toml`);
    }
    expect(readdirSync(world.project)).toEqual(['.git']);
  });

  it('a blank path in a file is refused like one on the command line', async () => {
    const world = createWorld();
    world.write('project/repertoire.toml', 'skill_dirs = ["?scope=q"]\n');
    const run = await world.run(['list']);
    expect([run.code, run.stderr]).toEqual([
      2,
      expect.stringContaining('repertoire.toml:1: skill_dirs contains an empty path'),
    ]);
  });
});
