import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepertoire, type RepertoireOptions } from '../../src/index.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { find, install, installKit, pluginFolder } from './plugin-world.ts';

/** What the library lists, as the command line would print it. */
async function library(
  world: World,
  options: RepertoireOptions,
): Promise<{ skills: unknown[]; diagnostics: unknown[] }> {
  const env = { XDG_CACHE_HOME: world.path('cache') };
  const repertoire = createRepertoire({ cwd: world.project, home: world.home, env, autoRefresh: false, ...options });
  onTestFinished(() => repertoire.close());
  const { skills, diagnostics } = await repertoire.list();
  return JSON.parse(JSON.stringify({ skills, diagnostics })) as { skills: unknown[]; diagnostics: unknown[] };
}

/** The library's option and the command line's find the same, and not what they would without. */
async function expectSame(world: World, options: RepertoireOptions, args: readonly string[]): Promise<void> {
  const [listed, plain] = [await world.list(args), await world.list()];
  expect(await library(world, options)).toEqual(listed);
  expect(listed.skills).not.toEqual(plain.skills);
}

describe('--skill-dir', () => {
  it('makes a folder a root of the project, provider file [C1-ROOT-01 C1-ROOT-04]', async () => {
    const world = createWorld();
    const dir = world.skill('anywhere/pdf');
    const given = [world.path('anywhere'), '../anywhere', `--skill-dir=${world.path('anywhere')}`];
    for (const one of given) {
      const { skills } = await world.list(one.startsWith('--') ? [one] : ['--skill-dir', one]);
      const expected = { dir, provider: 'file', location: 'project', fullName: 'pdf', plugin: null };
      expect(skills, one).toEqual([expect.objectContaining(expected)]);
    }
  });

  it('takes ~ for home, and a folder that is a skill itself [C1-ROOT-01]', async () => {
    const world = createWorld();
    const dir = world.skill('home/notes/pdf');
    for (const path of ['~/notes', '~/notes/pdf']) {
      const { skills } = await world.list(['--skill-dir', path]);
      expect(skills.map((one) => [one.dir, one.provider, one.location])).toEqual([[dir, 'file', 'project']]);
    }
  });

  it('may be given several times, and the first outranks the next [C1-ROOT-02]', async () => {
    const world = createWorld();
    const dirs = ['one', 'two', 'three'].map((name) => world.skill(`${name}/same`));
    world.skill('two/other');
    const args = ['one', 'two', 'three'].flatMap((name) => ['--skill-dir', world.path(name)]);
    const { skills } = await world.list(args);
    expect(skills.map((one) => [one.dir, one.shadowed])).toEqual([
      [dirs[0], false],
      [world.path('two/other'), false],
      [dirs[1], true],
      [dirs[2], true],
    ]);
  });

  it('names its provider by ?scope= [C1-ROOT-03]', async () => {
    const world = createWorld();
    world.skill('one/pdf');
    world.skill('two/csv');
    const args = ['--skill-dir', `${world.path('one')}?scope=team`, '--skill-dir', '../two?scope=lab'];
    const { skills, diagnostics } = await world.list(args);
    expect(skills.map((one) => [one.name, one.provider, one.location])).toEqual([
      ['pdf', 'team', 'project'],
      ['csv', 'lab', 'project'],
    ]);
    expect(diagnostics).toEqual([]);
    expect((await world.run(['show', 'team:pdf', ...args])).code).toBe(0);
    expect((await world.run(['show', 'file:pdf', ...args])).code).toBe(1);
    const filtered = await world.list([...args, '--include', 'lab']);
    expect(filtered.skills.map((one) => one.name)).toEqual(['csv']);
  });

  it('finds skills at any depth [C1-ROOT-05]', async () => {
    const world = createWorld();
    world.skill('anywhere/1/2/3/4/5/6/7/8/9/10/deep');
    expect((await find(world, {}, ['--skill-dir', world.path('anywhere')])).names).toEqual(['deep']);
  });
});

describe('--root', () => {
  it('is searched in place of ./skills, and of nothing else [C1-ROOT-24 S2-DATA-01]', async () => {
    const world = createWorld();
    world.skill('project/skills/usual');
    world.skill('project/.agents/skills/shared');
    const dir = world.skill('other/a/b/c/d/e/f/g/deep');
    expect((await find(world)).names).toEqual(['shared', 'usual']);
    const { skills } = await world.list(['--root', world.path('other')]);
    expect(skills.map((one) => [one.dir, one.provider, one.location])).toEqual([
      [world.path('project/.agents/skills/shared'), 'agents', 'project'],
      [dir, 'agents', 'project'],
    ]);
  });

  it('is a folder of the project, from whichever folder of it we start [C1-ROOT-33 S2-DATA-01]', async () => {
    const world = createWorld();
    const dir = world.skill('project/team/skills/pdf');
    world.folder('project/src/deep');
    for (const cwd of ['project', 'project/src', 'project/src/deep']) {
      for (const root of ['team/skills', './team/skills/', world.path('project/team/skills')]) {
        const { skills, diagnostics } = await world.list(['--root', root], { cwd });
        expect([skills.map((one) => one.dir), diagnostics], `${root} in ${cwd}`).toEqual([[dir], []]);
      }
    }
    const nearer = world.skill('project/src/team/skills/pdf');
    const { skills } = await world.list(['--root', 'team/skills'], { cwd: 'project/src/deep' });
    expect(skills.map((one) => [one.dir, one.shadowed])).toEqual([
      [nearer, false],
      [dir, true],
    ]);
    const server = await connectStdio(world, ['mcp-server', '--root', './team/skills'], { cwd: 'project/src/deep' });
    const { result } = await server.ask('tools/call', { name: 'skills.list', arguments: {} });
    expect(result).toMatchObject({ structuredContent: { skills: [{ installName: 'pdf' }] } });
    await server.end();
  });
});

it('`root` in the file of the user is a folder of each project, as `--root` is', async () => {
  const world = createWorld();
  world.skill('project/lib/pdf');
  world.folder('project/deep');
  world.write('home/.config/repertoire/config.toml', 'root = "lib"\n');
  for (const cwd of ['project', 'project/deep']) {
    const run = await world.run(['list', '--json'], { cwd });
    expect([run.stderr, run.json<{ skills: { name: string }[] }>().skills.map(({ name }) => name)]).toEqual([
      '',
      ['pdf'],
    ]);
  }
});

describe('a folder that the user named and that does not exist', () => {
  const named: readonly (readonly [string, string])[] = [
    ['--skill-dir', '../nowhere'],
    ['--root', 'nowhere'],
    ['--plugins-root', 'nowhere'],
    ['--plugins-file', 'nowhere.json'],
  ];

  it('is one warning on the command line, and changes nothing else [C1-ROOT-34]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    for (const [option, path] of named) {
      const run = await world.run(['list', '--json', option, path]);
      const { skills, diagnostics } = run.json<{ skills: unknown[]; diagnostics: { code: string; file: string }[] }>();
      expect([run.code, skills.length], option).toEqual([0, 1]);
      expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
        ['root-missing', world.path(`project/${path}`)],
      ]);
      expect(run.stderr).toMatch(new RegExp(`^warning: ${option} ${path}: there is no such (folder|file) \\(.*\\n$`));
      expect((await world.run(['show', 'pdf', option, path])).stderr.match(/no such/g)).toHaveLength(1);
      expect((await world.run(['doctor', option, path])).stdout).toContain('there is no such');
    }
  });

  it('is one warning of the server, and one where the settings name it [C1-ROOT-34]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.write('project/repertoire.toml', 'skill_dirs = ["not-here"]\nroot = "nor-here"\n');
    const server = await connectStdio(world, ['mcp']);
    await server.load('pdf');
    await server.end();
    const lines = server.stderr.split('\n').filter((line) => line.includes('no such'));
    expect(lines).toEqual([
      expect.stringContaining(`--skill-dir ${world.path('project/not-here')}: there is no such folder`),
      expect.stringContaining(`--root ${world.path('project/nor-here')}: there is no such folder`),
    ]);
    expect((await world.run(['list'])).stderr.match(/no such/g)).toHaveLength(2);
  });

  it('is not one of those that we look at by ourselves [S3-ERR-07]', async () => {
    const run = await createWorld().run(['list']);
    expect([run.code, run.stderr]).toEqual([0, '']);
  });
});

/** A world with one plugin of every kind that is installed apart from skills, and plain skills beside them. */
function worldOfPlugins(): World {
  const world = createWorld();
  installKit(world, ['from-claude']);
  world.skill('home/.claude/plugins/synced/cloud/skills/from-account');
  world.skill('home/.codex/plugins/cache/shop/kit/1.0.0/skills/from-codex');
  world.skill('home/.gemini/extensions/ext/skills/from-gemini');
  world.skill('home/.copilot/installed-plugins/shop/kit/skills/from-copilot');
  const $schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';
  world.writeJson('project/.agents/plugins/std/plugin.json', { $schema, name: 'std' });
  world.skill('project/.agents/plugins/std/skills/from-agents');
  world.skill('project/.claude/skills/in-project');
  world.skill('home/.agents/skills/at-home');
  return world;
}

describe('--no-plugins', () => {
  it('leaves project and global skills, and none of a plugin [C1-OPT-01 S0-CONFIG-04]', async () => {
    const world = worldOfPlugins();
    expect((await find(world)).names).toHaveLength(8);
    const { skills, diagnostics } = await world.list(['--no-plugins']);
    expect(skills.map((one) => [one.fullName, one.location])).toEqual([
      ['at-home', 'global'],
      ['in-project', 'project'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('leaves out the plugins in a skills folder too [C1-OPT-01 S0-CONFIG-04]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/plain');
    world.writeJson('home/.claude/skills/tools/.claude-plugin/plugin.json', { name: 'tools' });
    world.skill('home/.claude/skills/tools/skills/csv');
    expect((await find(world)).names).toEqual(['plain', 'tools:csv']);
    expect((await find(world, {}, ['--no-plugins'])).names).toEqual(['plain']);
  });

  it('reports nothing about plugin files it does not read [C1-OPT-01]', async () => {
    const world = createWorld();
    world.write('home/.claude/plugins/installed_plugins.json', '{');
    expect((await find(world)).diagnostics).toHaveLength(1);
    expect((await find(world, {}, ['--no-plugins'])).diagnostics).toEqual([]);
  });

  it('is skipPlugins in the library [C1-OPT-02]', async () => {
    const world = worldOfPlugins();
    await expectSame(world, { skipPlugins: true }, ['--no-plugins']);
  });
});

/** The usual place has one plugin; a file elsewhere has another. */
function worldOfFiles(): World {
  const world = createWorld();
  installKit(world, ['usual']);
  const installPath = pluginFolder(world, 'other', ['unusual']);
  world.writeJson('lists/mine.json', { version: 2, plugins: { 'other@shop': [{ scope: 'user', installPath }] } });
  world.skill('home/.agents/skills/plain');
  return world;
}

describe('--plugins-file', () => {
  it('is read in place of the usual file [C1-OPT-03]', async () => {
    const world = worldOfFiles();
    expect((await find(world)).names).toEqual(['kit:usual', 'plain']);
    for (const path of [world.path('lists/mine.json'), '../lists/mine.json']) {
      expect((await find(world, {}, ['--plugins-file', path])).names).toEqual(['other:unusual', 'plain']);
    }
  });

  it('is the file that a complaint names [C1-OPT-03 C1-PLUGIN-09]', async () => {
    const world = worldOfFiles();
    const file = world.write('lists/broken.json', '{');
    const { names, noted } = await find(world, {}, ['--plugins-file', file]);
    expect(names).toEqual(['plain']);
    expect(noted).toEqual([['plugin-file-invalid', file]]);
  });

  it('is pluginsFile in the library [C1-OPT-04]', async () => {
    const world = worldOfFiles();
    await expectSame(world, { pluginsFile: world.path('lists/mine.json') }, ['--plugins-file', '../lists/mine.json']);
  });
});

/** A plugins folder apart from the usual one: installed, sold in a marketplace, and synced. */
function worldOfRoots(): World {
  const world = createWorld();
  installKit(world, ['usual']);
  world.skill('home/.claude/plugins/synced/cloud/skills/usual-too');
  pluginFolder(world, 'plugins/cache/shop/tools/1.0.0', ['moved']);
  world.skill('plugins/cache/shop/tools/1.0.0/sold/listed');
  world.writeJson('plugins/marketplaces/shop/.claude-plugin/marketplace.json', {
    plugins: [{ name: 'tools', source: './tools', skills: './sold' }],
  });
  world.writeJson('plugins/installed_plugins.json', { 'tools@shop': { installPath: 'cache/shop/tools/1.0.0' } });
  world.skill('plugins/synced/cloud/skills/synced');
  return world;
}

describe('--plugins-root', () => {
  it('is the folder in which plugins live [C1-OPT-05]', async () => {
    const world = worldOfRoots();
    expect((await find(world)).names).toEqual(['cloud:usual-too', 'kit:usual']);
    const moved = ['cloud:synced', 'tools:listed', 'tools:moved'];
    for (const path of [world.path('plugins'), '../plugins']) {
      expect((await find(world, {}, ['--plugins-root', path])).names).toEqual(moved);
    }
  });

  it('may be given together with --plugins-file [C1-OPT-03 C1-OPT-05]', async () => {
    const world = worldOfRoots();
    world.writeJson('lists/mine.json', { 'mine@shop': { installPath: 'cache/shop/tools/1.0.0' } });
    const args = ['--plugins-root', '../plugins', '--plugins-file', '../lists/mine.json'];
    expect((await find(world, {}, args)).names).toEqual(['cloud:synced', 'mine:moved']);
  });

  it('is pluginsRoot in the library [C1-OPT-06]', async () => {
    const world = worldOfRoots();
    await expectSame(world, { pluginsRoot: world.path('plugins') }, ['--plugins-root', '../plugins']);
  });
});

const defaults = [
  'project/.agent/skills',
  'project/.agents/skills',
  'home/.agents/skills',
  'home/.config/agents/skills',
  'project/.claude/skills',
  'home/.claude/skills',
  'home/.codex/skills',
  'project/.cursor/skills',
  'home/.codeium/windsurf/skills',
  'project/skills',
];

function worldOfDefaults(): World {
  const world = createWorld();
  for (const [index, folder] of defaults.entries()) world.skill(`${folder}/built-in-${index}`);
  world.skill('named/mine');
  world.skill('rooted/deep/er/own');
  return world;
}

describe('--no-scan-default-dirs', () => {
  it('leaves only what was named [C1-OPT-07]', async () => {
    const world = worldOfDefaults();
    expect((await find(world)).names).toHaveLength(defaults.length);
    expect(await world.list(['--no-scan-default-dirs'])).toEqual({ skills: [], diagnostics: [] });
    const named = ['--no-scan-default-dirs', '--skill-dir', '../named'];
    expect((await find(world, {}, named)).names).toEqual(['mine']);
    expect((await find(world, {}, [...named, '--root', '../rooted'])).names).toEqual(['mine', 'own']);
  });

  it('is scanDefaultDirs: false in the library [C1-OPT-08]', async () => {
    const world = worldOfDefaults();
    const args = ['--no-scan-default-dirs', '--skill-dir', '../named'];
    await expectSame(world, { scanDefaultDirs: false, skillDirs: [world.path('named')] }, args);
    expect((await library(world, { scanDefaultDirs: true })).skills).toHaveLength(defaults.length);
  });
});

describe('all of them together', () => {
  /** Of everything there is, only the named folder and the plugin of the named file are left. */
  function worldOfAll(): World {
    const world = worldOfDefaults();
    install(world, { 'kit@shop': [{ scope: 'user', installPath: pluginFolder(world, 'kit') }] });
    pluginFolder(world, 'plugins/tools', ['csv']);
    world.writeJson('lists/mine.json', { 'tools@shop': { installPath: 'tools' } });
    return world;
  }
  const args = [
    ...['--skill-dir', '../named?scope=team', '--no-scan-default-dirs'],
    ...['--plugins-file', '../lists/mine.json', '--plugins-root', '../plugins'],
  ];
  const optionsFor = (world: World): RepertoireOptions => ({
    skillDirs: [`${world.path('named')}?scope=team`],
    scanDefaultDirs: false,
    pluginsFile: world.path('lists/mine.json'),
    pluginsRoot: world.path('plugins'),
  });

  it('the command line passes them on [S0-CONFIG-02]', async () => {
    const world = worldOfAll();
    const { skills } = await world.list(args);
    expect(skills.map((one) => `${one.provider} ${one.fullName}`)).toEqual(['team mine', 'claude tools:csv']);
    const without = await world.list([...args, '--no-plugins']);
    expect(without.skills.map((one) => one.fullName)).toEqual(['mine']);
  });

  it('the library takes them as options [S0-CONFIG-01]', async () => {
    const world = worldOfAll();
    const all = await library(world, optionsFor(world));
    expect(all).toEqual(await world.list(args));
    expect(all.skills).toHaveLength(2);
    const without = await library(world, { ...optionsFor(world), skipPlugins: true });
    expect(without.skills).toEqual([expect.objectContaining({ fullName: 'mine', provider: 'team' })]);
    const plain = await library(world, {});
    expect(plain.skills).toHaveLength(defaults.length + 1);
  });
});
