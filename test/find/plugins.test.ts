import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configurationOf } from '../../src/core/config/values.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import { scan } from '../../src/discovery/scan.ts';
import { createWorld } from '../support/world.ts';
import { find, install, installKit, pluginFolder, pluginsFile } from './plugin-world.ts';

describe('the shapes of installed_plugins.json', () => {
  const shapes: Record<string, (installPath: string) => unknown> = {
    'one object for each plugin, in a wrapper': (installPath) => ({
      version: 1,
      plugins: { 'kit@shop': { installPath } },
    }),
    'one object for each plugin, bare': (installPath) => ({ 'kit@shop': { installPath } }),
    'a list for each plugin, in a wrapper': (installPath) => ({
      version: 2,
      plugins: { 'kit@shop': [{ scope: 'user', installPath }] },
    }),
    'a list for each plugin, bare': (installPath) => ({ version: 2, 'kit@shop': [{ scope: 'user', installPath }] }),
    'a flat list': (installPath) => [{ name: 'kit', marketplace: 'shop', scope: 'user', installPath }],
    'a flat list, in a wrapper': (installPath) => ({
      version: 3,
      plugins: [{ name: 'kit', marketplace: 'shop', installPath }],
    }),
  };
  for (const [shape, make] of Object.entries(shapes)) {
    it(`${shape}, is understood [C1-PLUGIN-01 C1-PLUGIN-02 C1-PLUGIN-03 C1-ROOT-25 C1-PLUGIN-11]`, async () => {
      const world = createWorld();
      const dir = pluginFolder(world, 'kit');
      world.writeJson(pluginsFile, make(dir));
      const { skills, diagnostics } = await find(world);
      const expected = { provider: 'claude', location: 'plugin', plugin: 'kit@shop', dir: `${dir}/skills/pdf` };
      expect(skills).toEqual([expect.objectContaining(expected)]);
      expect(diagnostics).toEqual([]);
    });
  }

  it('the full name of a skill is plugin:skill, and both names find it [C1-PLUGIN-10]', async () => {
    const world = createWorld();
    installKit(world);
    const { skills } = await find(world);
    expect(skills.map((one) => [one.name, one.fullName])).toEqual([['pdf', 'kit:pdf']]);
    for (const name of ['kit:pdf', 'pdf', 'claude:kit:pdf', 'kit@shop:pdf']) {
      expect((await world.run(['show', name])).code, name).toBe(0);
    }
    expect((await world.run(['show', 'shop:pdf'])).code).toBe(1);
  });

  it('an installPath that is gone is reported and costs nothing else [C1-PLUGIN-08]', async () => {
    const world = createWorld();
    const installPath = pluginFolder(world, 'kit');
    const gone = world.path('gone/1.0.0');
    install(world, {
      'old@shop': [{ scope: 'user', installPath: gone }],
      'kit@shop': [{ scope: 'user', installPath }],
    });
    world.skill('home/.agents/skills/plain');
    const { names, noted } = await find(world);
    expect(names).toEqual(['kit:pdf', 'plain']);
    expect(noted).toEqual([['plugin-missing', gone]]);
  });

  it('an entry that is gone does not take another entry of the same plugin with it [C1-PLUGIN-08]', async () => {
    const world = createWorld();
    const installPath = pluginFolder(world, 'kit');
    install(world, {
      'kit@shop': [
        { scope: 'user', installPath, lastUpdated: '2026-01-01T00:00:00Z' },
        { scope: 'project', projectPath: world.project, installPath: world.path('gone') },
        { scope: 'user', installPath: world.path('gone-too'), lastUpdated: '2026-02-02T00:00:00Z' },
      ],
    });
    expect((await find(world)).names).toEqual(['kit:pdf']);
  });

  it('an installPath with .. in it is refused [C1-PLUGIN-08]', async () => {
    const world = createWorld();
    const installPath = pluginFolder(world, 'kit');
    pluginFolder(world, 'secret', ['leaked']);
    world.folder('home/.claude/plugins/cache');
    install(world, {
      'up@shop': [{ scope: 'user', installPath: `${world.path('home')}/../secret` }],
      'rel@shop': [{ scope: 'user', installPath: '../../../secret' }],
      'kit@shop': [{ scope: 'user', installPath }],
    });
    const { names, diagnostics } = await find(world);
    expect(names).toEqual(['kit:pdf']);
    expect(diagnostics.map((one) => [one.code, /"(.*?)"/.exec(one.message)?.[1]])).toEqual([
      ['plugin-file-invalid', 'up@shop'],
      ['plugin-file-invalid', 'rel@shop'],
    ]);
  });

  const malformed: Record<string, string> = {
    'cut off': '{ "version": 2,\n "plugins": {',
    'not JSON at all': 'plugins = none',
    empty: '',
    'a bare word': '"nothing"',
    null: 'null',
    'a map of numbers': '{ "version": 2, "plugins": { "kit@shop": 7 } }',
    'a list of nonsense': '[1, null, "x", {}]',
    'without installPath': '{ "version": 2, "plugins": { "kit@shop": [{ "scope": "user" }] } }',
  };
  for (const [how, text] of Object.entries(malformed)) {
    it(`a file that is ${how} is reported and the other roots are found [C1-PLUGIN-09]`, async () => {
      const world = createWorld();
      const file = world.write(pluginsFile, text);
      world.skill('home/.claude/skills/plain');
      world.skill('home/.gemini/extensions/ext/skills/csv');
      const { names, noted } = await find(world);
      expect(names).toEqual(['ext:csv', 'plain']);
      expect(new Set(noted.map(String))).toEqual(new Set([String(['plugin-file-invalid', file])]));
    });
  }

  it('the line of a mistake in the file is told [C1-PLUGIN-09]', async () => {
    const world = createWorld();
    world.write(pluginsFile, '{\n  "version": 2,\n  "plugins": oops\n}\n');
    const { diagnostics } = await find(world);
    expect(diagnostics.map((one) => one.line)).toEqual([3]);
  });

  it('one bad entry does not take the good ones with it [C1-PLUGIN-09]', async () => {
    const world = createWorld();
    const installPath = pluginFolder(world, 'kit');
    install(world, { 'bad@shop': [null, 3], 'kit@shop': [{ installPath }], 'worse@shop': { installPath: 5 } });
    const { names, diagnostics } = await find(world);
    expect(names).toEqual(['kit:pdf']);
    expect(diagnostics.map((one) => one.code)).toEqual(Array(3).fill('plugin-file-invalid'));
  });
});

describe('the scope of an installation', () => {
  it('one for the user counts everywhere [C1-PLUGIN-04]', async () => {
    const world = createWorld();
    installKit(world);
    world.folder('project/sub');
    world.folder('elsewhere');
    for (const cwd of ['project', 'project/sub', 'elsewhere', 'home']) {
      expect((await find(world, { cwd })).names, cwd).toEqual(['kit:pdf']);
    }
  });

  for (const scope of ['project', 'local']) {
    it(`one of scope ${scope} counts in its project and below, and nowhere else [C1-PLUGIN-05]`, async () => {
      const world = createWorld();
      const installPath = pluginFolder(world, 'kit');
      world.folder('project/sub/deeper');
      world.folder('project-2');
      world.link('project', 'link-to-project');
      const here = { scope, installPath, projectPath: world.path('link-to-project') };
      install(world, { 'kit@shop': [here], 'lost@shop': [{ scope, installPath }] });
      for (const cwd of ['project', 'project/sub/deeper']) {
        expect((await find(world, { cwd })).names, cwd).toEqual(['kit:pdf']);
      }
      for (const cwd of ['project-2', 'home', '.']) {
        const { names, diagnostics } = await find(world, { cwd });
        expect(names, cwd).toEqual([]);
        expect(diagnostics.map((one) => [one.code, one.severity])).toEqual(
          Array(2).fill(['plugin-other-project', 'info']),
        );
      }
    });
  }

  it('of several that count the narrowest wins, then the newest [C1-PLUGIN-06]', async () => {
    const world = createWorld();
    const entry = (version: string, scope: string, lastUpdated: string): object => {
      const projectPath = scope === 'user' ? {} : { projectPath: world.project };
      return { scope, installPath: pluginFolder(world, `kit/${version}`, [version]), lastUpdated, ...projectPath };
    };
    const entries = [
      entry('user-new', 'user', '2026-09-01T00:00:00.000Z'),
      entry('user-old', 'user', '2025-01-01T00:00:00.000Z'),
      entry('project-old', 'project', '2024-01-01T00:00:00.000Z'),
      entry('project-new', 'project', '2024-06-01T00:00:00.000Z'),
      entry('local-new', 'local', '2023-06-01T00:00:00.000Z'),
      entry('local-old', 'local', '2023-01-01T00:00:00.000Z'),
    ];
    const chosen = async (list: readonly object[], cwd = 'project'): Promise<string[]> => {
      install(world, { 'kit@shop': list });
      return (await find(world, { cwd })).names;
    };
    expect(await chosen(entries)).toEqual(['kit:local-new']);
    expect(await chosen(entries.toReversed())).toEqual(['kit:local-new']);
    expect(await chosen(entries.slice(0, 4))).toEqual(['kit:project-new']);
    expect(await chosen(entries.slice(0, 2).toReversed())).toEqual(['kit:user-new']);
    expect(await chosen(entries, 'home')).toEqual(['kit:user-new']);
  });
});

describe('the switches in the settings', () => {
  const files = {
    user: 'home/.claude/settings.json',
    project: 'project/.claude/settings.json',
    local: 'project/.claude/settings.local.json',
  } as const;
  type Set = Partial<Record<keyof typeof files, boolean>>;
  const cases: readonly [Set, 'on' | keyof typeof files][] = [
    [{}, 'on'],
    [{ user: true }, 'on'],
    [{ user: false }, 'user'],
    [{ project: false }, 'project'],
    [{ local: false }, 'local'],
    [{ user: false, project: true }, 'on'],
    [{ user: true, project: false }, 'project'],
    [{ project: false, local: true }, 'on'],
    [{ project: true, local: false }, 'local'],
    [{ user: false, project: false, local: true }, 'on'],
    [{ user: true, project: true, local: false }, 'local'],
  ];
  for (const [set, outcome] of cases) {
    it(`${JSON.stringify(set)} leaves the plugin ${outcome === 'on' ? 'on' : 'off'} [C1-PLUGIN-07]`, async () => {
      const world = createWorld();
      installKit(world);
      for (const [where, enabled] of Object.entries(set)) {
        const enabledPlugins = { 'kit@shop': enabled, 'other@shop': !enabled };
        world.writeJson(files[where as keyof typeof files], { enabledPlugins });
      }
      world.folder('project/sub');
      const { names, noted } = await find(world, { cwd: 'project/sub' });
      expect(names).toEqual(outcome === 'on' ? ['kit:pdf'] : []);
      expect(noted).toEqual(outcome === 'on' ? [] : [['plugin-disabled', world.path(files[outcome])]]);
    });
  }

  it('the settings lie where CLAUDE_CONFIG_DIR says [C1-PLUGIN-07]', async () => {
    const world = createWorld();
    const installPath = pluginFolder(world, 'kit');
    world.writeJson('moved/plugins/installed_plugins.json', { plugins: { 'kit@shop': { installPath } } });
    const env = { CLAUDE_CONFIG_DIR: world.path('moved') };
    world.writeJson('home/.claude/settings.json', { enabledPlugins: { 'kit@shop': false } });
    expect((await find(world, { env })).names).toEqual(['kit:pdf']);
    world.writeJson('moved/settings.json', { enabledPlugins: { 'kit@shop': false } });
    expect((await find(world, { env })).names).toEqual([]);
  });

  it("the machine's managed settings outrank all others [C1-PLUGIN-07]", async () => {
    const world = createWorld();
    installKit(world);
    world.writeJson('project/.claude/settings.local.json', { enabledPlugins: { 'kit@shop': true } });
    const managed = world.writeJson('etc/claude-code/managed-settings.json', { enabledPlugins: { 'kit@shop': false } });
    const { home, project: cwd } = world;
    const env = { XDG_CACHE_HOME: world.path('cache') };
    const environment = hostEnvironment({ home, cwd, env, platform: 'linux', systemDir: world.path('etc') });
    const look = () => scan(configurationOf({}).values, environment, new Map());
    expect((await look()).skills).toEqual([]);
    rmSync(managed);
    expect((await look()).skills.map((one) => one.fullName)).toEqual(['kit:pdf']);
  });

  it('a plugin that is off by default is off until it is switched on [C1-PLUGIN-07]', async () => {
    const world = createWorld();
    installKit(world);
    world.writeJson('kit/.claude-plugin/plugin.json', { name: 'kit', defaultEnabled: false });
    expect((await find(world)).names).toEqual([]);
    world.writeJson('home/.claude/settings.json', { enabledPlugins: { 'kit@shop': true } });
    expect((await find(world)).names).toEqual(['kit:pdf']);
  });

  it('a plugin from a skills folder or from the account can be switched off too [C1-PLUGIN-07]', async () => {
    const world = createWorld();
    world.writeJson('home/.claude/skills/tools/.claude-plugin/plugin.json', { name: 'tools' });
    world.skill('home/.claude/skills/tools/skills/csv');
    world.skill('home/.claude/plugins/synced/cloud/skills/xml');
    expect((await find(world)).names).toEqual(['cloud:xml', 'tools:csv']);
    world.writeJson('home/.claude/settings.json', {
      enabledPlugins: { 'tools@skills-dir': false, 'cloud@synced': false },
    });
    expect((await find(world)).names).toEqual([]);
  });

  it('malformed settings are reported and leave the plugin on [C1-PLUGIN-07 C1-PLUGIN-09]', async () => {
    const world = createWorld();
    installKit(world);
    const user = world.write(files.user, '{ "enabledPlugins": { "kit@shop": false ');
    const project = world.writeJson(files.project, { enabledPlugins: ['kit@shop'] });
    const { names, noted } = await find(world);
    expect(names).toEqual(['kit:pdf']);
    expect(noted).toContainEqual(['plugin-file-invalid', user]);
    expect(noted.filter(([, file]) => file !== user && file !== project)).toEqual([]);
  });
});
