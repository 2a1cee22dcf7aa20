import { describe, expect, it } from 'vitest';
import { processorSeconds } from '../support/processor-time.ts';
import { createWorld, type World } from '../support/world.ts';
import { namesListed } from './machine.ts';

function machineWith(names: readonly string[]): World {
  const world = createWorld();
  names.forEach((name, index) => {
    world.skill(`home/.claude/skills/s${index}`, { name: JSON.stringify(name) });
  });
  return world;
}

const include = (world: World, token: string): Promise<string[]> => namesListed(world, ['--include', token]);

describe('a glob', () => {
  it('takes * for any run of characters, none included [C1-FILTER-19 C1-FILTER-20]', async () => {
    const world = machineWith(['pdf', 'pdf-forms', 'my-pdf', 'csv']);
    expect(await include(world, 'pdf*')).toEqual(['pdf', 'pdf-forms']);
    expect(await include(world, '*pdf')).toEqual(['my-pdf', 'pdf']);
    expect(await include(world, '*pdf*')).toEqual(['my-pdf', 'pdf', 'pdf-forms']);
    expect(await include(world, 'p*d*f')).toEqual(['pdf']);
    expect(await include(world, 'p*s')).toEqual(['pdf-forms']);
    expect(await include(world, '*')).toEqual(['csv', 'my-pdf', 'pdf', 'pdf-forms']);
    expect(await include(world, '***')).toHaveLength(4);
    expect(await namesListed(world, ['--exclude', '*pdf*'])).toEqual(['csv']);
  });

  it('takes ? for exactly one character, whatever it is [C1-FILTER-21]', async () => {
    const world = machineWith(['abc', 'a.c', 'ac', 'abbc', 'a😀c', 'aéc', 'a中c']);
    expect(await include(world, 'a?c')).toEqual(['a.c', 'abc', 'aéc', 'a中c', 'a😀c'].sort());
    expect(await include(world, 'a??c')).toEqual(['abbc']);
    expect(await include(world, '??')).toEqual(['ac']);
    expect(await include(world, 'a?c?')).toEqual([]);
  });

  it('takes ? for a character whose folded form is longer [C1-FILTER-21]', async () => {
    expect(await include(machineWith(['straße']), 'stra?e')).toEqual(['straße']);
  });

  it('takes brackets, dots and every other sign for themselves', async () => {
    const world = machineWith(['a[bc]', 'ab', 'ac', 'a.b', 'axb', 'x(y)', 'a{1}', 'a|b', 'a+b', 'a^$b', 'a\u00a0b']);
    expect(await include(world, 'a[bc]')).toEqual(['a[bc]']);
    expect(await include(world, 'a[b*')).toEqual(['a[bc]']);
    expect(await include(world, 'a.b')).toEqual(['a.b']);
    expect(await include(world, '*a.?')).toEqual(['a.b']);
    expect(await include(world, 'x(*)')).toEqual(['x(y)']);
    expect(await include(world, 'a{1}*')).toEqual(['a{1}']);
    expect(await include(world, 'a|*')).toEqual(['a|b']);
    expect(await include(world, 'a+?')).toEqual(['a+b']);
    expect(await include(world, 'a^$?')).toEqual(['a^$b']);
  });

  it('folds letter case and normal form as lookup does', async () => {
    const world = machineWith(['Résumé', 'ЁЖИК']);
    expect(await include(world, 'RÉS*')).toEqual(['Résumé']);
    expect(await include(world, 'r?s*'.normalize('NFD'))).toEqual(['Résumé']);
    expect(await include(world, 'résum?'.normalize('NFD'))).toEqual(['Résumé']);
    expect(await include(world, 'ёж*')).toEqual(['ЁЖИК']);
  });

  it('ends soon, however many stars fail against however long a name', async () => {
    const long = 'a'.repeat(5_000);
    const world = machineWith([long, `${long}b`]);
    const included = async () => {
      expect(await include(world, `${'*a'.repeat(200)}*c`)).toEqual([]);
      expect(await include(world, `${'*a'.repeat(200)}*b`)).toEqual([`${long}b`]);
      expect(await include(world, `${'*a?'.repeat(200)}*c`)).toEqual([]);
      expect(await include(world, `${'*'.repeat(10_000)}c`)).toEqual([]);
    };
    expect(await processorSeconds(included)).toBeLessThan(5);
  });
});

describe('a token that matches nothing', () => {
  it('is a warning on stderr that names it [C1-FILTER-23]', async () => {
    const world = machineWith(['pdf']);
    for (const option of ['--include', '--exclude']) {
      for (const command of [['list'], ['search', 'pdf'], ['why', 'pdf'], ['doctor']]) {
        const run = await world.run([...command, '--exclude', 'clade,*.zip', option, 'nothing-here']);
        for (const token of ['clade', '*.zip', 'nothing-here']) {
          expect(run.stderr, `${command[0]} ${option}`).toMatch(
            new RegExp(`warning: --(in|ex)clude ${token.replace('*.', '\\*\\.')} matches no skill`),
          );
        }
      }
    }
    expect((await world.run(['list', '--include', 'pdf'])).stderr).toBe('');
  });

  it('is a warning in the JSON of list and doctor [C1-FILTER-23]', async () => {
    const world = machineWith(['pdf']);
    for (const command of ['list', 'doctor']) {
      const run = await world.run([command, '--json', '--exclude', 'nope,pdf']);
      const { diagnostics } = run.json<{ diagnostics: { code: string; severity: string; message: string }[] }>();
      const warnings = diagnostics.filter((one) => one.code === 'filter-no-match');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatchObject({ severity: 'warning', message: expect.stringContaining('--exclude nope') });
    }
  });

  it('is told by commands whose JSON has no place for it [C1-FILTER-23]', async () => {
    const world = machineWith(['pdf']);
    for (const command of [
      ['show', 'pdf'],
      ['search', 'pdf'],
      ['why', 'pdf'],
    ]) {
      const run = await world.run([...command, '--json', '--exclude', 'nope']);
      expect(run.code).toBe(0);
      expect(run.stdout + run.stderr, command[0]).toMatch(/--exclude nope matches no skill/);
    }
  });

  it('is told where it is the very reason for an error [C1-FILTER-23]', async () => {
    const world = machineWith(['pdf']);
    const run = await world.run(['show', 'pdf', '--include', 'clade']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("Skill 'pdf' not found.");
    expect(run.stderr).toMatch(/--include clade matches no skill/);
  });

  it('is one that a provider, plugin, place or path could have matched [C1-FILTER-23]', async () => {
    const world = machineWith(['pdf']);
    for (const token of ['cursor', 'claude:nope', '@plugins', '@plugins:x', '@x:y', 'project', 'file:./nowhere', '?']) {
      const run = await world.run(['list', '--exclude', token]);
      expect(run.stderr, token).toContain(`--exclude ${token} matches no skill`);
    }
    for (const token of ['auto', 'all', 'claude', 'global', 'user', 'file:~', 'p?f']) {
      expect((await world.run(['list', '--exclude', token])).stderr, token).toBe('');
    }
  });
});
