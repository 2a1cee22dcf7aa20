import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { folderOf, installPlugins, refusalOf } from './machine.ts';

const claude = 'home/.claude/skills';

describe('a request', () => {
  it('for a skill that is there returns its content [S3-TEST-01 S0-LOAD-01]', async () => {
    const world = createWorld();
    world.skill(`${claude}/git`, { description: 'Commits.', body: '\n# Commit often\n' });
    const run = await world.run(['show', 'git']);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('---\nname: git\ndescription: Commits.\n---\n\n# Commit often\n');
  });

  it('finds a skill whatever the letter case [S3-INPUT-06 S3-CASE-01 S3-CASE-02 S3-CASE-03 S3-TEST-02 S1-LOAD-01]', async () => {
    const world = createWorld();
    for (const name of ['git', 'mcp-builder', 'postgres', 'User']) world.skill(`${claude}/${name}`);
    expect(await folderOf(world, 'Git')).toBe(`${claude}/git`);
    expect(await folderOf(world, 'MCP-Builder')).toBe(`${claude}/mcp-builder`);
    expect(await folderOf(world, 'POSTGRES')).toBe(`${claude}/postgres`);
    expect(await folderOf(world, 'user')).toBe(`${claude}/User`);
  });

  it('is folded by the rules of Unicode and not of ASCII [C1-NAME-01 S3-CASE-04]', async () => {
    const world = createWorld();
    const spellings = [
      ['Straße', 'STRASSE'],
      ['école', 'ÉCOLE'],
      ['ЁЖИК', 'ёжик'],
      ['ΟΔΟΣ', 'οδος'],
      ['οδόσ', 'ΟΔΌΣ'],
      ['ﬁgures', 'FIGURES'],
      ['𐐨𐐩', '𐐀𐐁'],
    ] as const;
    spellings.forEach(([written], index) => {
      world.skill(`${claude}/s${index}`, { name: written });
    });
    for (const [index, [, asked]] of spellings.entries()) {
      expect(await folderOf(world, asked), asked).toBe(`${claude}/s${index}`);
    }
  });

  it('may be composed where the name is decomposed, and the other way round [C1-NAME-02]', async () => {
    const world = createWorld();
    world.skill(`${claude}/a`, { name: 'café'.normalize('NFD') });
    world.skill(`${claude}/b`, { name: 'naïve'.normalize('NFC') });
    world.skill(`${claude}/c`, { name: '한국어'.normalize('NFD') });
    expect(await folderOf(world, 'café'.normalize('NFC'))).toBe(`${claude}/a`);
    expect(await folderOf(world, 'naïve'.normalize('NFD'))).toBe(`${claude}/b`);
    expect(await folderOf(world, 'NAÏVE'.normalize('NFD'))).toBe(`${claude}/b`);
    expect(await folderOf(world, '한국어'.normalize('NFC'))).toBe(`${claude}/c`);
  });

  it('prefers the name as written to one that differs in letter case [C1-NAME-03]', async () => {
    const world = createWorld();
    world.skill(`${claude}/one`, { name: 'deploy' });
    world.skill(`${claude}/two`, { name: 'Deploy' });
    expect(await folderOf(world, 'deploy')).toBe(`${claude}/one`);
    expect(await folderOf(world, 'Deploy')).toBe(`${claude}/two`);
    expect(await folderOf(world, 'claude:Deploy')).toBe(`${claude}/two`);
  });

  it('prefers the name as written even where the other lies in a stronger root [C1-NAME-03]', async () => {
    const world = createWorld();
    world.skill('project/.agents/skills/one', { name: 'Release' });
    world.skill(`${claude}/two`, { name: 'release' });
    expect(await folderOf(world, 'release')).toBe(`${claude}/two`);
    expect(await folderOf(world, 'RELEASE')).toBe('project/.agents/skills/one');
  });

  it('may hold blanks, signs and letters of every script [S3-INPUT-07]', async () => {
    const world = createWorld();
    const names = ["it's (100%) #1!", '数据 分析', '🚀 launch', 'a.b', 'x+y=z', '$HOME', '`id`', '*', 'a:b'];
    names.forEach((name, index) => {
      world.skill(`${claude}/n${index}`, { name: JSON.stringify(name) });
    });
    for (const [index, name] of names.entries()) expect(await folderOf(world, name)).toBe(`${claude}/n${index}`);
  });

  it('may have blanks around it', async () => {
    const world = createWorld();
    world.skill(`${claude}/pdf`);
    expect(await folderOf(world, '  pdf\n')).toBe(`${claude}/pdf`);
  });
});

describe('the ways to write a name', () => {
  it('begin with the full name [C1-NAME-04 S1-LOAD-04]', async () => {
    const world = createWorld();
    installPlugins(world, { 'example-skills@market': ['pdf'], 'codex@market': ['csv'] });
    world.skill('home/.codex/skills/csv');
    world.skill(`${claude}/xlsx`);
    expect(await folderOf(world, 'example-skills:pdf')).toMatch(/example-skills@market\/skills\/pdf$/);
    expect(await folderOf(world, 'xlsx')).toBe(`${claude}/xlsx`);
    // A plugin called like an agent: the full name is tried before provider and name.
    expect(await folderOf(world, 'codex:csv')).toMatch(/codex@market\/skills\/csv$/);
  });

  it('go on with provider and name [C1-NAME-05 S0-PROVIDER-01]', async () => {
    const world = createWorld();
    world.skill(`${claude}/pdf`);
    world.skill('home/.codex/skills/pdf');
    world.skill('project/.cursor/skills/pdf');
    expect(await folderOf(world, 'claude:pdf')).toBe(`${claude}/pdf`);
    expect(await folderOf(world, 'codex:pdf')).toBe('home/.codex/skills/pdf');
    expect(await folderOf(world, 'Cursor:PDF')).toBe('project/.cursor/skills/pdf');
  });

  it("let provider and name mean the agent's own skill, not a plugin's [C1-NAME-05 C1-AMBIG-06]", async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'] });
    world.skill(`${claude}/pdf`);
    expect(await folderOf(world, 'claude:pdf')).toBe(`${claude}/pdf`);
  });

  it("let provider and name reach a plugin's skill where the agent has none of its own [C1-NAME-05]", async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'] });
    expect(await folderOf(world, 'claude:pdf')).toMatch(/example@market\/skills\/pdf$/);
    expect((await refusalOf(world, 'codex:pdf')).code).toBe('not-found');
  });

  it('go on with provider, plugin and name [C1-NAME-06]', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'] });
    expect(await folderOf(world, 'claude:example:pdf')).toMatch(/example@market\/skills\/pdf$/);
    // A plain skill that is called so is provider and name, which comes first.
    world.skill(`${claude}/plain`, { name: 'example:pdf' });
    expect(await folderOf(world, 'claude:example:pdf')).toBe(`${claude}/plain`);
  });

  it('go on with the short name [C1-NAME-07 S0-LOAD-02 S1-LOAD-06]', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf', 'csv'] });
    world.skill(`${claude}/csv`);
    expect(await folderOf(world, 'pdf')).toMatch(/example@market\/skills\/pdf$/);
    expect(await folderOf(world, 'PDF')).toMatch(/example@market\/skills\/pdf$/);
    expect(await folderOf(world, 'csv')).toBe(`${claude}/csv`);
  });

  it('end with the address of a SKILL.md [C1-NAME-08]', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['docx'] });
    world.skill(`${claude}/pdf`);
    world.skill('home/.codex/skills/pdf');
    world.skill(`${claude}/odd`, { name: 'été & co' });
    expect(await folderOf(world, 'skill://claude/pdf/SKILL.md')).toBe(`${claude}/pdf`);
    expect(await folderOf(world, 'skill://codex/pdf/SKILL.md')).toBe('home/.codex/skills/pdf');
    expect(await folderOf(world, 'skill://docx/SKILL.md')).toMatch(/skills\/docx$/);
    expect(await folderOf(world, 'skill://claude/example/docx/SKILL.md')).toMatch(/skills\/docx$/);
    expect(await folderOf(world, 'skill://%C3%A9t%C3%A9%20%26%20co/SKILL.md')).toBe(`${claude}/odd`);
    expect((await refusalOf(world, 'skill://pdf/SKILL.md')).code).toBe('ambiguous');
    expect((await refusalOf(world, 'skill://nothing/SKILL.md')).code).toBe('not-found');
  });

  it("do not need a plugin's name twice where its skill repeats it", async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': [] });
    const folder = 'home/.claude/plugins/cache/example@market/skills/pdf';
    world.skill(folder, { name: 'example:pdf' });
    for (const name of ['example:pdf', 'claude:example:pdf', 'claude:pdf', 'pdf', 'example@market:pdf']) {
      expect(await folderOf(world, name), name).toBe(folder);
    }
    for (const token of ['pdf', '@example:pdf', 'claude:pdf', 'example:pdf']) {
      expect((await world.list(['--include', token])).skills, token).toHaveLength(1);
    }
  });
});
