import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { type Report, textOf } from './agents.ts';

async function setUp(world: World, ...args: string[]) {
  const run = await world.run(['setup', '--json', ...args]);
  const { agents, ok } = run.json<Report>();
  return { code: run.code, ok, agents };
}

const files = {
  'claude-code': 'home/.claude.json',
  codex: 'home/.codex/config.toml',
  'gemini-cli': 'home/.gemini/trustedFolders.json',
} as const;
const ids = Object.keys(files) as (keyof typeof files)[];

/** What each of the files says once the folder of the project is trusted. */
const lines = (world: World): Record<keyof typeof files, string> => ({
  'claude-code': '"hasTrustDialogAccepted": true',
  codex: `[projects.${JSON.stringify(world.project)}]\ntrust_level = "trusted"`,
  'gemini-cli': `${JSON.stringify(world.project)}: "TRUST_FOLDER"`,
});

describe('setup --trust', () => {
  it('is never done unasked, and shown before it is done', async () => {
    const world = createWorld();
    await setUp(world, ...ids, '--project', '--approve', 'all');
    for (const id of ids) expect(textOf(world, files[id])).toBeNull();
    const shown = await world.run(['setup', ...ids, '--project', '--trust', '--dry-run']);
    expect(shown.stdout).toContain('# Codex: trust this folder in ~/.codex/config.toml');
    expect(shown.stdout).toContain('+trust_level = "trusted"');
    expect(shown.stdout).toMatch(/^\+.*"TRUST_FOLDER"/m);
    expect(shown.stdout).toMatch(/^\+.*"hasTrustDialogAccepted": true/m);
    for (const id of ids) expect(textOf(world, files[id])).toBeNull();
  });

  it('trusts the folder of the project where the agent looks, so that nothing is pending, and takes it back', async () => {
    const world = createWorld();
    const { code, agents } = await setUp(world, ...ids, '--project', '--approve', 'read', '--trust');
    expect(code).toBe(0);
    for (const id of ids) {
      expect(textOf(world, files[id])).toContain(lines(world)[id]);
      const report = agents.find((agent) => agent.id === id);
      expect(report?.trust).toMatchObject({ folder: world.project, action: 'add', done: true, problem: null });
      expect(report?.notes.join()).not.toMatch(/trust it/);
    }
    const again = await world.run(['setup', 'codex', '--project', '--trust']);
    expect(again.stdout).toContain('trusted in ~/.codex/config.toml: ');
    const removed = await world.run(['setup', ...ids, '--project', '--remove']);
    expect(removed.stdout).toContain('trust that setup had given removed from ~/.codex/config.toml');
    for (const id of ids) expect(textOf(world, files[id])).toBeNull();
  });

  it.each([
    [
      'other settings',
      { codex: '# mine\nmodel = "x"\n', 'claude-code': '{"a": 1}', 'gemini-cli': '{\n  "/x": "TRUST_FOLDER"\n}\n' },
    ],
    [
      'other projects',
      { codex: '[projects."/x"]\ntrust_level = "untrusted"\n', 'claude-code': '{ "projects": { "/x": {} } }\n' },
    ],
    ['an empty map', { 'gemini-cli': '{}', 'claude-code': '{"projects": {}}' }],
    [
      'an unanswered question',
      { 'claude-code': '{"projects": {"PROJECT": {"hasTrustDialogAccepted": false, "b": 1}}}' },
    ],
  ] as [string, Partial<Record<keyof typeof files, string>>][])('gives back every byte: %s', async (_what, before) => {
    const world = createWorld();
    const texts = Object.entries(before).map(([id, text]) => [id, text.replace('PROJECT', world.project)] as const);
    for (const [id, text] of texts) world.write(files[id as keyof typeof files], text);
    const named = texts.map(([id]) => id);
    expect((await setUp(world, ...named, '--project', '--trust')).code).toBe(0);
    for (const [id, text] of texts) expect(textOf(world, files[id as keyof typeof files])).not.toBe(text);
    expect((await setUp(world, ...named, '--project', '--remove')).code).toBe(0);
    for (const [id, text] of texts) expect([id, textOf(world, files[id as keyof typeof files])]).toEqual([id, text]);
  });

  it('stays on record where it cannot be taken back, and is said to', async () => {
    const world = createWorld();
    await setUp(world, 'gemini-cli', '--project', '--trust');
    const file = files['gemini-cli'];
    const good = textOf(world, file) ?? '';
    world.write(file, `${good}{`);
    expect(JSON.stringify(await setUp(world, 'gemini-cli', '--project', '--remove'))).toContain('trustedFolders.json');
    world.write(file, good);
    await setUp(world, 'gemini-cli', '--project', '--remove');
    expect(textOf(world, file) ?? '').not.toContain('TRUST_FOLDER');
  });

  it('never takes back what a person has trusted', async () => {
    const world = createWorld();
    const mine = `[projects.${JSON.stringify(world.project)}]\ntrust_level = "trusted"\n`;
    world.write(files.codex, mine);
    await setUp(world, 'codex', '--project', '--trust');
    await setUp(world, 'codex', '--project', '--remove');
    expect(textOf(world, files.codex)).toBe(mine);
  });

  it('never overrules a no, nor trusts a home folder', async () => {
    const world = createWorld();
    world.writeJson(files['gemini-cli'], { [world.project]: 'DO_NOT_TRUST' });
    const refused = await setUp(world, 'gemini-cli', '--trust');
    expect([refused.code, refused.agents[0]?.done]).toEqual([1, true]);
    expect(refused.agents[0]?.trust?.problem).toContain('"DO_NOT_TRUST" about this folder');
    const home = await world.run(['setup', 'codex', '--project', '--trust', '--json'], { cwd: 'home' });
    expect([home.code, home.json<Report>().agents[0]?.trust?.problem]).toEqual([
      1,
      expect.stringContaining('home folder'),
    ]);
    expect(textOf(world, files.codex)).not.toContain('trust_level');
  });

  it('takes back all folders that were trusted for the entry of all projects', async () => {
    const world = createWorld();
    const other = world.folder('other');
    await setUp(world, 'gemini-cli', '--trust');
    await world.run(['setup', 'gemini-cli', '--trust'], { cwd: 'other' });
    expect(textOf(world, files['gemini-cli'])).toContain(other);
    await world.run(['setup', '--all', '--remove'], { cwd: 'project' });
    expect(textOf(world, files['gemini-cli'])).toBeNull();
  });

  it('says where it changes nothing, and goes with what writes only', async () => {
    const world = createWorld();
    const run = await world.run(['setup', 'zed', 'codex', '--trust', '--approve', 'read']);
    expect(run.stdout.match(/--trust changes nothing here/g)).toHaveLength(2);
    expect(run.stdout.match(/--approve changes nothing here/g)).toHaveLength(1);
    expect((await world.run(['setup', 'codex', '--trust', '--remove'])).code).toBe(2);
    expect((await world.run(['setup', '--check', '--trust'])).code).toBe(2);
  });
});
