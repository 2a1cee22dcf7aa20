import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isRoot } from '../support/root.ts';
import { createWorld } from '../support/world.ts';

const redden = '\u001b[31m';

describe('a hostile machine', () => {
  it('a manifest that is a link to a secret is neither followed nor quoted', async () => {
    const world = createWorld();
    const secret = world.write('secret', 'SECRET-KEY-0123');
    world.link(secret, 'project/.agents/plugins/repo/plugin.json');
    world.link(secret, 'home/.gemini/extensions/evil/gemini-extension.json');
    const { diagnostics } = await world.list();
    expect(diagnostics.map((one) => one.code)).toEqual(['plugin-manifest-invalid', 'plugin-manifest-invalid']);
    expect(JSON.stringify(diagnostics)).not.toContain('SECRET');
    world.write('project/.agents/plugins/plain/plugin.json', 'SECRET-KEY-4567');
    expect(JSON.stringify(await world.list())).not.toContain('SECRET');
  });

  it('a manifest that lists hundreds of thousands of folders is refused, and nothing else', async () => {
    const world = createWorld();
    world.skill('project/skills/good');
    const schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';
    const skills = Array.from({ length: 300_000 }, (_, index) => `a${index}`);
    world.writeJson('home/.codex/plugins/cache/m/p/1.0.0/.codex-plugin/plugin.json', { name: 'p', skills });
    world.writeJson('home/.agents/plugins/q/plugin.json', { $schema: schema, name: 'q' });
    const { skills: found, diagnostics } = await world.list();
    expect(found.map((skill) => skill.name)).toEqual(['good']);
    expect(diagnostics.map((one) => one.code)).toEqual(['plugin-manifest-invalid']);
  });

  it('links to the whole machine, or to the kernel, are not followed', async () => {
    const world = createWorld();
    world.skill('project/skills/good');
    world.link('/', 'project/skills/everything');
    world.link('/proc', 'project/skills/kernel');
    world.link(world.project, 'project/skills/around');
    const { skills, diagnostics } = await world.list();
    expect(skills.map((skill) => skill.name)).toEqual(['good']);
    expect(diagnostics.map((one) => one.code)).toEqual(['link-outside', 'link-outside']); // the one around it is a loop, which ends quietly
  });

  it('a root that is itself a link to the whole machine is not searched', async () => {
    const world = createWorld();
    world.skill('project/.agents/skills/good');
    world.link('/', 'project/.claude/skills');
    world.link('/proc', 'project/skills');
    const { skills, diagnostics } = await world.list();
    expect(skills.map((skill) => skill.name)).toEqual(['good']);
    // Both belong to root: for anybody else that alone is a reason.
    const reason = isRoot ? 'link-outside' : 'project-not-owned';
    expect(diagnostics.map((one) => one.code)).toEqual([reason, reason]);
  });

  it('broken or endless plugin files cost little', async () => {
    const world = createWorld();
    world.skill('project/skills/good');
    world.write('project/.claude/skills/p/.claude-plugin/plugin.json', '['.repeat(1_900_000));
    const installations = Array.from({ length: 60_000 }, () => ({ installPath: 'a' }));
    world.writeJson('home/.claude/plugins/installed_plugins.json', { plugins: { 'a@b': installations } });
    const run = await world.run(['list', '--json']);
    expect(run.json<{ skills: unknown[] }>().skills).toHaveLength(1);
  });

  it('a skill with thousands of folders can still be shown', async () => {
    const world = createWorld();
    world.skill('project/skills/big');
    for (let index = 0; index < 12_000; index++) mkdirSync(world.path(`project/skills/big/f${index}`));
    expect((await world.run(['show', 'big'])).code).toBe(0);
  });

  it('one folder is one skill, though it is a plugin from one side', async () => {
    const world = createWorld();
    world.skill('project/.agents/skills/x/y/foo');
    world.writeJson('project/.agents/skills/x/y/foo/.claude-plugin/plugin.json', { name: 'foo' });
    world.link('project/.agents/skills/x/y/foo', 'project/.claude/skills/foo');
    expect((await world.list()).skills.map((skill) => skill.fullName)).toEqual(['foo']);
  });

  it('a plugin among plain skills stays one when its folder is reached twice', async () => {
    const world = createWorld();
    world.writeJson('project/skills/plug/.claude-plugin/plugin.json', { name: 'plug' });
    world.skill('project/skills/plug/skills/inner');
    world.skill('project/skills/plain');
    world.link('project/skills', 'project/.claude/skills');
    const { skills } = await world.list();
    expect(skills.map((skill) => [skill.fullName, skill.provider])).toEqual([
      ['plain', 'claude'],
      ['plug:inner', 'claude'],
    ]);
  });

  it('names of folders, plugins and providers cannot speak to the terminal', async () => {
    const world = createWorld();
    const folder = `project/skills/a\nProvider: forged${redden}`;
    mkdirSync(world.path(folder), { recursive: true });
    writeFileSync(world.path(`${folder}/SKILL.md`), '---\nname: odd\ndescription: "text \\e[31m"\n---\n');
    writeFileSync(world.path('project/repertoire.toml'), `exclude = ["x\\u001b[31m"]\n`);
    const runs = await Promise.all(
      [
        ['show', 'odd'],
        ['doctor'],
        ['list', '-v'],
        ['config'],
        ['why', 'odd'],
        ['validate'],
        ['show', 'odd', '--files'],
      ].map((args) => world.run([...args, '--skill-dir', 'skills?scope=team'])),
    );
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(redden);
    expect(runs[0]?.stdout.match(/^Provider:/gm)).toHaveLength(1);
    const scoped = await world.run(['list', '--skill-dir', `skills?scope=p${redden}`]);
    expect(scoped).toMatchObject({ code: 2, stdout: '' });
    expect(scoped.stderr).not.toContain(redden);
  });

  it('a description that is one endless word is listed at once', async () => {
    const world = createWorld();
    for (let index = 0; index < 5; index++)
      world.skill(`project/skills/long-${index}`, { description: '表'.repeat(20_000) });
    const before = process.cpuUsage();
    const run = await world.run(['list']);
    expect(run.stdout).toContain('5 skills, no problems.');
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
  });
});

describe('a machine that lacks something', () => {
  it('the working directory', async () => {
    const world = createWorld();
    const { execFile } = await import('node:child_process');
    const { fileURLToPath } = await import('node:url');
    const program = fileURLToPath(new URL('../../dist/cli/bin.cjs', import.meta.url));
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" list`;
    const stderr = await new Promise<string>((resolve) => {
      execFile('sh', ['-c', script, process.execPath, program], { cwd: world.project }, (_error, _out, text) =>
        resolve(text),
      );
    });
    expect(stderr).toContain('the working directory does not exist');
    expect(stderr).not.toContain('    at ');
  });

  // Somebody whom the system does not know, so that it cannot tell either.
  it.runIf(isRoot)('a home', async () => {
    const world = createWorld();
    world.skill('project/skills/one');
    world.mode('.', 0o755);
    const run = await world.run(['list', '--no-plugins'], { uid: 54_321, env: { HOME: '' } });
    expect(run.stdout).toContain('1 skill');
  });

  it('room for the result', async () => {
    const world = createWorld();
    const { execFile } = await import('node:child_process');
    const { fileURLToPath } = await import('node:url');
    const program = fileURLToPath(new URL('../../dist/cli/bin.cjs', import.meta.url));
    const run = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const child = execFile(
        'sh',
        ['-c', '"$0" "$1" list > /dev/full', process.execPath, program],
        { cwd: world.project },
        (_error, _out, stderr) => resolve({ code: child.exitCode, stderr }),
      );
    });
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('the result cannot be written (ENOSPC)') });
  });
});
