import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { folderOf, installPlugins, refusalOf } from './machine.ts';

describe('a name that two agents hold', () => {
  it('is an error that names both [C1-AMBIG-01 C1-AMBIG-02 S0-LOAD-03 S0-PROVIDER-02 S0-PROVIDER-03]', async () => {
    const world = createWorld();
    world.skill('home/.codex/skills/pdf');
    world.skill('home/.claude/skills/pdf');
    const refusal = await refusalOf(world, 'pdf');
    expect(refusal).toMatchObject({ code: 'ambiguous', exit: 1, candidates: ['claude:pdf', 'codex:pdf'] });
    expect(refusal.message).toContain('claude:pdf');
    expect(refusal.message).toContain('codex:pdf');
    const told = await world.run(['show', 'PDF']);
    expect(told.code).toBe(1);
    expect(told.stdout).toBe('');
    expect(told.stderr).toMatch(/ambiguous.*claude:pdf, codex:pdf/);
  });

  it('can be asked for by each of the names that the error gives [C1-AMBIG-02 S1-LOAD-08 S1-LOAD-09 S1-LOAD-10]', async () => {
    const world = createWorld();
    for (const agent of ['claude', 'codex', 'cursor']) world.skill(`project/.${agent}/skills/pdf`);
    const { candidates, hint } = await refusalOf(world, 'pdf');
    expect(candidates).toEqual(['claude:pdf', 'codex:pdf', 'cursor:pdf']);
    expect(hint).toMatch(/full name.*claude:pdf/);
    for (const name of candidates) {
      expect(await folderOf(world, name)).toBe(`project/.${name.split(':')[0]}/skills/pdf`);
    }
  });

  it('stays an error where one lies in the project and the other does not [C1-AMBIG-01]', async () => {
    const world = createWorld();
    world.skill('project/.codex/skills/pdf');
    world.skill('home/.claude/skills/pdf');
    expect((await refusalOf(world, 'pdf')).candidates).toEqual(['claude:pdf', 'codex:pdf']);
  });

  it('is the one of the higher root with --on-duplicate first [C1-AMBIG-05]', async () => {
    const world = createWorld();
    world.skill('home/.codex/skills/pdf');
    world.skill('home/.claude/skills/pdf');
    installPlugins(world, { 'example@market': ['csv'], 'other@market': ['csv'] });
    const first = ['--on-duplicate', 'first'];
    expect(await folderOf(world, 'pdf', first)).toBe('home/.claude/skills/pdf');
    expect(await folderOf(world, 'codex:pdf', first)).toBe('home/.codex/skills/pdf');
    expect(await folderOf(world, 'csv', first)).toMatch(/example@market/);
    expect((await refusalOf(world, 'pdf', ['--on-duplicate', 'error'])).code).toBe('ambiguous');
    const { skills, diagnostics } = await world.list(first);
    const marks = skills.filter((skill) => skill.name === 'pdf').map((skill) => [skill.provider, skill.shadowed]);
    expect(marks).toEqual([
      ['claude', false],
      ['codex', true],
    ]);
    expect(diagnostics.filter((one) => one.code === 'ambiguous')).toEqual([]);
  });
});

describe('a name that two plugins hold', () => {
  it('is an error that names both [C1-AMBIG-03 C1-AMBIG-04 S0-LOAD-04]', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'], 'other@market': ['pdf'] });
    const refusal = await refusalOf(world, 'pdf');
    expect(refusal).toMatchObject({ code: 'ambiguous', exit: 1, candidates: ['example:pdf', 'other:pdf'] });
    for (const plugin of ['example', 'other']) {
      expect(await folderOf(world, `${plugin}:pdf`)).toContain(`${plugin}@market`);
    }
  });

  it('is the skill of that very name where the project or the user has one [C1-AMBIG-06]', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf', 'csv'], 'other@market': ['pdf', 'csv'] });
    world.skill('home/.codex/skills/pdf');
    world.skill('project/.claude/skills/csv');
    expect(await folderOf(world, 'pdf')).toBe('home/.codex/skills/pdf');
    expect(await folderOf(world, 'csv')).toBe('project/.claude/skills/csv');
    expect(await folderOf(world, 'PDF')).toBe('home/.codex/skills/pdf');
  });

  it('and two agents can be asked for by every name that the error gives', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'] });
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf');
    const { candidates } = await refusalOf(world, 'pdf');
    expect(candidates).toEqual(['claude:pdf', 'codex:pdf']);
    const folders = [];
    for (const name of candidates) folders.push(await folderOf(world, name));
    expect(folders).toEqual(['home/.claude/skills/pdf', 'home/.codex/skills/pdf']);
  });
});

describe('a full name that two marketplaces hold', () => {
  it('is an error, and every name offered anywhere leads to a skill of its own', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@north': ['pdf'], 'example@south': ['pdf'] });
    const { candidates } = await refusalOf(world, 'example:pdf');
    const folders = [];
    for (const name of candidates) folders.push(await folderOf(world, name));
    expect(folders).toEqual([expect.stringContaining('@north'), expect.stringContaining('@south')]);

    const { diagnostics } = await world.list();
    const remedies = diagnostics.filter((one) => one.code === 'ambiguous').map((one) => one.remedy);
    expect(remedies).toHaveLength(2);
    const printed = (await world.run(['list'], { env: { COLUMNS: '120' } })).stdout;
    const offered = [...remedies.join('\n').matchAll(/Ask for ([^ ,]+)/g), ...printed.matchAll(/ask for ([^\]]+)\]/g)];
    expect(offered).toHaveLength(4);
    for (const [, name = ''] of offered) expect(await folderOf(world, name)).toMatch(/skills\/pdf$/);
  });
});

describe('names of one folder that differ in letter case alone', () => {
  it('are never chosen between in silence: a third spelling is an error that names both', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/a', { name: 'Deploy' });
    world.skill('home/.claude/skills/b', { name: 'deploy' });
    world.skill('home/.claude/skills/c', { name: 'DePloy' });
    for (const name of ['DEPLOY', 'claude:DEPLOY']) {
      const refusal = await refusalOf(world, name);
      expect(refusal.code).toBe('ambiguous');
      expect(refusal.candidates.sort()).toEqual(['DePloy', 'Deploy', 'deploy']);
    }
    expect(await folderOf(world, 'DePloy')).toBe('home/.claude/skills/c');
  });

  it('are chosen between where --on-duplicate first asks for it', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/a', { name: 'Deploy' });
    world.skill('home/.claude/skills/b', { name: 'deploy' });
    expect(await folderOf(world, 'DEPLOY', ['--on-duplicate', 'first'])).toBe('home/.claude/skills/a');
  });

  it('stay apart in a plugin too', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['Deploy', 'deploy'] });
    expect(await folderOf(world, 'example:Deploy')).toMatch(/\/Deploy$/);
    expect(await folderOf(world, 'deploy')).toMatch(/\/deploy$/);
    expect((await refusalOf(world, 'EXAMPLE:DEPLOY')).candidates).toEqual(['example:Deploy', 'example:deploy']);
  });
});
