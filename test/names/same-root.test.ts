import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type ListedSkill, type World } from '../support/world.ts';
import { folderOf, installPlugins, namesListed, refusalOf } from './machine.ts';

/** Two folders of the project's own root, both called pdf by their authors. */
function twins(): World {
  const world = createWorld();
  world.skill('project/skills/b', { name: 'pdf', description: 'The second one.' });
  world.skill('project/skills/a', { name: 'pdf', description: 'The first one.' });
  return world;
}

describe('two skills of one name in one root', () => {
  it('are both listed; the first by path has the name, the other goes by its folder [C1-SHADOW-04]', async () => {
    const world = twins();
    const { skills, diagnostics } = await world.list();
    expect(skills.map(({ dir, name, fullName, shadowed }) => [basename(dir), name, fullName, shadowed])).toEqual([
      ['a', 'pdf', 'pdf', false],
      ['b', 'pdf', 'b', false],
    ]);
    expect(diagnostics).toMatchObject([
      {
        code: 'name-taken',
        severity: 'warning',
        file: world.path('project/skills/b/SKILL.md'),
        message: expect.stringContaining(world.path('project/skills/a/SKILL.md')),
      },
    ]);
    expect(diagnostics[0]?.message).toContain('listed as "b"');
    expect(await folderOf(world, 'pdf')).toBe('project/skills/a');
    expect(await folderOf(world, 'agents:pdf')).toBe('project/skills/a');
    expect(await folderOf(world, 'b')).toBe('project/skills/b');
    expect(await folderOf(world, 'agents:b')).toBe('project/skills/b');
    expect(await folderOf(world, 'skill://agents/pdf/SKILL.md')).toBe('project/skills/a');
    expect(await folderOf(world, 'skill://agents/b/pdf/SKILL.md')).toBe('project/skills/b');
  });

  it('are both in every catalogue that a server gives, each under the name that loads it [C1-SHADOW-04 S2-DATA-02]', async () => {
    const server = await connectStdio(twins(), ['serve']);
    const call = async (name: string, args: object) => {
      const { result } = await server.ask('tools/call', { name, arguments: args });
      return result as { structuredContent: Record<string, unknown>; content: { text: string }[] };
    };
    const listed = (await call('skills.list', {})).structuredContent['skills'];
    expect(listed).toMatchObject([
      { installName: 'a', meta: { name: 'pdf' }, skillPath: 'skills/a' },
      { installName: 'b', meta: { name: 'pdf' }, skillPath: 'skills/b' },
    ]);
    expect((await call('skills.search', { query: 'pdf' })).structuredContent).toMatchObject({
      total: 2,
      results: expect.arrayContaining([
        expect.objectContaining({ installName: 'a' }),
        expect.objectContaining({ installName: 'b' }),
      ]),
    });
    const engine = (await call('skill-engine/list_skills', {})).structuredContent;
    expect(engine).toMatchObject({ total: 2, skills: [{ name: 'b' }, { name: 'pdf' }] });
    const found = (await call('skill-engine/search_skills', { query: 'the second one' })).content[0]?.text ?? '';
    expect(found).toMatch(/\bb\b/);
    const { result } = await server.ask('tools/list');
    const { tools } = result as { tools: { name: string; description: string }[] };
    const description = tools.find(({ name }) => name === 'skill')?.description ?? '';
    expect(description).toMatch(/<name>\s*pdf\s*<\/name>/);
    expect(description).toMatch(/<name>\s*b\s*<\/name>/);
    expect((await call('skill', { name: 'b' })).content[0]?.text).toContain('The second one.');
    expect((await call('skill', { name: 'pdf' })).content[0]?.text).toContain('The first one.');
    await server.end();
    expect(server.stderr).toContain('this one is listed as "b"');
  });

  it('are told apart by why', async () => {
    const world = twins();
    const why = await world.run(['why', 'pdf']);
    expect(why.stdout).toContain('skills/a/SKILL.md');
    expect(why.stdout).toMatch(/skills\/b\/SKILL\.md\n.*ask for b/);
    const other = await world.run(['why', 'b']);
    expect(other.stdout).toMatch(/skills\/b\/SKILL\.md/);
    expect(other.stdout).toMatch(/skills\/a\/SKILL\.md\n.*ask for pdf/);
  });

  it('are chosen by filters under both names, and what is left answers to its own', async () => {
    const world = twins();
    expect(await namesListed(world, ['--include', 'pdf'])).toEqual(['b', 'pdf']);
    expect(await namesListed(world, ['--include', 'b'])).toEqual(['b']);
    expect(await namesListed(world, ['--exclude', 'b'])).toEqual(['pdf']);
    expect(await namesListed(world, ['--include', 'all'])).toEqual(['b', 'pdf']);
    expect(await folderOf(world, 'pdf', ['--include', 'b'])).toBe('project/skills/b');
    expect(await folderOf(world, 'agents:pdf', ['--include', 'b'])).toBe('project/skills/b');
  });

  it('never take the name that another skill gave itself, in whichever root', async () => {
    const world = twins();
    world.skill('project/skills/c', { name: 'b' });
    expect(await folderOf(world, 'b')).toBe('project/skills/c');
    expect(await namesListed(world)).toEqual(['b', 'b-2', 'pdf']);
    expect(await folderOf(world, 'b-2')).toBe('project/skills/b');
    const away = twins();
    away.skill('home/.claude/skills/b');
    expect(await folderOf(away, 'b')).toBe('home/.claude/skills/b');
    expect(await folderOf(away, 'b-2')).toBe('project/skills/b');
  });

  it('in category folders of other names go by those as well', async () => {
    const world = createWorld();
    for (const team of ['ann', 'ben', 'cat']) world.skill(`project/skills/${team}/pdf`);
    expect(await namesListed(world)).toEqual(['ben-pdf', 'cat-pdf', 'pdf']);
    expect(await folderOf(world, 'pdf')).toBe('project/skills/ann/pdf');
    expect(await folderOf(world, 'cat-pdf')).toBe('project/skills/cat/pdf');
    const server = await connectStdio(world, ['mcp-server']);
    const { structuredContent } = await server.call('skills.list');
    const skills = structuredContent?.['skills'] as { installName: string }[];
    expect(skills.map(({ installName }) => installName).sort()).toEqual(['ben-pdf', 'cat-pdf', 'pdf']);
  });

  it('are hidden by the same two of a stronger root, one by one', async () => {
    const world = createWorld();
    for (const home of ['home', 'project']) {
      for (const folder of ['a', 'b']) world.skill(`${home}/.claude/skills/${folder}`, { name: 'pdf' });
    }
    const { skills } = await world.list();
    expect(skills.map(({ location, fullName, shadowed }) => [location, fullName, shadowed])).toEqual([
      ['project', 'pdf', false],
      ['project', 'b', false],
      ['global', 'pdf', true],
      ['global', 'b', true],
    ]);
    expect(await folderOf(world, 'b')).toBe('project/.claude/skills/b');
  });

  it('leave a name that two agents share as ambiguous as it was', async () => {
    const world = createWorld();
    for (const folder of ['a', 'b']) world.skill(`home/.claude/skills/${folder}`, { name: 'pdf' });
    world.skill('home/.codex/skills/pdf');
    expect(await refusalOf(world, 'pdf')).toMatchObject({ code: 'ambiguous', candidates: ['claude:pdf', 'codex:pdf'] });
    expect(await folderOf(world, 'b')).toBe('home/.claude/skills/b');
  });

  it('go by their folders in a plugin too', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['one', 'two'] });
    const root = 'home/.claude/plugins/cache/example@market/skills';
    for (const folder of ['one', 'two']) world.skill(`${root}/${folder}`, { name: 'pdf' });
    expect(await namesListed(world)).toEqual(['example:pdf', 'example:two']);
    expect(await folderOf(world, 'example:two')).toBe(`${root}/two`);
    expect(await folderOf(world, 'two')).toBe(`${root}/two`);
    expect(await folderOf(world, 'example@market:two')).toBe(`${root}/two`);
    expect(await folderOf(world, 'pdf')).toBe(`${root}/one`);
  });

  it('whose names are one in two normal forms are told apart as well', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/nfd', { name: 'résumé'.normalize('NFD') });
    world.skill('home/.claude/skills/nfc', { name: 'résumé'.normalize('NFC') });
    expect(await folderOf(world, 'résumé'.normalize('NFD'))).toBe('home/.claude/skills/nfc');
    expect(await folderOf(world, 'nfd')).toBe('home/.claude/skills/nfd');
  });

  it('whose names differ in letter case alone keep them', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/a', { name: 'Deploy' });
    world.skill('home/.claude/skills/b', { name: 'deploy' });
    const { skills } = await world.list();
    expect(skills.map(({ fullName, shadowed }: ListedSkill) => [fullName, shadowed])).toEqual([
      ['Deploy', false],
      ['deploy', false],
    ]);
  });
});
