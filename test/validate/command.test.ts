import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';

describe('repertoire validate', () => {
  it('groups findings by file, tells each remedy once, and exits with 1', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf', { extra: 'version: "1"\nauthor: me' });
    world.skill('project/skills/sound');
    const run = await world.run(['validate', 'skills']);
    expect(run.stdout).toBe(
      [
        'skills/pdf/SKILL.md',
        '  4:1  error    "version" is not a field of the format (rule-unknown-field)',
        '                Move it below metadata:, where any name with a text value is allowed.',
        '  5:1  error    "author" is not a field of the format (rule-unknown-field)',
        '',
        '2 files, 2 errors, 0 warnings.',
        '',
      ].join('\n'),
    );
    expect(run.code).toBe(1);
  });

  it('exits with 0 when there are only warnings', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf', { body: '[a](a.md)' });
    const run = await world.run(['check', 'skills/pdf/SKILL.md']);
    expect(run.stdout).toContain('1 file, 0 errors, 1 warning.');
    expect(run.code).toBe(0);
  });

  it('says what was fixed', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf', { description: 'a: b' });
    expect((await world.run(['validate', '--fix'])).stderr).toContain('missing path');
    const run = await world.run(['validate', '--fix', 'skills']);
    expect(run.stdout).toBe(
      'skills/pdf/SKILL.md\n  fixed  line 3: quoted the value of description\n\n1 file, 1 fixed, no problems.\n',
    );
    expect(run.code).toBe(0);
  });

  it('hides nothing that a stranger wrote, and lets none of it through', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf', { name: '"\\e[31mred\\e[0m"' });
    const run = await world.run(['validate', 'skills']);
    expect(run.stdout).toContain('U+001B');
    expect(run.stdout).not.toContain('\u001b');
  });

  it.each([
    ['github', /^::error file=skills\/pdf\/SKILL\.md,line=2,col=7,title=[^\n]*\n$/],
    ['sarif', /^\{\n {2}"\$schema": "[^"]*sarif/],
  ])('prints as %s', async (format, expected) => {
    const world = createWorld();
    world.skill('project/skills/pdf', { name: 'doc' });
    const run = await world.run(['validate', '--format', format, 'skills']);
    expect(run.stdout).toMatch(expected);
    expect(run.code).toBe(1);
  });

  it('prints its findings as JSON', async () => {
    const world = createWorld();
    world.skill('project/skills/pdf', { name: 'doc' });
    const run = await world.run(['validate', '--json']);
    expect(run.json()).toMatchObject({ files: 1, fixed: [], summary: { errors: 1, warnings: 0 } });
    expect(run.code).toBe(1);
  });

  it('exits with 2 for a path that is not there', async () => {
    const run = await createWorld().run(['validate', 'nope']);
    expect(run.stderr).toContain("there is no file or folder 'nope'");
    expect(run.code).toBe(2);
  });
});
