import { describe, expect, it } from 'vitest';
import { install, pluginFolder } from '../find/plugin-world.ts';
import { installPlugins } from '../names/machine.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { catalogueOf } from './catalogue.ts';

/** Skills of several agents, of the project, the user and plugins. */
function machine(): World {
  const world = createWorld();
  world.skill('project/.claude/skills/claude-project');
  world.skill('home/.claude/skills/claude-global');
  world.skill('home/.codex/skills/codex-global');
  world.skill('project/.agents/skills/agents-project');
  world.skill('project/skills/plain');
  installPlugins(world, { 'kit@shop': ['tool', 'other'], 'box@shop': ['thing'] });
  return world;
}

async function namesWith(world: World, args: readonly string[]): Promise<string[]> {
  const server = await connectStdio(world, ['mcp', ...args]);
  const names = [...(await catalogueOf(server)).names].sort();
  await server.end();
  return names;
}

/** What the command line lists with the same options. */
async function namesOfList(world: World, args: readonly string[]): Promise<string[]> {
  return (await world.list(args)).skills.map((skill) => skill.fullName).sort();
}

describe('the options of the command line', () => {
  it('give the server the same skills as the command line [S0-CONFIG-03]', async () => {
    const world = machine();
    world.skill('given/own');
    const installPath = pluginFolder(world, 'else/bag', ['hook']);
    world.writeJson('else/installed.json', { version: 2, plugins: { 'bag@x': [{ scope: 'user', installPath }] } });
    world.skill('roots/cache/shop/rag/1.0.0/skills/wipe');
    world.writeJson('roots/installed_plugins.json', {
      version: 2,
      plugins: { 'rag@shop': [{ scope: 'user', installPath: world.path('roots/cache/shop/rag/1.0.0') }] },
    });
    world.skill('others/from-root');
    for (const [args, some] of [
      [['--skill-dir', world.path('given')], 'own'],
      [['--no-plugins'], 'plain'],
      [['--plugins-file', world.path('else/installed.json')], 'bag:hook'],
      [['--plugins-root', world.path('roots')], 'rag:wipe'],
      [['--no-scan-default-dirs'], 'kit:tool'],
      [['--no-scan-default-dirs', '--no-plugins', '--skill-dir', world.path('given')], 'own'],
      [['--root', world.path('others')], 'from-root'],
    ] as const) {
      const names = await namesWith(world, args);
      expect(names, args[0]).toContain(some);
      expect(names, args[0]).toEqual(await namesOfList(world, args));
    }
  });

  it('may come from a file and from the environment as well', async () => {
    const world = machine();
    world.write('project/repertoire.toml', 'skip_plugins = true\nexclude = ["codex"]\n');
    const env = { REPERTOIRE_EXCLUDE: 'claude' };
    for (const options of [{}, { env }]) {
      const server = await connectStdio(world, ['mcp'], options);
      const { skills } = await world.list([], options);
      expect([...(await catalogueOf(server)).names].sort()).toEqual(skills.map((skill) => skill.fullName).sort());
      expect(skills.map((skill) => skill.fullName)).not.toContain('kit:tool');
      await server.end();
    }
  });

  it('leave out plugins with --no-plugins [S0-CONFIG-05]', async () => {
    const world = machine();
    expect(await namesWith(world, [])).toEqual(expect.arrayContaining(['kit:tool', 'kit:other', 'box:thing']));
    const server = await connectStdio(world, ['mcp', '--no-plugins']);
    const { entries } = await catalogueOf(server);
    expect(entries.map((entry) => entry.location)).not.toContain('plugin');
    expect(entries).toHaveLength(5);
    for (const name of ['kit:tool', 'tool']) {
      expect((await server.call('skill', { name })).isError, name).toBe(true);
    }
  });

  it('filter what is listed and what can be loaded, in every form that the command line knows [S0-FILTER-01 S0-FILTER-02 S0-FILTER-03]', async () => {
    const world = machine();
    const all = await namesOfList(world, []);
    for (const filter of [
      ['--include', 'claude'],
      ['--include=claude,codex'],
      ['--include', 'claude', '--include', 'codex', '--exclude', 'claude-*'],
      ['--include', '@plugins'],
      ['--include', '@plugins:kit'],
      ['--exclude', '@kit:tool'],
      ['--include', 'project'],
      ['--exclude', 'user'],
      ['--include', '*-global'],
      ['--exclude', 'all'],
    ]) {
      const title = filter.join(' ');
      const expected = await namesOfList(world, filter);
      const server = await connectStdio(world, ['mcp', ...filter]);
      const description = (await server.tools())[0]?.description ?? '';
      const listed = [...description.matchAll(/^<name>(.*)<\/name>$/gm)].map(([, name = '']) => name);
      expect(listed.sort(), title).toEqual(expected.length === 0 ? ['none'] : expected);
      expect(expected.length, title).toBeLessThan(all.length);
      for (const name of all) {
        const { isError = false } = await server.call('skill', { name });
        expect(isError, `${title}: ${name}`).toBe(!expected.includes(name));
      }
      await server.end();
    }
  });

  it('restrict a server to one agent: of the others nothing is listed, and nothing loaded [S0-FILTER-07 S0-FILTER-09]', async () => {
    const world = createWorld();
    world.skill('home/.codex/skills/pdf-reader');
    world.skill('home/.codex/skills/git');
    world.skill('home/.claude/skills/pdf-header');
    const server = await connectStdio(world, ['mcp', '--include=codex']);
    expect((await catalogueOf(server)).names).toEqual(['git', 'pdf-reader']);
    for (const name of ['pdf-header', 'claude:pdf-header']) {
      const { content, isError } = await server.call('skill', { name });
      expect(isError, name).toBe(true);
      const [first, , near] = (content[0]?.text ?? '').split('\n');
      expect(first).toBe(`Skill '${name}' not found.`);
      expect(near).toMatch(/^Did you mean: pdf-reader\b.*\?$/);
    }
  });

  it('filter every other tool alike', async () => {
    const world = machine();
    const server = await connectStdio(world, ['serve', '--include', 'codex']);
    expect(await server.call('skills.list')).toMatchObject({
      structuredContent: { skills: [{ installName: 'codex-global' }] },
    });
    expect(await server.call('skills.search', { query: 'claude' })).toMatchObject({ structuredContent: { total: 0 } });
    expect(await server.call('skill-engine/list_skills')).toMatchObject({ structuredContent: { total: 1 } });
  });

  it('say on stderr that a filter matches nothing', async () => {
    const world = machine();
    const server = await connectStdio(world, ['mcp', '--include', 'codex,gemnii']);
    expect((await catalogueOf(server)).names).toEqual(['codex-global']);
    expect(await server.logged(/warn .*gemnii.*/)).toContain('gemnii');
  });

  it('that are wrong end the start with a word on stderr and nothing on stdout', async () => {
    const world = machine();
    install(world, {});
    for (const args of [
      ['mcp', '--header', 'short'],
      ['mcp', '--tool-names', 'pretty'],
      ['serve', '--frobnicate'],
      ['mcp-server', 'extra'],
    ]) {
      const { code, stdout, stderr } = await world.run(args);
      expect([code, stdout], args.join(' ')).toEqual([2, '']);
      expect(stderr, args.join(' ')).not.toBe('');
    }
  });
});
