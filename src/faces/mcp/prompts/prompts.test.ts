import { describe, expect, it } from 'vitest';
import { installPlugins } from '../../../../test/names/machine.ts';
import { skillResourcesOn } from '../../../../test/support/skill-resources.ts';
import { createWorld } from '../../../../test/support/world.ts';
import { promptSkillsOf } from './prompts.ts';

describe('prompts', () => {
  it('are the skills that users may call, by the name that means just them', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf');
    world.skill('home/.claude/skills/csv', { description: 'word '.repeat(400) });
    installPlugins(world, { 'example@market': ['docx'] });
    const hidden = ['user-invocable: false', 'user_invocable: "no"', 'userInvocable: Off', 'user-invocable: 0'];
    for (const [index, extra] of hidden.entries()) world.skill(`home/.claude/skills/hidden-${index}`, { extra });
    world.skill('home/.claude/skills/shown', { extra: 'user-invocable: yes' });
    const { prompts } = skillResourcesOn(world);
    const { prompts: list, nextCursor } = await prompts.list(undefined);
    expect(list.map(({ name }) => name)).toEqual(['claude:pdf', 'codex:pdf', 'csv', 'example:docx', 'shown']);
    expect(nextCursor).toBeUndefined();
    expect(list[3]).toEqual({
      name: 'example:docx',
      title: 'docx',
      description: expect.any(String),
      arguments: [{ name: 'arguments', description: 'What to tell the skill', required: false }],
    });
    expect(list[2]?.description).toHaveLength(1024);
    await expect(prompts.get('hidden-0', {})).rejects.toMatchObject({ code: 'not-found' });
  });

  it('leave out a hidden copy that no name means', async () => {
    const world = createWorld();
    world.skill('project/.claude/skills/pdf');
    world.skill('home/.claude/skills/pdf');
    const { prompts, engine } = skillResourcesOn(world, { include: ['all'] });
    expect((await engine.registry.snapshot()).visible).toHaveLength(2);
    expect((await prompts.list(undefined)).prompts.map(({ name }) => name)).toEqual(['pdf']);
  });

  it('give the text of the skill as the tool does, with what the user gave in its places', async () => {
    const world = createWorld();
    const folder = world.skill('home/.claude/skills/fix', {
      extra: 'argument-hint: "$ARGUMENTS"',
      body: `\nFix $ARGUMENTS in ${'${'}CLAUDE_SKILL_DIR}; !\`date\` stays.\r\n`,
    });
    world.write('home/.claude/skills/fix/notes.md', 'x');
    const { prompts } = skillResourcesOn(world);
    const { description, messages } = await prompts.get('fix', { arguments: 'issue 7' });
    expect(description).toBe('What fix does.');
    expect(messages).toEqual([
      {
        role: 'user',
        content: {
          type: 'text',
          text: [
            'Loading: fix',
            `Base directory: ${folder}`,
            `Path: ${folder}/SKILL.md`,
            'Location: global',
            'Provider: claude',
            'Files: notes.md',
            '',
            '---',
            'name: fix',
            'description: What fix does.',
            'argument-hint: "$ARGUMENTS"',
            '---',
            '',
            `Fix issue 7 in ${folder}; !\`date\` stays.\r\n`,
          ].join('\n'),
        },
      },
    ]);
    expect((await prompts.get('fix', undefined)).messages[0].content.text).toContain('Fix  in ');
  });

  it('take the arguments that the skill names', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/list', { extra: 'arguments: [issue, branch]', body: '$issue on $branch' });
    world.skill('home/.claude/skills/text', { extra: 'arguments: issue branch', body: '$issue on $branch' });
    world.skill('home/.claude/skills/maps', {
      extra: 'arguments:\n  - name: issue\n    description: x\n  - "not a name"\n  - 7',
      body: '$issue',
    });
    const { prompts } = skillResourcesOn(world);
    const { prompts: list } = await prompts.list(undefined);
    const namesOf = (name: string): unknown => list.find((one) => one.name === name)?.arguments.map((one) => one.name);
    expect([namesOf('list'), namesOf('text'), namesOf('maps')]).toEqual([
      ['issue', 'branch'],
      ['issue', 'branch'],
      ['issue'],
    ]);
    expect((await prompts.get('text', { branch: 'main', issue: '7' })).messages[0].content.text).toMatch(/7 on main$/);
    await expect(prompts.get('list', { arguments: 'x' })).rejects.toMatchObject({
      code: 'usage',
      message: "Prompt 'list' has no argument 'arguments'; it takes issue, branch",
    });
    await expect(prompts.get('list', { issue: 7 as never })).rejects.toMatchObject({ code: 'usage' });
  });

  it('suggest near names where there is none of that name', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/review');
    const { prompts } = skillResourcesOn(world);
    await expect(prompts.get('reveiw', {})).rejects.toMatchObject({
      code: 'not-found',
      suggestions: ['review'],
      message: expect.stringContaining('Did you mean: review?'),
    });
    await expect(prompts.complete('../x', 'arguments', '')).rejects.toMatchObject({ code: 'not-found' });
    await expect(prompts.complete('review', 'other', '')).rejects.toMatchObject({ code: 'usage' });
  });

  it('complete what a hint offers, and the files of the skill', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/do', { extra: 'argument-hint: "[add|Apply|remove] <a|b>"' });
    world.skill('home/.claude/skills/named', { extra: 'argument-hint: "[add|remove] [x|y]"\narguments: how what' });
    world.skill('home/.claude/skills/bare', { extra: 'argument-hint: [add|remove, x|y]' });
    world.write('home/.claude/skills/do/scripts/run.py', '');
    world.write('home/.claude/skills/do/scripts/rest.py', '');
    const { prompts } = skillResourcesOn(world);
    const complete = async (...asked: [string, string, string]) => (await prompts.complete(...asked)).values;
    expect(await complete('do', 'arguments', 'a')).toEqual(['add', 'Apply']);
    expect(await complete('do', 'arguments', '')).toEqual(['add', 'Apply', 'remove']);
    expect(await complete('do', 'arguments', 'add ')).toEqual(['add a', 'add b']);
    expect(await complete('do', 'arguments', 'add  b c ')).toEqual([]);
    expect(await complete('do', 'arguments', 'add ./scripts/ru')).toEqual(['add ./scripts/run.py']);
    expect(await complete('do', 'arguments', 'scripts/')).toEqual(['scripts/rest.py', 'scripts/run.py']);
    expect(await complete('named', 'what', '')).toEqual(['x', 'y']);
    expect(await complete('named', 'how', 'r')).toEqual(['remove']);
    expect(await complete('bare', 'arguments', 'r')).toEqual(['remove']);
  });

  it('are given page by page', async () => {
    const world = createWorld();
    for (let index = 0; index < 230; index++) world.skill(`home/.claude/skills/skill-${index}`);
    const { prompts, engine } = skillResourcesOn(world);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await prompts.list(cursor);
      expect(page.prompts.length).toBeLessThanOrEqual(100);
      names.push(...page.prompts.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(names).size).toBe(230);
    expect(names).toHaveLength(230);
    await expect(prompts.list('nonsense')).rejects.toMatchObject({ code: 'usage' });
    const snapshot = await engine.registry.snapshot();
    expect(promptSkillsOf(snapshot)).toBe(promptSkillsOf(snapshot));
  });
});
