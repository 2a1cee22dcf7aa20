import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CliError } from '../names/machine.ts';
import { installPlugins } from '../names/machine.ts';
import { createWorld, type World } from '../support/world.ts';

function machine(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf', { description: 'Reads PDF files.' });
  return world;
}

/** Command lines of other programs, and those that mean the same here. */
const same: readonly (readonly [theirs: readonly string[], ours: readonly string[]])[] = [
  [['ls'], ['list']],
  [
    ['list', '-f', 'json'],
    ['list', '--json'],
  ],
  [
    ['list', '--format=json'],
    ['list', '--json'],
  ],
  [['ls', '-f', 'table'], ['list']],
  [
    ['info', 'pdf', '--full'],
    ['show', 'pdf'],
  ],
  [
    ['info', 'pdf', '--json'],
    ['show', 'pdf', '--json'],
  ],
  [
    ['where', 'pdf'],
    ['show', 'pdf', '--path'],
  ],
  [
    ['search', 'pdf', '--content', '-f', 'json'],
    ['search', 'pdf', '--json'],
  ],
  [
    ['find', 'pdf', '-n', '3', '--format', 'compact'],
    ['search', 'pdf', '--limit', '3'],
  ],
  [
    ['list', '--claude-plugins-file', '/none', '--scan-default-dirs'],
    ['list', '--plugins-file', '/none'],
  ],
  [
    ['list', '--claude-plugins-root=/none', '--json'],
    ['list', '--plugins-root=/none', '--json'],
  ],
  [
    ['list', '--scan-default-dirs=false'],
    ['list', '--no-scan-default-dirs'],
  ],
  [
    ['completions', '--shell', 'bash'],
    ['completion', 'bash'],
  ],
  [
    ['config', 'get', 'default_root'],
    ['config', 'get', 'root'],
  ],
  [
    ['history', '--json'],
    ['audit', '--json'],
  ],
  [
    ['upgrade', '--all', '--dry-run'],
    ['update', '--dry-run'],
  ],
  [
    ['add', '../home/.claude/skills', '--scope', 'user', '--dry-run'],
    ['add', '../home/.claude/skills', '--global', '--dry-run'],
  ],
  [
    ['add', '../home/.claude/skills', '--user', '--json', '--branch', 'v1'],
    ['add', '../home/.claude/skills', '--global', '--json', '--ref', 'v1'],
  ],
  [
    ['remove', 'pdf', '--force'],
    ['remove', 'pdf'],
  ],
  [
    ['claude', 'setup', '--dry-run'],
    ['setup', 'claude-code', '--dry-run'],
  ],
];

/** Command lines that mean nothing here, and a part of what one is told to type. */
const told: readonly (readonly [theirs: readonly string[], words: string])[] = [
  [['auth', 'login', 'github'], 'repertoire grant SKILL'],
  [['enhance', '--all'], 'repertoire search'],
  [['init'], 'repertoire new skill NAME'],
  [['template', 'create', 'a', 'b'], 'repertoire new skill NAME'],
  [['claude', 'generate'], 'repertoire setup claude-code'],
  [['precommit'], 'repertoire validate'],
  [['upgrade', '--check'], 'repertoire outdated'],
  [['install', '-A', 'codex'], 'repertoire setup AGENT'],
  [['add', './x', '--override'], 'never overwritten'],
  [['run', 'pdf', '-c', 'a=b'], '--instance NAME'],
  [['list', '-m', 'x.toml'], '.skill-engine.toml'],
  [['search', 'x', '--disabled'], 'repertoire list --disabled'],
];

describe('spellings of other programs', () => {
  it.each(same)('%j means %j', async (theirs, ours) => {
    const world = machine();
    await world.run(['search', 'pdf']); // the first one makes the index
    const [other, own] = [await world.run(theirs), await world.run(ours)];
    expect(other).toMatchObject({ code: own.code, stdout: own.stdout, stderr: own.stderr });
    expect(own.stdout).not.toBe('');
  });

  it.each(told)('%j is told what to type', async (theirs, words) => {
    const { error } = (await machine().run([...theirs, '--json'])).json<{ error: CliError }>();
    expect([error.code, error.hint]).toEqual(['usage', expect.stringContaining(words)]);
  });

  it('stand for options, not for their values, and never for what follows --', async () => {
    const world = machine();
    expect((await world.run(['search', '--limit', '-f', 'pdf'])).stderr).toContain('--limit needs a value');
    expect((await world.run(['search', '--', '--content'])).code).toBe(1);
  });

  it('say whose home is looked at', async () => {
    const world = machine();
    world.skill('other/.codex/skills/csv');
    const { skills } = await world.list(['--user-dir', world.path('other')]);
    expect(skills.map(({ fullName }) => fullName)).toEqual(['csv']);
    expect((await world.run(['list', '--user-dir'])).stderr).toContain('--user-dir needs a value');
  });

  it('ask for colours where there is no terminal', async () => {
    const world = machine();
    expect((await world.run(['list'])).stdout).not.toContain('\u001b[');
    expect((await world.run(['list', '--color'], { env: { NO_COLOR: '1' } })).stdout).toContain('\u001b[36mpdf');
    expect((await world.run(['list', '--no-color'], { env: { FORCE_COLOR: '1' } })).stdout).not.toContain('\u001b[');
  });

  it('mark the plugin in a name', async () => {
    const world = createWorld();
    installPlugins(world, { 'office@market': ['pdf'], 'other@market': ['pdf'] });
    for (const name of ['claude:@office:pdf', 'claude@office:pdf', '@office:pdf', 'office:pdf']) {
      expect((await world.run(['show', name])).stdout, name).toMatch(/^Loading: office:pdf\n/);
    }
  });
});

describe('config set', () => {
  it('writes a setting to the file of the user, and leaves the rest of it as it is', async () => {
    const world = machine();
    const file = world.write('home/.config/repertoire/config.toml', '# mine\nport = 3100 # as usual\n');
    expect((await world.run(['config', 'set', 'exclude', '@plugins', 'x'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('# mine\nport = 3100 # as usual\nexclude = ["@plugins", "x"]\n');
    expect((await world.run(['config', 'get', 'exclude', 'port'])).stdout).toBe('["@plugins","x"]\n3100\n');
    expect((await world.run(['config', 'set', 'port', '3200'])).code).toBe(0);
    expect((await world.run(['config', 'set', 'exclude'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('# mine\nport = 3200 # as usual\n');
  });

  it('writes to the project what a project may set, with paths as its file needs them', async () => {
    const world = machine();
    world.folder('project/sub');
    world.write('project/repertoire.toml', '');
    expect(
      (await world.run(['config', 'set', 'default_root', './mine', '--project'], { cwd: 'project/sub' })).code,
    ).toBe(0);
    expect(readFileSync(world.path('project/repertoire.toml'), 'utf8')).toBe('root = "sub/mine"\n');
    const refused = await world.run(['config', 'set', 'host', '0.0.0.0', '--project']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('a project may not set "host"')]);
  });

  it('refuses what is no setting, or not its value', async () => {
    const world = machine();
    for (const [args, words] of [
      [['colour', 'red'], 'unknown key "colour"'],
      [['port', 'many'], 'must be a whole number'],
      [['port', '1', '2'], 'has one value'],
    ] as const) {
      const { code, stderr } = await world.run(['config', 'set', ...args]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });
});

describe('run', () => {
  it('takes the folder of a skill in the place of its name', async () => {
    const world = createWorld();
    world.skill('elsewhere/folder', { name: 'counter' });
    for (const name of ['say', 'sing']) {
      world.write(`elsewhere/folder/scripts/${name}.sh`, `#!/bin/sh\necho ${name} "$@"\n`);
    }
    for (const args of [
      ['../elsewhere/folder', 'say'],
      ['../elsewhere/folder:say'],
      [world.path('elsewhere/folder:say')],
    ]) {
      const { stdout } = await world.run(['run', ...args, '--dry-run', '--', 'a b']);
      expect(stdout).toMatch(/^counter:say\n[\s\S]*"a b"\n/);
    }
    const { code, stderr } = await world.run(['run', './nothing', '--dry-run']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: there is no skill in \.\/nothing\nName the/)]);
    expect((await world.run(['show', '../elsewhere/folder'])).stderr).toContain('could name a path');
  });
});
