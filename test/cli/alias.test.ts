import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld, program, type World } from '../support/world.ts';
import { environmentOf, quoted, shell } from './program.ts';

const ours = 'home/.local/bin/skill';

function script(world: World, path: string, text = '#!/bin/sh\necho "the other one"\n'): string {
  const file = world.write(path, text);
  chmodSync(file, 0o755);
  return file;
}

describe('repertoire alias skill', () => {
  it('makes a command that is this program, without Node on the PATH', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    const PATH = `${world.path('home/.local/bin')}:/bin`;
    const run = await world.run(['alias', 'skill'], { env: { PATH } });
    expect([run.code, run.stderr, run.stdout]).toEqual([
      0,
      '',
      expect.stringMatching(/^Created ~\/\.local\/bin\/skill, which starts repertoire\.\n/),
    ]);
    expect(statSync(world.path(ours)).mode & 0o777).toBe(0o755);
    const listed = await shell(world, 'skill list --json', { ...environmentOf(world), PATH });
    expect(JSON.parse(listed.stdout)).toMatchObject({ skills: [{ name: 'pdf' }] });
    expect((await world.run(['alias', 'skill'], { env: { PATH } })).stdout).toContain('starts repertoire already');
  });

  it('says when its folder is not on the PATH, and what to add', async () => {
    const world = createWorld();
    const run = await world.run(['alias', 'skill', '--dir', '~/my bin'], { env: { PATH: '/usr/bin:/bin' } });
    expect(run.stdout).toContain('~/my bin is not on your PATH');
    expect(run.stdout).toContain(`export PATH="${world.path('home/my bin')}:$PATH"`);
    expect(existsSync(world.path('home/my bin/skill'))).toBe(true);
  });

  it('says which program of that name comes first, and which it hides', async () => {
    const world = createWorld();
    const other = script(world, 'system/skill');
    const [folder, system] = [world.path('home/.local/bin'), world.path('system')];
    const behind = await world.run(['alias', 'skill'], { env: { PATH: `${system}:${folder}` } });
    expect(behind.stdout).toContain(`${other} comes first on your PATH: put ~/.local/bin before ${system}.`);
    const before = await world.run(['alias', 'skill', '--json'], { env: { PATH: `${folder}:${system}` } });
    expect(before.json()).toEqual({
      name: 'skill',
      file: world.path(ours),
      action: 'unchanged',
      isOnPath: true,
      hiddenBy: [],
      hides: [other],
    });
  });

  it('replaces and removes what is its own, and nothing else', async () => {
    const world = createWorld();
    const text = '#!/bin/sh\necho mine\n';
    script(world, ours, text);
    for (const more of [[], ['--remove']]) {
      const run = await world.run(['alias', 'skill', ...more]);
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('was not created by this command')]);
      expect(readFileSync(world.path(ours), 'utf8')).toBe(text);
    }
    // One that an earlier installation made, and a link such as npm makes.
    script(world, ours, '#!/bin/sh\n# Made by: repertoire alias skill\nexec /gone/node /gone/bin.cjs "$@"\n');
    expect((await world.run(['alias', 'skill'])).stdout).toContain('Created ');
    expect(readFileSync(world.path(ours), 'utf8')).toContain(quoted(program));
    expect((await world.run(['alias', 'skill', '--remove'])).stdout).toBe('Removed ~/.local/bin/skill.\n');
    expect(readdirSync(world.path('home/.local/bin'))).toEqual([]);
    world.link(program, ours);
    expect((await world.run(['alias', 'skill', '--remove'])).stdout).toBe('Removed ~/.local/bin/skill.\n');
    const again = await world.run(['alias', 'skill', '--remove', '--json']);
    expect([again.code, again.json()]).toMatchObject([0, { action: 'absent' }]);
    expect(existsSync(program)).toBe(true);
  });

  it('knows no other name, and says when it cannot write', async () => {
    const world = createWorld();
    expect((await world.run(['alias', 'ls'])).code).toBe(2);
    const run = await world.run(['alias', 'skill', '--dir', '/proc/nowhere']);
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/cannot be written \(.*\)\n.*--dir/)]);
  });

  it('lets shells complete the name only where it means this program', async () => {
    const world = createWorld();
    script(world, 'system/skill');
    const [folder, system] = [world.path('home/.local/bin'), world.path('system')];
    await world.run(['alias', 'skill']);
    const names = async (PATH: string) => {
      const { stdout } = await world.run(['completion', 'bash'], { env: { PATH } });
      return /^complete -F _repertoire (.*)$/m.exec(stdout)?.[1];
    };
    expect(await names(`${folder}:${system}`)).toBe('repertoire skill');
    expect(await names(`${system}:${folder}`)).toBe('repertoire');
  });
});
