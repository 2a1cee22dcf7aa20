import { describe, expect, it } from 'vitest';
import { namesListed } from '../names/machine.ts';
import { createWorld, type RunOptions, type World } from '../support/world.ts';
import { unsafe } from './program.ts';

interface Setting {
  name: string;
  value: unknown;
  from: string;
  where: string | null;
}

interface Config {
  settings: Setting[];
  files: { path: string; exists: boolean }[];
}

async function config(world: World, args: readonly string[] = [], options: RunOptions = {}): Promise<Config> {
  return (await world.run(['config', '--json', ...args], options)).json<Config>();
}

async function setting(
  world: World,
  name: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Pick<Setting, 'value' | 'from' | 'where'>> {
  const { settings } = await config(world, args, options);
  const { value, from, where } = settings.find((one) => one.name === name) as Setting;
  return { value, from, where };
}

const userFile = 'home/.config/repertoire/config.toml';
const projectFile = 'project/repertoire.toml';

describe('a setting', () => {
  it('in a file that cannot be reached is an error, not a default', async () => {
    const world = createWorld();
    world.link(world.path(userFile), userFile);
    const run = await world.run(['list']);
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain(`${world.path(userFile)}: cannot be read (ELOOP)`);
  });

  it('comes from option, variable, project file, user file, default, in that order', async () => {
    const world = createWorld();
    const env = { REPERTOIRE_INCLUDE: 'from-variable' };
    const option = ['--include', 'from-option'];
    expect(await setting(world, 'include')).toEqual({ value: [], from: 'default', where: null });
    world.write(userFile, 'include = ["from-user"]\n');
    const user = { value: ['from-user'], from: 'user file', where: world.path(userFile) };
    expect(await setting(world, 'include')).toEqual(user);
    world.write(projectFile, 'include = ["from-project"]\n');
    const project = { value: ['from-project'], from: 'project file', where: world.path(projectFile) };
    expect(await setting(world, 'include')).toEqual(project);
    const variable = { value: ['from-variable'], from: 'environment', where: 'REPERTOIRE_INCLUDE' };
    expect(await setting(world, 'include', [], { env })).toEqual(variable);
    const given = { value: ['from-option'], from: 'option', where: '--include' };
    expect(await setting(world, 'include', option, { env })).toEqual(given);
  });

  it('is settled one by one: what a stronger place does not say comes from a weaker', async () => {
    const world = createWorld();
    world.write(userFile, 'on_duplicate = "first"\nskip_plugins = true\n');
    world.write(projectFile, 'skip_plugins = false\n');
    expect(await setting(world, 'onDuplicate')).toMatchObject({ value: 'first', from: 'user file' });
    expect(await setting(world, 'skipPlugins')).toMatchObject({ value: false, from: 'project file' });
    const env = { REPERTOIRE_SKIP_PLUGINS: 'yes', REPERTOIRE_ON_DUPLICATE: '' };
    expect(await setting(world, 'skipPlugins', [], { env })).toMatchObject({ value: true, from: 'environment' });
    expect(await setting(world, 'onDuplicate', [], { env })).toMatchObject({ value: 'first', from: 'user file' });
  });

  it('is obeyed, wherever it comes from', async () => {
    const world = createWorld();
    for (const name of ['pdf', 'csv', 'xml', 'yaml']) world.skill(`home/.claude/skills/${name}`);
    world.write(userFile, 'exclude = ["pdf"]\n');
    expect(await namesListed(world)).toEqual(['csv', 'xml', 'yaml']);
    world.write(projectFile, 'exclude = "csv, xml"\n');
    expect(await namesListed(world)).toEqual(['pdf', 'yaml']);
    const env = { REPERTOIRE_EXCLUDE: 'yaml,xml' };
    const fromVariable = await world.list([], { env });
    expect(fromVariable.skills.map((skill) => skill.name)).toEqual(['csv', 'pdf']);
    const fromOption = await world.list(['--exclude', 'csv'], { env });
    expect(fromOption.skills.map((skill) => skill.name)).toEqual(['pdf', 'xml', 'yaml']);
  });

  it('is shown to people with its value and its source', async () => {
    const world = createWorld();
    world.write(userFile, 'on_duplicate = "first"\n');
    const { stdout, code } = await world.run(['config', '--no-plugins']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}on_duplicate +"first" +\(user file: ~\/\.config\/repertoire\/config\.toml\)$/m);
    expect(stdout).toMatch(/^ {2}skip_plugins +true +\(--no-plugins\)$/m);
    expect(stdout).toMatch(/^ {2}root +not set +\(default\)$/m);
    expect(stdout).toMatch(/^ {2}repertoire\.toml +\(not found\)$/m);
  });
});

describe('the files', () => {
  it('are found from a subfolder up to the root of the repository, the nearest first', async () => {
    const world = createWorld();
    world.folder('project/a/b');
    world.write('repertoire.toml', 'include = ["outside"]\n');
    const at = (cwd: string): Promise<unknown> => setting(world, 'include', [], { cwd }).then(({ value }) => value);
    expect(await at('project/a/b')).toEqual([]);
    world.write(projectFile, 'include = ["top"]\n');
    expect(await at('project/a/b')).toEqual(['top']);
    world.write('project/a/repertoire.toml', 'include = ["nearer"]\n');
    expect(await at('project/a/b')).toEqual(['nearer']);
    expect(await at('project')).toEqual(['top']);
  });

  it('are not looked for above a folder that is in no repository', async () => {
    const world = createWorld();
    world.folder('plain/below');
    world.write('plain/repertoire.toml', 'include = ["x"]\n');
    expect((await setting(world, 'include', [], { cwd: 'plain' })).value).toEqual(['x']);
    expect((await setting(world, 'include', [], { cwd: 'plain/below' })).value).toEqual([]);
  });

  it('are listed, whether they are there or not', async () => {
    const world = createWorld();
    world.write(projectFile, '');
    expect((await config(world)).files).toEqual([
      { path: world.path(projectFile), exists: true },
      { path: world.path(userFile), exists: false },
    ]);
    const env = { XDG_CONFIG_HOME: world.path('xdg') };
    world.write('xdg/repertoire/config.toml', 'include = ["moved"]\n');
    expect((await config(world, [], { env })).files[1]).toEqual({
      path: world.path('xdg/repertoire/config.toml'),
      exists: true,
    });
    expect((await setting(world, 'include', [], { env })).value).toEqual(['moved']);
  });

  it('name paths from their own folder, while options and variables name them from here', async () => {
    const world = createWorld();
    for (const folder of ['project/team', 'project/sub/team', 'home/team', 'home/.config/repertoire/team']) {
      world.skill(`${folder}/own`, { name: folder.replaceAll(/[/.]/g, '-') });
    }
    const listed = async (args: string[], options: RunOptions): Promise<string[]> =>
      (await world.list(args, options)).skills.map((skill) => skill.name);
    const cwd = 'project/sub';
    world.write(userFile, 'skill_dirs = ["team", "~/team"]\n');
    expect(await listed([], { cwd })).toEqual(['home--config-repertoire-team', 'home-team']);
    world.write(projectFile, 'skill_dirs = ["team?scope=crew"]\n');
    expect((await world.list([], { cwd })).skills).toMatchObject([{ name: 'project-team', provider: 'crew' }]);
    expect(await listed([], { cwd, env: { REPERTOIRE_SKILL_DIRS: './team:../team' } })).toEqual([
      'project-sub-team',
      'project-team',
    ]);
    expect(await listed(['--skill-dir', 'team'], { cwd })).toEqual(['project-sub-team']);
  });
});

describe('what is wrong in a file or variable', () => {
  async function complaint(toml: string): Promise<string> {
    const world = createWorld();
    world.write(projectFile, toml);
    const run = await world.run(['list']);
    expect(run.code, toml).toBe(2);
    expect(run.stdout, toml).toBe('');
    expect(run.stderr, toml).toContain(world.path(projectFile));
    return run.stderr.replace(world.path(projectFile), 'FILE');
  }

  it('is told with file and line where the file is no TOML', async () => {
    expect(await complaint('include = ["a"]\n\nexclude = [oops\n')).toMatch(/FILE:3:\d+: not valid TOML/);
    expect(await complaint('include = ["a"]\ninclude = ["b"]\n')).toMatch(/FILE:2:\d+: /);
    expect(await complaint('= 1\n')).toMatch(/FILE:1:\d+: /);
  });

  it('is told with file and line where a key is unknown', async () => {
    const told = await complaint('include = ["a"]\n\ninclud = ["b"]\n');
    expect(told).toMatch(/FILE:3: unknown key "includ"/);
    expect(told).toContain('include');
    expect(await complaint('# include\n  includes = 1\n')).toMatch(/FILE:2: unknown key "includes"/);
    expect(await complaint('skipPlugins = true\n')).toMatch(/FILE:1: unknown key "skipPlugins"/);
    expect(await complaint('include = []\ninc = 1\n')).toMatch(/FILE:2: unknown key "inc"/);
    expect(await complaint('include = []\n"a b" = 1\n')).toMatch(/FILE:2: unknown key "a b"/);
    expect(await complaint('include = []\n\n[server]\nport = 1\n')).toMatch(/FILE:3: unknown key "server"/);
    expect(await complaint(`include = []\n${'k'.repeat(60_000)} = 1\n`)).toMatch(/^\S+ FILE:2: unknown key "k+"/);
  });

  it('is told with file, line and what was expected where a value is of the wrong kind', async () => {
    expect(await complaint('\ninclude = 5\n')).toMatch(/FILE:2: include must be a list of strings, not 5/);
    expect(await complaint('include = ["a", 1]\n')).toMatch(/FILE:1: include\[1\] must be a string, not 1/);
    expect(await complaint('skip_plugins = "yes"\n')).toMatch(/FILE:1: skip_plugins must be true or false/);
    expect(await complaint('on_duplicate = "last"\n')).toMatch(/FILE:1: on_duplicate must be one of error, first/);
    expect(await complaint('root = ["a"]\n')).toMatch(/FILE:1: root must be a string/);
  });

  it('is told where a variable holds what it must not, as it was written', async () => {
    const world = createWorld();
    for (const [name, value, told] of [
      ['REPERTOIRE_SKIP_PLUGINS', 'maybe', 'true or false'],
      ['REPERTOIRE_ON_DUPLICATE', 'last', 'one of error, first'],
    ] as const) {
      const run = await world.run(['list'], { env: { [name]: value } });
      expect(run.code, name).toBe(2);
      expect(run.stderr, name).toContain(`${name} must be ${told}`);
      expect(run.stderr, name).toContain(value);
    }
  });

  it('is told as JSON where JSON was asked for', async () => {
    const world = createWorld();
    world.write(projectFile, 'nope = 1\n');
    const run = await world.run(['list', '--json']);
    expect(run.code).toBe(2);
    expect(run.stderr).toBe('');
    expect(run.json()).toMatchObject({
      error: { code: 'config', message: expect.stringContaining(`${world.path(projectFile)}:1`) },
    });
  });

  it("is told without what a stranger's file would do to a terminal", async () => {
    const world = createWorld();
    for (const toml of [
      '"\\u001b]0;title\\u0007" = 1\n',
      'on_duplicate = "\\u009b31m\\u202E"\n',
      'include = ["\\u001b[31m\\u0007"]\n',
      'exclude = ["\\u009b2J"]\n',
    ]) {
      world.write(projectFile, toml);
      for (const command of ['list', 'config']) {
        const run = await world.run([command]);
        expect(run.stdout, toml).not.toMatch(unsafe);
        expect(run.stderr, toml).not.toMatch(unsafe);
      }
    }
  });
});
