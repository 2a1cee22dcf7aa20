import { chownSync, lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DoctorOutput } from '../../src/engine/operations/machine/doctor.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type RunOptions, type World } from '../support/world.ts';

const other = 54_321;
/** Only root can make files that belong to somebody else. */
const asRoot = describe.runIf(process.getuid?.() === 0);

function giveAway(folder: string, uid = other): void {
  lchownSync(folder, uid, uid);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, uid);
}

/** A repository of somebody else above the working directory, with all that a project can say. */
function planted(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/own');
  world.skill('shared/.claude/skills/planted', { body: '\n# Text\n' });
  world.skill('shared/skills/planted-too');
  world.folder('shared/.git');
  world.write('shared/repertoire.toml', 'exclude = ["own"]\nscan_default_dirs = true\n');
  world.write('shared/.skill-engine.toml', '[skills.own.tools.evil]\ncommand = ["true"]\n');
  world.folder('shared/victim');
  giveAway(world.path('shared'));
  chownSync(world.path('shared/victim'), 0, 0);
  return world;
}

async function namesIn(world: World, options: RunOptions, args: readonly string[] = []): Promise<string[]> {
  return (await world.list(args, options)).skills.map(({ fullName }) => fullName).sort();
}

asRoot("a project of another user's", () => {
  it('is not taken from above, and doctor says how to trust it', async () => {
    const world = planted();
    const here = { cwd: 'shared/victim' };
    expect(await namesIn(world, here)).toEqual(['own']);
    expect((await world.run(['tools', '--json'], here)).stdout).not.toContain('evil');
    const { diagnostics } = (await world.run(['doctor', '--json'], here)).json<DoctorOutput>();
    const noted = diagnostics.filter(({ code }) => code === 'project-not-owned');
    expect(noted).toMatchObject([{ severity: 'warning', file: world.path('shared') }]);
    expect(noted[0]?.message).toContain(`belongs to another user (${other})`);
    expect(noted[0]?.remedy).toContain(`--trusted-project ${world.path('shared')}`);
  });

  it('has neither skills nor plugins nor settings that count, where it was put into a folder of ours', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/own');
    world.skill('project/skills/put-there');
    world.skill('project/.agents/plugins/bad/skills/planted');
    world.write('project/.agents/plugins/bad/plugin.json', '{"name":"bad","version":"1.0.0","skills":"./skills"}');
    giveAway(world.path('project/skills'));
    giveAway(world.path('project/.agents'));
    expect(await namesIn(world, {})).toEqual(['own']);
    const { diagnostics } = await world.list();
    expect(diagnostics.map(({ code, file }) => `${code} ${file}`).sort()).toEqual([
      `project-not-owned ${world.path('project/.agents/plugins')}`,
      `project-not-owned ${world.path('project/skills')}`,
    ]);
  });

  it('is not taken in the working directory itself, nor is what somebody put into a folder of ours', async () => {
    const world = planted();
    expect(await namesIn(world, { cwd: 'shared' })).toEqual(['own']);
    world.skill('project/.claude/skills/put-there');
    world.skill('project/.codex/skills/ours');
    giveAway(world.path('project/.claude'));
    const settings = world.write('project/repertoire.toml', 'exclude = ["own"]\n');
    const manifest = world.write('project/.skill-engine.toml', '[skills.own.tools.evil]\ncommand = ["true"]\n');
    for (const file of [settings, manifest]) chownSync(file, other, other);
    expect(await namesIn(world, {})).toEqual(['ours', 'own']);
    expect((await world.run(['tools', '--json'])).stdout).not.toContain('evil');
    const expected = [world.path('project/.claude/skills'), settings, manifest];
    const { diagnostics } = await world.list();
    expect(diagnostics.map(({ code, file }) => [code, file])).toEqual(
      expected.map((file) => ['project-not-owned', file]),
    );
    for (const { stdout, stderr } of [await world.run(['list', '--verbose']), await world.run(['doctor'])]) {
      expect(stdout + stderr).toContain(`this file of the project is not read: it belongs to another user (${other})`);
      expect(stdout + stderr).toContain(`--trusted-project ${settings}`);
    }
    expect(await namesIn(world, {}, ['--trusted-project', settings])).toEqual(['ours']);
  });

  it.each([
    ['--trusted-project', (root: string) => ({ args: ['--trusted-project', root] })],
    ['REPERTOIRE_TRUSTED_PROJECTS', (root: string) => ({ env: { REPERTOIRE_TRUSTED_PROJECTS: root } })],
    ['/', () => ({ env: { REPERTOIRE_TRUSTED_PROJECTS: '/' } })],
    ['the user file', (root: string) => ({ config: `trusted_projects = ["${root}"]\n` })],
    ['sudo', () => ({ env: { SUDO_UID: String(other) } })],
  ] as const)('is taken where the user says so: %s', async (_, given) => {
    const world = planted();
    const {
      args = [],
      env = {},
      config,
    } = given(world.path('shared')) as {
      args?: string[];
      env?: Record<string, string>;
      config?: string;
    };
    if (config !== undefined) world.write('home/.config/repertoire/config.toml', config);
    expect(await namesIn(world, { cwd: 'shared/victim', env }, args)).toEqual(['planted', 'planted-too']);
  });

  it("is not root's either, and a folder that is named is searched whoever owns it", async () => {
    const world = createWorld();
    world.mode('', 0o755);
    world.skill('project/.claude/skills/of-root');
    world.skill('home/.claude/skills/own');
    giveAway(world.home);
    world.folder('cache');
    giveAway(world.path('cache'));
    const ordinary = { uid: other, env: { REPERTOIRE_TRUSTED_PROJECTS: '/nowhere' } };
    expect(await namesIn(world, ordinary)).toEqual(['own']);
    expect(await namesIn(world, ordinary, ['--root', '.claude/skills'])).toEqual(['of-root', 'own']);
    expect(await namesIn(world, ordinary, ['--skill-dir', '.claude/skills'])).toEqual(['of-root', 'own']);
  });
});

describe("a project's file", () => {
  it.each([
    ['skill_dirs = ["/usr"]', 'skill_dirs'],
    ['skill_dirs = ["ok", "../elsewhere"]', 'skill_dirs'],
    ['root = "~/skills"', 'root'],
    ['plugins_root = "link"', 'plugins_root'],
  ])('names no folder outside of the project: %s', async (line, key) => {
    const world = createWorld();
    world.folder('elsewhere');
    world.link('elsewhere', 'project/link');
    world.write('project/repertoire.toml', `\n${line}\n`);
    const { code, stderr } = await world.run(['list']);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`repertoire\\.toml:2: a project may not set "${key}" to a path outside of it: `));
    expect(stderr).toContain('or in your user file');
  });

  it('may be in a folder below and name one above it in the same repository', async () => {
    const world = createWorld();
    world.skill('project/tools/one');
    world.write('project/app/repertoire.toml', 'skill_dirs = ["../tools?scope=team"]\n');
    expect((await world.list([], { cwd: 'project/app' })).skills).toMatchObject([{ name: 'one', provider: 'team' }]);
  });

  it('stops neither revoke nor grants, audit or doctor when it is wrong; the others refuse', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/demo');
    const manifest = '[capabilities]\nenv = ["REGION"]\n[tools.t]\ncommand = ["true"]\n';
    world.write('home/.claude/skills/demo/skill.toml', manifest);
    expect((await world.run(['grant', 'demo', '--yes'])).code).toBe(0);
    const file = world.write('project/repertoire.toml', 'exclude = ["x"]\nexclude = [\n');
    const noted = /^error: repertoire\.toml:2: .*Until then none of its settings count\.$/m;
    const granted = await world.run(['grants', '--json']);
    expect(granted.json<{ grants: unknown[] }>().grants).toHaveLength(1);
    expect(granted.stderr).toMatch(noted);
    const verified = await world.run(['audit', 'verify']);
    expect([verified.code, verified.stderr]).toEqual([0, expect.stringMatching(noted)]);
    const doctor = await world.run(['doctor', '--json']);
    expect(doctor.code).toBe(1);
    const { diagnostics, summary } = doctor.json<DoctorOutput>();
    expect(diagnostics[0]).toMatchObject({ code: 'config-invalid', severity: 'error', file, line: 2 });
    expect(summary.visible).toBe(1);
    const revoked = await world.run(['revoke', 'demo']);
    expect([revoked.code, revoked.stdout]).toEqual([0, 'Revoked: demo\n']);
    for (const command of [['list'], ['run', 'demo:t'], ['show', 'demo']])
      expect((await world.run(command)).code, command[0]).toBe(2);
  });
});

it('run and execute say so where a project brings a skill of the name of one that was granted, which gets nothing', async () => {
  const world = createWorld();
  const manifest = '[capabilities]\nenv = ["REGION"]\n[tools.t]\ncommand = ["true"]\n';
  for (const folder of ['home/.claude/skills/demo', 'project/.claude/skills/demo']) {
    world.skill(folder);
    world.write(`${folder}/skill.toml`, manifest);
  }
  world.folder('elsewhere');
  expect((await world.run(['grant', 'demo', '--yes'], { cwd: 'elsewhere' })).code).toBe(0);
  const { code, stderr } = await world.run(['run', 'demo:t']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^warning: 'demo' is the one of this project .*that you granted something to/m);
  expect(stderr).toContain("denied: skill 'demo' is not allowed to see the environment variable REGION");
  expect((await world.run(['run', 'demo:t'], { cwd: 'elsewhere' })).stderr).not.toContain('warning');
  const call = { skill_name: 'demo', tool_name: 't', parameters: {} };
  const noted = /'demo' is the one of this project .*that you granted something to/;
  const here = await connectStdio(world, ['serve', '--structured']);
  const { content, structuredContent } = await here.call('skill-engine/execute', call);
  expect(content).toContainEqual({ type: 'text', text: expect.stringMatching(noted) });
  expect(structuredContent).toMatchObject({ exit_reason: 'denied', notes: [expect.stringMatching(noted)] });
  const elsewhere = await connectStdio(world, ['serve'], { cwd: 'elsewhere' });
  expect(JSON.stringify(await elsewhere.call('skill-engine/execute', call))).not.toMatch(noted);
});
