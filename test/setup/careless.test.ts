import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { type Report, textOf } from './agents.ts';

const file = 'home/.cursor/mcp.json';

describe('a name that is taken', () => {
  const other = { github: { command: '/opt/github-server', args: ['--token', 'a-secret'], env: { A: 'b' } } };

  it.each([
    ['set up', []],
    ['taken out', ['--remove']],
  ])('by another server is not %s', async (_, more) => {
    const world = createWorld();
    world.writeJson(file, { mcpServers: other });
    const before = textOf(world, file);
    const run = await world.run(['setup', 'cursor', '--name', 'github', ...more]);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('the entry github starts something else (/opt/github-server)');
    expect(run.stdout).not.toContain('a-secret');
    expect(textOf(world, file)).toBe(before);
  });

  it.each([
    [{ command: 'npx', args: ['-y', 'repertoire@1.2.0', 'serve'] }],
    [{ command: 'bash', args: ['-lc', 'repertoire serve'] }],
    [{ command: '/old/node_modules/repertoire/dist/cli/bin.cjs', args: [] }],
    [{ url: 'http://127.0.0.1:3000/mcp' }],
    [{ disabled: true }],
    [null],
  ])('by %j is ours', async (entry) => {
    const world = createWorld();
    world.writeJson(file, { mcpServers: { repertoire: entry } });
    expect((await world.run(['setup', 'cursor'])).code).toBe(0);
    expect((await world.run(['setup', 'cursor', '--remove'])).code).toBe(0);
    expect(textOf(world, file) ?? '').not.toContain('repertoire');
  });
});

describe('the next step', () => {
  it('means the same as what was asked for', async () => {
    const world = createWorld();
    await world.run(['setup', 'cursor', '--name', 'skills']);
    const steps = async (...args: string[]) => (await world.run(['setup', ...args, '--name', 'skills'])).stdout;
    expect(await steps('--remove')).toMatch(/setup --all --remove --name skills +removes it from all of them/);
    expect(await steps('--http', 'http://h:1/a?b=c')).toContain("--all --http 'http://h:1/a?b=c' --name skills");
    expect(await steps('codex')).toContain('setup --check codex --name skills');
    expect((await world.run(['setup', '--check', '--name', 'none'])).stderr).toContain('--all --name none');
  });
});

describe('an address', () => {
  it.each(['me:hunter2@host', 'ftp://me:hunter2@host/', 'http://me:hunter2@host/mcp'])(
    'such as %s is refused without telling its password',
    async (address) => {
      const run = await createWorld().run(['setup', 'cursor', '--http', address]);
      expect(run.code).toBe(2);
      expect(run.stdout + run.stderr).not.toContain('hunter2');
    },
  );

  it('loses what only a browser would use', async () => {
    const world = createWorld();
    await world.run(['setup', 'cursor', '--http', 'http://host/mcp#part']);
    expect(textOf(world, file)).toContain('"http://host/mcp"');
  });
});

describe('a diff', () => {
  it('hides the secrets of others in lists and in long quotes', async () => {
    const world = createWorld();
    const servers = { x: { command: 'y', args: ['--token', 'hunter2', '--api-key=hunter2'] } };
    world.write(file, JSON.stringify({ mcpServers: servers }));
    world.write(
      'home/.codex/config.toml',
      '[a]\npassword = "a\\"hunter2"\nsecret = """hunter2"""\ntoken = \'\'\'hunter2\'\'\'\n',
    );
    const run = await world.run(['setup', 'cursor', 'codex', '--dry-run']);
    expect(run.stdout).toContain('(hidden)');
    expect(run.stdout).not.toContain('hunter2');
  });
});

describe('several at the same time', () => {
  it.each([null, '{\n  // mine\n  "mcpServers": {}\n}\n'])('each leave their entry in %j', async (text) => {
    const world = createWorld();
    if (text !== null) world.write(file, text);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const runs = await Promise.all(names.map((name) => world.run(['setup', 'cursor', '--name', name])));
    expect(runs.map(({ code }) => code)).toEqual(names.map(() => 0));
    for (const name of names) expect(textOf(world, file)).toContain(`"${name}"`);
  });
});

describe('a file that cannot be written', () => {
  it('is told of in words, with what to paste', async () => {
    const world = createWorld();
    world.write('home/.cursor', 'no folder');
    const run = await world.run(['setup', 'cursor', '--json']);
    expect(run.code).toBe(1);
    const [report] = run.json<Report>().agents;
    expect(report?.problem).toBe('it cannot be written: there is a file where a folder should be (ENOTDIR)');
    expect(report?.snippet).toContain('"repertoire"');
  });
});
