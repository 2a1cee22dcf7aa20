import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { find, pluginFolder } from './plugin-world.ts';

const schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';

describe('further plugins of Claude Code', () => {
  it('a folder in a skills folder that brings a manifest is a plugin [C1-ROOT-25 C1-PLUGIN-10]', async () => {
    for (const [base, cwd] of [['home', 'project'] as const, ['project', 'project'] as const]) {
      const world = createWorld();
      world.writeJson(`${base}/.claude/skills/folder/.claude-plugin/plugin.json`, { name: 'tools' });
      const dir = world.skill(`${base}/.claude/skills/folder/skills/csv`);
      world.skill(`${base}/.claude/skills/plain`);
      const { skills, diagnostics } = await find(world, { cwd });
      expect(skills.map((one) => [one.fullName, one.provider, one.location, one.plugin])).toEqual([
        ['plain', 'claude', base === 'home' ? 'global' : 'project', null],
        ['tools:csv', 'claude', 'plugin', 'tools@skills-dir'],
      ]);
      expect(skills[1]?.dir).toBe(dir);
      expect(diagnostics).toEqual([]);
    }
  });

  it('such a plugin may be a single skill [C1-ROOT-25]', async () => {
    for (const skills of [undefined, './']) {
      const world = createWorld();
      world.writeJson('home/.claude/skills/tools/.claude-plugin/plugin.json', {
        name: 'tools',
        ...(skills && { skills }),
      });
      world.skill('home/.claude/skills/tools', { name: 'whole' });
      expect((await find(world)).names).toEqual(['tools:whole']);
    }
  });

  it('such a folder is no plugin in the folders of other agents [C1-ROOT-25]', async () => {
    const world = createWorld();
    world.writeJson('home/.agents/skills/tools/.claude-plugin/plugin.json', { name: 'tools' });
    world.skill('home/.agents/skills/tools');
    world.skill('home/.agents/skills/tools/skills/csv');
    expect((await find(world)).names).toEqual(['csv', 'tools']);
  });

  it('a broken manifest there is reported and spoils nothing else [C1-ROOT-25]', async () => {
    const world = createWorld();
    const file = world.write('home/.claude/skills/tools/.claude-plugin/plugin.json', '{');
    world.skill('home/.claude/skills/tools/skills/csv');
    world.skill('home/.claude/skills/plain');
    const { names, noted } = await find(world);
    expect(names).toEqual(['plain']);
    expect(noted).toEqual([['plugin-manifest-invalid', file]]);
  });

  it('plugins kept in step with the account are found [C1-ROOT-25]', async () => {
    const world = createWorld();
    world.skill('home/.claude/plugins/synced/cloud/skills/xml');
    const { skills } = await find(world);
    expect(skills.map((one) => [one.fullName, one.plugin, one.location])).toEqual([
      ['cloud:xml', 'cloud@synced', 'plugin'],
    ]);
  });

  it('CLAUDE_CODE_PLUGIN_CACHE_DIR moves the folder in which plugins live [C1-ROOT-25]', async () => {
    const world = createWorld();
    const usual = pluginFolder(world, 'usual');
    world.writeJson('home/.claude/plugins/installed_plugins.json', { 'usual@shop': { installPath: usual } });
    pluginFolder(world, 'moved/cache/shop/kit/1.0.0', ['csv']);
    world.writeJson('moved/installed_plugins.json', { 'kit@shop': { installPath: 'cache/shop/kit/1.0.0' } });
    const env = { CLAUDE_CODE_PLUGIN_CACHE_DIR: world.path('moved') };
    expect((await find(world, { env })).names).toEqual(['kit:csv']);
  });
});

describe('plugins of Codex', () => {
  const cache = 'home/.codex/plugins/cache';

  it('are found, each in its newest version [C1-ROOT-26]', async () => {
    const world = createWorld();
    for (const version of ['1.2.0', '1.10.0', '1.9.3']) world.skill(`${cache}/shop/kit/${version}/skills/v${version}`);
    for (const version of ['2.0.0', 'local']) world.skill(`${cache}/shop/dev/${version}/skills/v${version}`);
    const { skills, diagnostics } = await find(world);
    expect(skills.map((one) => [one.fullName, one.provider, one.location, one.plugin])).toEqual([
      ['dev:vlocal', 'codex', 'plugin', 'dev@shop'],
      ['kit:v1.10.0', 'codex', 'plugin', 'kit@shop'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('are found where CODEX_HOME says [C1-ROOT-26]', async () => {
    const world = createWorld();
    world.skill('moved/plugins/cache/shop/kit/1.0.0/skills/pdf');
    world.skill(`${cache}/shop/other/1.0.0/skills/csv`);
    expect((await find(world, { env: { CODEX_HOME: world.path('moved') } })).names).toEqual(['kit:pdf']);
  });

  it('have their manifest in the first of four places [C1-ROOT-26 C1-PLUGIN-12]', async () => {
    const world = createWorld();
    const plugin = `${cache}/shop/kit/1.0.0`;
    const places = ['.cursor-plugin', '.claude-plugin', '.codex-plugin'];
    for (const [index, place] of places.entries()) {
      world.skill(`${plugin}/from${place}/s${index}`);
      world.writeJson(`${plugin}/${place}/plugin.json`, { name: 'kit', skills: `./from${place}` });
      expect((await find(world)).names, place).toEqual([`kit:s${index}`]);
    }
    world.skill(`${plugin}/skills/standard`);
    world.writeJson(`${plugin}/plugin.json`, { $schema: schema, name: 'kit' });
    expect((await find(world)).names).toEqual(['kit:standard']);
    world.writeJson(`${plugin}/plugin.json`, { name: 'some other file of that name' });
    expect((await find(world)).names).toEqual(['kit:s2', 'kit:standard']);
  });

  it('are off where its configuration says so [C1-ROOT-26]', async () => {
    const world = createWorld();
    for (const name of ['on', 'off', 'unset']) world.skill(`${cache}/shop/${name}/1.0.0/skills/pdf`);
    const file = world.write(
      'home/.codex/config.toml',
      '[plugins."on@shop"]\nenabled = true\n[plugins."off@shop"]\nenabled = false\n',
    );
    const { names, noted } = await find(world);
    expect(names).toEqual(['on:pdf', 'unset:pdf']);
    expect(noted).toEqual([['plugin-disabled', file]]);
  });

  it('survive a malformed configuration, which is reported [C1-ROOT-26 C1-PLUGIN-09]', async () => {
    const world = createWorld();
    world.skill(`${cache}/shop/kit/1.0.0/skills/pdf`);
    const file = world.write('home/.codex/config.toml', 'model = "x"\n[plugins\n');
    const { names, diagnostics } = await find(world);
    expect(names).toEqual(['kit:pdf']);
    expect(diagnostics.map((one) => [one.code, one.file, one.line])).toEqual([['plugin-file-invalid', file, 2]]);
  });
});

describe('extensions of Gemini CLI', () => {
  it('are found, called as their manifest or else their folder is [C1-ROOT-27]', async () => {
    const world = createWorld();
    world.skill('home/.gemini/extensions/folder/skills/pdf');
    world.writeJson('home/.gemini/extensions/folder/gemini-extension.json', { name: 'tools', version: '1.0.0' });
    world.skill('home/.gemini/extensions/plain/skills/csv');
    const { skills, diagnostics } = await find(world);
    expect(skills.map((one) => [one.fullName, one.provider, one.location, one.plugin])).toEqual([
      ['tools:pdf', 'gemini', 'plugin', 'tools'],
      ['plain:csv', 'gemini', 'plugin', 'plain'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('with a malformed manifest are reported, and keep their skills [C1-ROOT-27 C1-PLUGIN-09]', async () => {
    const world = createWorld();
    world.skill('home/.gemini/extensions/ext/skills/pdf');
    const file = world.write('home/.gemini/extensions/ext/gemini-extension.json', '{ "name": ');
    const { names, noted } = await find(world);
    expect(names).toEqual(['ext:pdf']);
    expect(noted).toEqual([['plugin-manifest-invalid', file]]);
  });
});

describe('Agent Plugins folders', () => {
  it('are found in the project and at home [C1-ROOT-28]', async () => {
    const world = createWorld();
    for (const base of ['project', 'home']) {
      world.writeJson(`${base}/.agents/plugins/x/plugin.json`, { $schema: schema, name: `of-${base}` });
      world.skill(`${base}/.agents/plugins/x/skills/pdf`);
    }
    world.folder('project/sub');
    const { skills, diagnostics } = await find(world, { cwd: 'project/sub' });
    expect(skills.map((one) => [one.fullName, one.provider, one.location, one.plugin])).toEqual([
      ['of-project:pdf', 'agents', 'plugin', 'of-project'],
      ['of-home:pdf', 'agents', 'plugin', 'of-home'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('hold skills exactly one level below skills/ [C1-ROOT-28 C1-PLUGIN-11]', async () => {
    const world = createWorld();
    const plugin = 'home/.agents/plugins/x';
    world.writeJson(`${plugin}/plugin.json`, { $schema: schema, name: 'x', skills: './more' });
    world.skill(`${plugin}/skills/right`);
    world.skill(`${plugin}/skills/right/nested`);
    world.skill(`${plugin}/skills/category/too-deep`);
    world.skill(`${plugin}/more/elsewhere`);
    world.skill(plugin, { name: 'at-the-root' });
    expect((await find(world)).names).toEqual(['x:right']);
  });

  it('hold no skill in skills/ itself [C1-ROOT-28 C1-PLUGIN-11]', async () => {
    const world = createWorld();
    world.writeJson('home/.agents/plugins/x/plugin.json', { $schema: schema, name: 'x' });
    world.skill('home/.agents/plugins/x/skills/right');
    world.skill('home/.agents/plugins/x/skills', { name: 'too-shallow' });
    expect((await find(world)).names).toEqual(['x:right']);
  });

  it('count only with a manifest of that schema [C1-ROOT-28]', async () => {
    const world = createWorld();
    world.skill('home/.agents/plugins/none/skills/pdf');
    world.skill('home/.agents/plugins/other/skills/pdf');
    world.writeJson('home/.agents/plugins/other/plugin.json', { $schema: 'https://example.com/x.json', name: 'other' });
    expect(await find(world)).toMatchObject({ names: [], diagnostics: [] });
  });

  it('with a malformed manifest are reported [C1-ROOT-28 C1-PLUGIN-09]', async () => {
    const world = createWorld();
    const file = world.write('home/.agents/plugins/x/plugin.json', '{ "$schema": ');
    world.skill('home/.agents/plugins/x/skills/pdf');
    world.skill('home/.agents/skills/plain');
    const { names, noted } = await find(world);
    expect(names).toEqual(['plain']);
    expect(noted).toEqual([['plugin-manifest-invalid', file]]);
  });
});

describe('plugins of Copilot CLI', () => {
  it('are found, with or without a marketplace [C1-ROOT-28 C1-PLUGIN-12]', async () => {
    const world = createWorld();
    const folder = 'home/.copilot/installed-plugins';
    world.skill(`${folder}/shop/kit/skills/pdf`);
    world.skill(`${folder}/_direct/own/more/csv`);
    world.writeJson(`${folder}/_direct/own/.plugin/plugin.json`, { name: 'own', skills: ['./more'] });
    world.writeJson(`${folder}/_direct/own/.claude-plugin/plugin.json`, { name: 'own', skills: ['./ignored'] });
    world.skill(`${folder}/_direct/own/ignored/xml`);
    const { skills, diagnostics } = await find(world);
    expect(skills.map((one) => [one.fullName, one.provider, one.location, one.plugin])).toEqual([
      ['own:csv', 'copilot', 'plugin', 'own'],
      ['kit:pdf', 'copilot', 'plugin', 'kit@shop'],
    ]);
    expect(diagnostics).toEqual([]);
  });
});
