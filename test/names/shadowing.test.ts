import { describe, expect, it } from 'vitest';
import { createWorld, type ListedSkill, type World } from '../support/world.ts';
import { folderOf, refusalOf } from './machine.ts';

/** What `list` says of one folder's skill, and what it says about being hidden. */
async function shadowOf(world: World, folder: string): Promise<{ shadowed: boolean; told: string[] }> {
  const { skills, diagnostics } = await world.list();
  const skill = skills.find((one) => one.dir === world.path(folder)) as ListedSkill;
  const told = diagnostics.filter((one) => one.code === 'shadowed' && one.file === skill.file);
  return { shadowed: skill.shadowed, told: told.map((one) => one.message) };
}

describe('of two copies of one name', () => {
  it("the project's hides the user's of the same agent [C1-SHADOW-01 S3-TEST-05 S0-LOAD-01]", async () => {
    const world = createWorld();
    for (const agent of ['claude', 'codex', 'cursor', 'gemini']) {
      world.skill(`home/.${agent}/skills/${agent}-review`, { description: 'The copy at home.' });
      world.skill(`project/.${agent}/skills/${agent}-review`, { description: 'The copy of the project.' });
      const [project, home] = [`project/.${agent}/skills`, `home/.${agent}/skills`];
      expect(await folderOf(world, `${agent}-review`)).toBe(`${project}/${agent}-review`);
      expect(await folderOf(world, `${agent}:${agent}-review`)).toBe(`${project}/${agent}-review`);
      const hidden = await shadowOf(world, `${home}/${agent}-review`);
      expect(hidden.shadowed).toBe(true);
      expect(hidden.told.join()).toContain(world.path(`${project}/${agent}-review/SKILL.md`));
      expect((await shadowOf(world, `${project}/${agent}-review`)).shadowed).toBe(false);
    }
  });

  it("the project's ./skills hides the user's shared folder [C1-SHADOW-01]", async () => {
    const world = createWorld();
    world.skill('home/.agents/skills/review');
    world.skill('project/skills/review');
    expect(await folderOf(world, 'review')).toBe('project/skills/review');
  });

  it('--on-duplicate first changes nothing that a rule has settled [C1-SHADOW-01 C1-AMBIG-05]', async () => {
    const world = createWorld();
    world.skill('home/.agents/skills/review');
    world.skill('project/skills/review');
    world.skill('home/.codex/skills/test');
    world.skill('project/.codex/skills/test');
    const first = ['--on-duplicate', 'first'];
    expect(await folderOf(world, 'test', first)).toBe('project/.codex/skills/test');
    expect(await folderOf(world, 'review', first)).toBe('project/skills/review');
  });

  it('one in a folder the user named hides those of agents and of every agent [C1-SHADOW-02]', async () => {
    const world = createWorld();
    world.skill('extra/deep/inside/pdf');
    world.skill('project/.agents/skills/pdf');
    world.skill('project/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf');
    const named = ['--skill-dir', world.path('extra')];
    expect(await folderOf(world, 'pdf', named)).toBe('extra/deep/inside/pdf');
    expect(await folderOf(world, 'file:pdf', named)).toBe('extra/deep/inside/pdf');
    expect(await folderOf(world, 'pdf', ['--skill-dir', `${world.path('extra')}?scope=codex`])).toBe(
      'extra/deep/inside/pdf',
    );
    const { skills } = await world.list(named);
    expect(skills.map((skill) => [skill.provider, skill.shadowed])).toEqual([
      ['file', false],
      ['agents', true],
      ['claude', true],
      ['codex', true],
    ]);
  });

  it('one in the folder that was named first hides one in a folder named later', async () => {
    const world = createWorld();
    world.skill('one/pdf');
    world.skill('two/pdf');
    const both = ['--skill-dir', world.path('two'), '--skill-dir', world.path('one')];
    expect(await folderOf(world, 'pdf', both)).toBe('two/pdf');
  });

  it('one of the shared folders hides those of single agents, even from farther away [C1-SHADOW-03]', async () => {
    const world = createWorld();
    world.skill('home/.agents/skills/pdf');
    world.skill('project/.claude/skills/pdf');
    world.skill('project/.codex/skills/pdf');
    expect(await folderOf(world, 'pdf')).toBe('home/.agents/skills/pdf');
    expect(await folderOf(world, 'claude:pdf')).toBe('project/.claude/skills/pdf');
    expect((await shadowOf(world, 'project/.claude/skills/pdf')).shadowed).toBe(true);
  });

  it('one of the shared folders settles what two agents would leave open [C1-SHADOW-03]', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf');
    expect((await refusalOf(world, 'pdf')).code).toBe('ambiguous');
    world.skill('home/.config/agents/skills/pdf');
    expect(await folderOf(world, 'pdf')).toBe('home/.config/agents/skills/pdf');
  });

  it('the one nearer to the working directory hides the one farther up', async () => {
    const world = createWorld();
    world.skill('project/.claude/skills/pdf');
    world.skill('project/packages/app/.claude/skills/pdf');
    const run = await world.run(['show', 'pdf', '--json'], { cwd: 'project/packages/app' });
    expect(run.json<{ skill: ListedSkill }>().skill.dir).toBe(world.path('project/packages/app/.claude/skills/pdf'));
    expect(await folderOf(world, 'pdf')).toBe('project/.claude/skills/pdf');
  });
});

describe('one folder reached by two paths', () => {
  it('is one skill, hidden by nothing', async () => {
    const world = createWorld();
    world.skill('shared/pdf');
    world.link('shared/pdf', 'home/.claude/skills/pdf');
    world.link('shared/pdf', 'home/.codex/skills/pdf');
    const { skills } = await world.list();
    expect(skills.map((skill) => [skill.id, skill.shadowed])).toEqual([[world.path('shared/pdf'), false]]);
    expect(await folderOf(world, 'pdf')).toBe('home/.claude/skills/pdf');
  });
});
