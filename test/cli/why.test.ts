import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { createWorld, type World } from '../support/world.ts';

interface Contender {
  fullName: string;
  provider: string;
  location: string;
  file: string;
  reason: string;
}

interface Why {
  name: string;
  outcome: string;
  step: string | null;
  winner: Contender | null;
  alsoAt: string[];
  others: Contender[];
  problems: { file: string; message: string; line: number | null }[];
  suggestions: string[];
}

async function why(world: World, name: string, args: readonly string[] = []): Promise<Why & { exit: number }> {
  const run = await world.run(['why', name, '--json', ...args]);
  return { ...run.json<Why>(), exit: run.code };
}

describe('why, for a name that is found', () => {
  it('tells the winner, the way of writing, and what it beat', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('project/.claude/skills/pdf');
    world.skill('project/.agents/skills/pdf');
    const told = await why(world, 'pdf');
    expect(told).toMatchObject({ exit: 0, outcome: 'found', step: 'full name', problems: [], suggestions: [] });
    expect(told.winner).toMatchObject({ provider: 'agents', file: world.path('project/.agents/skills/pdf/SKILL.md') });
    expect(told.others.map(({ location, reason }) => [location, reason])).toEqual([
      ['project', expect.stringMatching(/shared/)],
      ['global', expect.stringMatching(/shared/)],
    ]);
    const { others } = await why(world, 'claude:pdf');
    expect(others).toMatchObject([{ location: 'global', reason: 'project comes before global' }]);
  });

  it('tells each way of writing', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'] });
    for (const [name, step] of [
      ['example:pdf', 'full name'],
      ['claude:pdf', 'provider and name'],
      ['claude:example:pdf', 'provider, plugin and name'],
      ['pdf', 'short name'],
      ['skill://example/pdf/SKILL.md', 'URI'],
    ] as const) {
      expect(await why(world, name)).toMatchObject({ outcome: 'found', step, winner: { fullName: 'example:pdf' } });
    }
    expect((await why(world, 'PDF')).winner?.reason).toMatch(/letter case/);
  });

  it('tells people the same, with the other paths that lead there', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.link('home/.claude/skills/pdf', 'home/.codex/skills/pdf');
    const { stdout, code } = await world.run(['why', 'pdf']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pdf is pdf: it matches by full name\./);
    expect(stdout).toContain('~/.claude/skills/pdf/SKILL.md');
    expect(stdout).toMatch(/also reached as ~\/\.codex\/skills\/pdf/);
    expect((await why(world, 'pdf')).alsoAt).toEqual([world.path('home/.codex/skills/pdf')]);
  });
});

describe('why, for a name that is not found', () => {
  it('tells of each that an ambiguous one could mean, by names that work', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/pdf');
    const told = await why(world, 'pdf');
    expect(told).toMatchObject({ exit: 1, outcome: 'ambiguous', winner: null });
    expect(told.others.map((one) => one.reason)).toEqual(['ask for claude:pdf', 'ask for codex:pdf']);
    const { stdout, code } = await world.run(['why', 'pdf']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^pdf is ambiguous/);
    expect(stdout).toMatch(/ask for codex:pdf/);
  });

  it('tells which filter leaves it out', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.codex/skills/csv');
    const excluded = await why(world, 'pdf', ['--exclude', 'p*', '--exclude', 'csv']);
    expect(excluded).toMatchObject({ exit: 1, outcome: 'hidden' });
    expect(excluded.others).toMatchObject([{ fullName: 'pdf', reason: 'left out by --exclude p*' }]);
    const included = await why(world, 'pdf', ['--include', 'codex']);
    expect(included.others[0]?.reason).toBe('left out by --include codex');
    const { stdout } = await world.run(['why', 'pdf', '--include', 'codex']);
    expect(stdout).toMatch(/^pdf exists, but is not seen:\n.*SKILL\.md\n.*left out by --include codex/);
  });

  it('tells that its plugin is switched off or belongs to another project', async () => {
    const world = createWorld();
    installPlugins(world, { 'example@market': ['pdf'] });
    world.writeJson('home/.claude/settings.json', { enabledPlugins: { 'example@market': false } });
    const off = await why(world, 'pdf');
    expect(off).toMatchObject({ exit: 1, outcome: 'hidden', others: [{ fullName: 'example:pdf' }] });
    expect(off.others[0]?.reason).toMatch(/example@market.*switched off/);
  });

  it('tells what is wrong with the file of that name', async () => {
    const world = createWorld();
    world.write('home/.claude/skills/pdf/SKILL.md', '---\nname: pdf\n---\n');
    const told = await why(world, 'PDF');
    expect(told).toMatchObject({ exit: 1, outcome: 'hidden', winner: null, others: [] });
    expect(told.problems).toMatchObject([{ file: world.path('home/.claude/skills/pdf/SKILL.md') }]);
    const { stdout } = await world.run(['why', 'pdf']);
    expect(stdout).toMatch(/~\/\.claude\/skills\/pdf\/SKILL\.md:\d+:\d+\n +.*description/);
  });

  it('offers near names where nothing of that name is there', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/postgres');
    const told = await why(world, 'psotgres');
    expect(told).toMatchObject({ exit: 1, outcome: 'not-found', suggestions: ['postgres'] });
    const { stdout } = await world.run(['why', 'psotgres']);
    expect(stdout).toMatch(/Did you mean: postgres\?/);
    expect(stdout).toContain('repertoire doctor');
  });
});
