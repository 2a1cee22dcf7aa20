import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRepertoire } from '../../src/index.ts';
import { connectStdio, startHttp } from '../support/mcp.ts';
import { createWorld, program, type World } from '../support/world.ts';
import { startGuarded } from './authorization.ts';

interface Row {
  name: string;
  auth: string;
  skills: string[];
  failure: string | null;
  problems: { skill: string | null; message: string }[];
  outcome: string | null;
  address: string;
}

const other = fileURLToPath(new URL('../support/skills-server.mjs', import.meta.url));
const library = fileURLToPath(new URL('sdk-server.mjs', import.meta.url));

/** Another machine with two skills. */
function otherWorld(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/tables', {
    description: 'Reads spreadsheets of the team.',
    body: '\nAsk for the sheet.\n',
  });
  world.write('home/.claude/skills/tables/references/columns.md', 'Columns of the team.\n');
  world.skill('home/.claude/skills/pdf', { description: 'The pdf of the team.' });
  world.write('home/.claude/skills/pdf/scripts/fill.sh', 'echo filled\n');
  return world;
}

/** The command that serves another machine over stdio. */
function serving(world: World, ...options: string[]): string[] {
  const variables = Object.entries(world.environment()).map(([name, value]) => `${name}=${value}`);
  return [
    '--',
    '/usr/bin/env',
    '-C',
    world.project,
    '-i',
    ...variables,
    process.execPath,
    program,
    'serve',
    ...options,
  ];
}

async function remote(world: World, ...args: string[]): Promise<{ code: number; rows: Row[]; text: string }> {
  const { code, stdout, stderr } = await world.run(['remote', ...args.slice(0, 1), '--json', ...args.slice(1)], {
    env: { TEAM_TOKEN: 'sesame-open-sesame' },
  });
  return { code, rows: (JSON.parse(stdout) as { remotes?: Row[] }).remotes ?? [], text: stdout + stderr };
}

async function added(world: World, ...args: string[]): Promise<Row> {
  const { code, rows, text } = await remote(world, 'add', ...args);
  expect(code, text).toBe(0);
  return rows[0] as Row;
}

/** Every byte that is kept of remotes. */
function keptText(world: World): string {
  const folder = world.path('home/.local/state/repertoire');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
}

describe('a remote that is another Repertoire', () => {
  it('has its skills listed, found, loaded and read like those of the machine, by every way in', async () => {
    const [team, world] = [otherWorld(), createWorld()];
    world.skill('home/.claude/skills/pdf', { description: 'My own pdf.' });
    expect(await added(world, 'team', ...serving(team))).toMatchObject({ skills: ['pdf', 'tables'], problems: [] });
    // From here on there is nobody to ask.
    rmSync(team.root, { recursive: true });

    const { skills, diagnostics } = await world.list();
    expect(skills.map(({ provider, name, location, shadowed }) => [provider, name, location, shadowed])).toEqual([
      ['claude', 'pdf', 'global', false],
      ['team', 'pdf', 'remote', true],
      ['team', 'tables', 'remote', false],
    ]);
    expect(diagnostics).toMatchObject([{ code: 'shadowed', message: expect.stringContaining('comes before remotes') }]);
    expect((await world.list(['--include', 'remote'])).skills).toHaveLength(2);
    expect((await world.list(['--exclude', 'team'])).skills).toHaveLength(1);
    expect((await world.list(['--remotes', 'off'])).skills).toHaveLength(1);
    expect((await world.run(['show', 'pdf'])).stdout).toContain('My own pdf.');
    expect((await world.run(['show', 'team:pdf'])).stdout).toContain('The pdf of the team.');
    const found = await world.run(['search', 'spreadsheets', '--json']);
    expect(found.json<{ results: { name: string }[] }>().results[0]).toMatchObject({ name: 'tables' });

    const server = await connectStdio(world, ['serve']);
    expect((await server.tools()).find(({ name }) => name === 'skill')?.description).toContain('Reads spreadsheets');
    expect(await server.load('tables')).toContain('Ask for the sheet.');
    const uri = 'skill://team/tables/references/columns.md';
    expect(await server.request('resources/read', { uri })).toMatchObject({
      contents: [{ text: 'Columns of the team.\n' }],
    });
    expect(JSON.stringify(await server.request('prompts/list'))).toContain('tables');
    await server.end();

    const repertoire = createRepertoire({ cwd: world.project, home: world.home, env: world.environment() });
    expect((await repertoire.load('team:pdf')).content).toContain('The pdf of the team.');
    expect((await repertoire.search('spreadsheets')).results[0]).toMatchObject({ name: 'tables' });
    repertoire.close();
  });

  it('has none of its tools run, nor granted anything', async () => {
    const [team, world] = [otherWorld(), createWorld()];
    await added(world, 'team', ...serving(team));
    for (const args of [
      ['run', 'team:pdf', 'fill'],
      ['run', 'pdf:fill'],
      ['grant', 'pdf', '--yes'],
      ['tools', 'pdf'],
    ]) {
      const { code, stderr } = await world.run(args);
      expect(code, args.join(' ')).not.toBe(0);
      expect(stderr).toContain("tools of other servers' skills are not run here");
      expect(stderr).toContain('repertoire add');
    }
    expect((await world.run(['tools'])).stdout).not.toContain('fill');
  });

  it('is asked for changes by refresh alone, and for nothing that is here already', async () => {
    const [team, world] = [otherWorld(), createWorld()];
    await added(world, 'team', ...serving(team));
    expect((await remote(world, 'refresh')).rows).toMatchObject([{ outcome: 'unchanged' }]);
    team.skill('home/.claude/skills/new');
    rmSync(team.path('home/.claude/skills/pdf'), { recursive: true });
    expect((await world.list()).skills.map(({ name }) => name)).toEqual(['pdf', 'tables']);
    expect((await remote(world, 'refresh', 'team')).rows).toMatchObject([
      { outcome: 'refreshed', skills: ['new', 'tables'] },
    ]);
    expect((await world.list()).skills.map(({ name }) => name)).toEqual(['new', 'tables']);
    // What somebody has changed here is not what was checked.
    const [changed] = (await world.list()).skills;
    writeFileSync(changed?.file ?? '', '---\nname: new\ndescription: Changed.\n---\n');
    expect((await remote(world, 'refresh', 'team')).rows).toMatchObject([{ skills: ['new', 'tables'] }]);
    expect((await world.list()).skills[0]).toMatchObject({ description: 'What new does.' });
  });

  it('keeps its skills when it can no longer be reached, and goes with all that it had', async () => {
    const [team, world] = [otherWorld(), createWorld()];
    await added(world, 'team', ...serving(team));
    rmSync(team.root, { recursive: true });
    const { code, rows } = await remote(world, 'refresh');
    expect(code).toBe(1);
    expect(rows).toMatchObject([
      { outcome: 'failed', skills: ['pdf', 'tables'], failure: expect.stringMatching(/server/) },
    ]);
    expect((await world.run(['remote'])).stdout).toContain('the last refresh failed');
    expect((await world.run(['show', 'tables'])).stdout).toContain('Ask for the sheet.');
    expect((await remote(world, 'remove', 'team')).rows).toMatchObject([{ outcome: 'removed' }]);
    expect((await world.list()).skills).toEqual([]);
    expect(readdirSync(world.path('home/.local/state/repertoire/remotes'))).toEqual(['identity']);
  });

  it('is let in by a token over HTTP, which is in no file and no answer', async () => {
    const [team, world] = [otherWorld(), createWorld()];
    const token = 'sesame-open-sesame';
    const { url } = await startHttp(team, ['serve', '--http'], { env: { REPERTOIRE_TOKEN: token } });
    const row = await added(world, 'team', `${url}?key=hidden`, '--token-env', 'TEAM_TOKEN');
    expect(row).toMatchObject({ auth: 'token', skills: ['pdf', 'tables'], address: `${url}?…` });
    const file = world.write('home/token', `${token}\n`);
    expect(await added(world, 'second', url, '--token-file', file)).toMatchObject({ skills: ['pdf', 'tables'] });
    const refused = await world.run(['remote', 'refresh', 'team', '--json'], { env: { TEAM_TOKEN: 'wrong-token' } });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('the server requires a different token');
    const unset = await world.run(['remote', 'refresh', 'team']);
    expect(unset.stdout).toContain('the variable TEAM_TOKEN');
    const shown = (await remote(world, 'list')).text + (await world.run(['remote'])).stdout + keptText(world);
    expect(shown).not.toContain(token);
    expect(shown).not.toContain('wrong-token');
    const typed = await world.run(['remote', 'add', 'x', url, '--token-env', 'sesame-open sesame']);
    expect(typed.code).toBe(2);
    expect(typed.stderr).not.toContain('sesame-open');
  });

  it('is served on over HTTP only if that is asked for, and what came from a server does not come back to it', async () => {
    const [first, second] = [otherWorld(), createWorld()];
    second.skill('home/.claude/skills/own');
    await added(second, 'first', ...serving(first));
    const silent = await startHttp(second, ['serve', '--http']);
    expect(await added(first, 'silent', silent.url)).toMatchObject({ skills: ['own'], problems: [] });
    await remote(first, 'remove', 'silent');
    expect(silent.process.stderr).toContain('--share-remote');

    const sharing = await startHttp(second, ['serve', '--http', '--share-remote']);
    expect(await added(first, 'second', sharing.url)).toMatchObject({
      skills: ['own'],
      problems: [{ skill: null, message: '2 skills came from here, and were not taken back' }],
    });
    // A third one gets everything, and hands it on no further than to those who do not have it.
    const third = createWorld();
    expect((await added(third, 'second', sharing.url)).skills).toEqual(['own', 'pdf', 'tables']);
    const again = await startHttp(third, ['serve', '--http', '--share-remote']);
    expect(await added(first, 'third', again.url)).toMatchObject({
      skills: ['own'],
      problems: [{ message: '2 skills came from here, and were not taken back' }],
    });
    expect((await remote(second, 'refresh', 'first')).rows[0]?.skills).toEqual(['pdf', 'tables']);
    const itself = await remote(first, 'add', 'itself', ...serving(first));
    expect(itself.text).toContain('the server is this one');
  });

  it('is followed by a server that was told to, whose clients are told of changes', async () => {
    const [team, world] = [otherWorld(), createWorld()];
    await added(world, 'team', ...serving(team));
    team.skill('home/.claude/skills/new', { description: 'Came later.' });
    const plain = await connectStdio(world, ['serve']);
    await plain.tools();
    const server = await connectStdio(world, ['serve', '--remotes', 'follow']);
    await server.tools();
    await server.logged(/a remote has other skills now/);
    await expect.poll(async () => server.load('new')).toContain('Came later.');
    expect(plain.stderr).not.toContain('a remote');
  });
});

describe('a remote that is somebody else’s server', () => {
  it('may be the protocol library’s own', async () => {
    const world = createWorld();
    world.skill('elsewhere/tables', { description: 'Reads spreadsheets.' });
    world.write('elsewhere/tables/data.bin', Buffer.from([0, 255, 1, 254]));
    const row = await added(world, 'library', '--', process.execPath, library, world.path('elsewhere'));
    expect(row).toMatchObject({ skills: ['tables'], problems: [] });
    const [skill] = (await world.list()).skills;
    expect(readFileSync(join(skill?.dir ?? '', 'data.bin'))).toEqual(Buffer.from([0, 255, 1, 254]));
  });

  it('is left out in part where a skill is not as announced, and says so wherever it is listed', async () => {
    const world = createWorld();
    await added(world, 'liar', '--', process.execPath, other, 'wrong digest');
    const { rows } = await remote(world, 'list');
    const message = 'left out: SKILL.md has another digest than the list says';
    expect(rows).toMatchObject([{ skills: ['good'], problems: [{ skill: 'bad', message }] }]);
    expect((await world.run(['remote', 'list'])).stdout).toContain(`bad: ${message}`);
  });

  it.each([
    ['ends at once', 'dies'],
    ['has no skills', 'no skills'],
    ['answers with something else', 'something else'],
  ])('is not added where it %s', async (_, how) => {
    const world = createWorld();
    const { code, rows } = await remote(world, 'add', 'bad', '--', process.execPath, other, how);
    expect([code, rows]).toEqual([1, []]);
    expect((await remote(world, 'list')).rows).toEqual([]);
    expect(
      readdirSync(world.path('home/.local/state/repertoire/remotes')).filter((name) => name !== 'identity'),
    ).toEqual([]);
  });

  it('is listed without what looks secret in its command', async () => {
    const world = createWorld();
    const command = [process.execPath, other, 'honest', '--api-key', 'sesame', '--token=sesame', 'DB_PASSWORD=sesame'];
    const { address } = await added(world, 'other', '--', ...command);
    expect(address).not.toContain('sesame');
    expect(address).toContain('--api-key');
  });

  it('costs the others nothing when it dies', async () => {
    const [team, world] = [otherWorld(), createWorld()];
    const how = world.write('how', 'honest');
    const chosen = ['/bin/sh', '-c', `exec "${process.execPath}" "${other}" "$(cat "${how}")"`];
    await added(world, 'team', ...serving(team));
    await added(world, 'mortal', '--', ...chosen);
    world.write('how', 'dies');
    const { code, rows } = await remote(world, 'refresh');
    expect(code).toBe(1);
    expect(rows.map(({ name, outcome, skills }) => [name, outcome, skills])).toEqual([
      ['mortal', 'failed', ['good']],
      ['team', 'unchanged', ['pdf', 'tables']],
    ]);
  });

  it('is told no secret, and tells none: a variable is passed by name, and is not in what is kept', async () => {
    const world = createWorld();
    const run = await world.run(
      ['remote', 'add', 'x', '--pass-env', 'SECRET', '--', process.execPath, other, 'says its secret'],
      { env: { SECRET: 'sesame-open-sesame', HIDDEN: 'x' } },
    );
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('… is wrong');
    expect(run.stderr).not.toContain('sesame');
  });

  it.each([
    ['claude', 'it already means something else'],
    ['project', 'it already means something else'],
    ['../up', 'cannot name a remote'],
    ['Team', 'cannot name a remote'],
  ])('cannot be called %s', async (name, message) => {
    const world = createWorld();
    const { code, text } = await remote(world, 'add', name, '--', process.execPath, other, 'honest');
    expect(code).toBe(2);
    expect(text).toContain(message);
  });
});

describe('a remote that wants people to sign in', () => {
  /** Adds it as a person would, whose browser opens the page that is named. */
  async function signIn(world: World, args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
    const child = spawn(process.execPath, [program, 'remote', ...args], {
      cwd: world.project,
      env: world.environment(),
    });
    let stderr = '';
    let isOpened = false;
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      const [, page] = /open this page in your browser: (\S+)\n/.exec(stderr) ?? [];
      if (page === undefined || isOpened) return;
      isOpened = true;
      void fetch(page);
    });
    return { code: await new Promise((resolve) => child.once('close', resolve)), stderr };
  }

  it('is signed in at with a code and PKCE, once, and let in by what that gave', async () => {
    const [team, world] = [otherWorld(), createWorld()];
    const { url } = await startHttp(team, ['serve', '--http']);
    const guarded = await startGuarded(url);
    expect((await remote(world, 'add', 'team', guarded.url)).text).toContain('sign in with --oauth');
    const { code, stderr } = await signIn(world, ['add', 'team', guarded.url, '--oauth']);
    expect(code, stderr).toBe(0);
    expect(guarded.granted).toEqual(['authorization_code']);
    const tokens = world.path('home/.local/state/repertoire/remotes/team/oauth.json');
    expect(statSync(tokens).mode & 0o777).toBe(0o600);
    const [token = ''] = guarded.tokens;
    expect(readFileSync(tokens, 'utf8')).toContain(token);
    const shown = (await remote(world, 'list')).text;
    expect(shown).not.toContain(token);
    expect((await remote(world, 'refresh')).rows).toMatchObject([{ outcome: 'unchanged', skills: ['pdf', 'tables'] }]);
    // One that has run out is renewed without asking anybody.
    guarded.tokens.clear();
    expect((await remote(world, 'refresh')).rows).toMatchObject([{ outcome: 'unchanged' }]);
    expect(guarded.granted).toEqual(['authorization_code', 'refresh_token']);
    await remote(world, 'remove', 'team');
    expect(existsSync(tokens)).toBe(false);
  });
});
