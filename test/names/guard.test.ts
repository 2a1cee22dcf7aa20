import { describe, expect, it } from 'vitest';
import { checkName } from '../../src/registry/resolve.ts';
import { createWorld, type World } from '../support/world.ts';
import { refusalOf } from './machine.ts';

/** A machine with one skill, and a file beside the skills that nobody may read. */
function guarded(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf');
  world.skill('home/secret', { name: 'secret', body: '\nkey: hunter2\n' });
  world.write('home/.ssh/id_rsa', 'hunter2');
  return world;
}

async function expectInvalid(world: World, name: string): Promise<void> {
  const refusal = await refusalOf(world, name);
  expect({ name, code: refusal.code, exit: refusal.exit }).toEqual({ name, code: 'invalid-name', exit: 2 });
}

describe('a name that could be a path', () => {
  it('is refused for its separator [C1-GUARD-01 S3-SEC-07 S3-SEC-08]', async () => {
    const world = guarded();
    for (const name of ['.ssh/id_rsa', '/etc/passwd', 'a\\b', 'pdf/', './pdf', 'claude:/pdf', 'C:\\x', '/', '\\']) {
      await expectInvalid(world, name);
    }
  });

  it('is refused for its two dots [C1-GUARD-02 S3-SEC-06]', async () => {
    const world = guarded();
    for (const name of ['..', '../../../etc/passwd', '..\\..\\x', 'a..b', 'claude:..', '...']) {
      await expectInvalid(world, name);
    }
  });

  it('is refused for a NUL, which a command line can carry only in an address [C1-GUARD-03]', async () => {
    await expectInvalid(guarded(), 'skill://pdf%00/SKILL.md');
    expect(() => checkName('pdf\0')).toThrow(/is not a skill name/);
    expect(() => checkName('\0')).toThrow(/is not a skill name/);
  });

  it('is refused in an address too, however it is encoded [C1-GUARD-04 S3-SEC-02]', async () => {
    const world = guarded();
    const addresses = [
      'skill://../secret/SKILL.md',
      'skill://%2e%2e/secret/SKILL.md',
      'skill://..%2Fsecret/SKILL.md',
      'skill://%2e%2e%2fsecret/SKILL.md',
      'skill://..%5Csecret/SKILL.md',
      `skill://${encodeURIComponent(world.path('home/secret'))}/SKILL.md`,
      `skill://${world.path('home/secret')}/../secret/SKILL.md`,
      'skill://pdf/../../../../secret/SKILL.md',
      'skill://pdf/SKILL.md/../../../../.ssh/id_rsa',
      `file://${world.path('home/secret')}/SKILL.md`,
      `skill://skill%3A%2F%2Fpdf%2FSKILL.md/SKILL.md`,
      'skill://%zz/secret/SKILL.md',
    ];
    for (const address of addresses) {
      await expectInvalid(world, address);
      expect((await world.run(['why', address])).code, address).toBe(2);
    }
  });

  it('shows nothing of a file that is no skill, whatever the form [C1-GUARD-04 S3-SEC-02]', async () => {
    const world = guarded();
    const secret = world.path('home/secret');
    const forms = [
      'secret',
      `file:${secret}`,
      `skill:/${secret}/SKILL.md`,
      `skill://${secret}/SKILL.md`,
      `skill://claude${secret}/SKILL.md`,
      'skill://secret/SKILL.md',
      'claude:secret',
      '~/secret',
      '$HOME/secret',
    ];
    for (const form of forms) {
      const run = await world.run(['show', '--', form]);
      expect([1, 2], form).toContain(run.code);
      expect(run.stdout + run.stderr, form).not.toContain('hunter2');
    }
  });

  it('does not come into being by a skill that is called like one [C1-GUARD-04 S3-SEC-02]', async () => {
    const world = guarded();
    world.skill('home/.claude/skills/trap', { name: '../../secret' });
    world.skill('home/.claude/skills/dots', { name: '..' });
    const { skills } = await world.list();
    expect(skills).toHaveLength(3);
    for (const { fullName, dir } of skills) {
      expect(fullName).not.toMatch(/[/\\]|\.\./);
      const run = await world.run(['show', '--json', '--', fullName]);
      expect(run.json<{ skill: { dir: string } }>().skill.dir).toBe(dir);
    }
    await expectInvalid(world, '../../secret');
  });
});

describe('an empty name', () => {
  it('is refused as invalid [S3-INPUT-05]', async () => {
    const world = guarded();
    for (const name of ['', ' ', '\t\n', '\u3000']) {
      const refusal = await refusalOf(world, name);
      expect(refusal).toMatchObject({ code: 'invalid-name', message: 'Skill name cannot be empty', exit: 2 });
    }
  });
});
