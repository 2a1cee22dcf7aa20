import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { createWorld, type World } from '../support/world.ts';
import { fate, report } from './report.ts';

describe('doctor --agent', () => {
  it('knows that one folder linked into an agent’s own is seen there', async () => {
    const world = createWorld();
    world.skill('home/.agents/skills/one');
    world.skill('home/.agents/skills/other');
    world.link('home/.agents/skills/one', 'home/.claude/skills/one');
    expect(await fate(world, 'claude-code', 'one')).toBe('listed left-out');
    expect(await fate(world, 'claude-code', 'other')).toBe('elsewhere served');
    const whole = createWorld();
    whole.skill('home/.agents/skills/one');
    whole.link('home/.agents/skills', 'home/.claude/skills');
    expect(await fate(whole, 'claude-code', 'one')).toBe('listed left-out');
  });

  it('counts a name as taken only by what the agent calls so', async () => {
    const world = createWorld();
    // Claude Code goes by folders: it has a skill called `folder`, and none called `pdf`.
    world.skill('home/.claude/skills/folder', { name: 'pdf', description: 'In Claude’s folder.' });
    world.skill('home/.codex/skills/pdf', { description: 'In Codex’s folder.' });
    const { skills } = await report(world, 'claude-code');
    expect(skills.map(({ file, server }) => `${file.split('/').at(-4)} ${server}`).sort()).toEqual([
      '.claude left-out',
      '.codex served',
    ]);
  });

  it('knows Claude Code’s ways', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf', { description: 'Of the user.' });
    world.skill('project/.claude/skills/pdf', { description: 'Of the project.' });
    world.write('home/.claude/skills/plain/SKILL.md', '# No front matter\n');
    world.write('project/.agents/skills/plain/SKILL.md', '# No front matter\n');
    installPlugins(world, { 'office@market': ['docx'] });
    const { skills, skipped } = await report(world, 'claude-code');
    const of = (name: string): string[] =>
      skills
        .filter(({ fullName }) => fullName === name)
        .map(({ file, state }) => `${state} ${file.slice(world.root.length)}`);
    expect(of('pdf').sort()).toEqual([
      'hidden /project/.claude/skills/pdf/SKILL.md',
      'listed /home/.claude/skills/pdf/SKILL.md',
    ]);
    expect(of('office:docx')).toEqual([expect.stringMatching(/^listed /)]);
    expect(skipped.map(({ file, sees }) => `${sees} ${file.slice(world.root.length)}`).sort()).toEqual([
      'no /project/.agents/skills/plain/SKILL.md',
      'yes /home/.claude/skills/plain/SKILL.md',
    ]);
    const codex = await report(world, 'codex');
    expect(codex.skipped.every(({ sees }) => sees === 'no')).toBe(true);
    expect(codex.skills.find(({ fullName }) => fullName === 'office:docx')).toMatchObject({
      state: 'elsewhere',
      server: 'served',
    });
  });

  it('counts what its author leaves to people as offered to no model', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/by-hand', { extra: 'disable-model-invocation: true' });
    expect(await fate(world, 'claude-code', 'by-hand')).toBe('lost people');
    expect(await fate(world, 'codex', 'by-hand')).toBe('elsewhere people');
    const { stdout } = await world.run(['doctor', '--agent', 'codex']);
    expect(stdout).toMatch(/^Left to people to call; the server offers them as prompts \(1\)$/m);
    expect(stdout).toMatch(/The server adds 0; nothing is missing\.\n$/);
  });

  it('settles names as each agent does', async () => {
    const world = createWorld();
    world.skill('project/.agents/skills/pdf');
    world.skill('home/.agents/skills/pdf');
    const states = async (agent: string): Promise<string[]> => {
      const { skills } = await report(world, agent);
      return skills
        .map(({ file, state, server }) => `${file.slice(world.root.length).split('/')[1]} ${state} ${server}`)
        .sort();
    };
    expect(await states('codex')).toEqual(['home listed left-out', 'project listed left-out']);
    expect(await states('gemini-cli')).toEqual(['home hidden left-out', 'project listed left-out']);
    // Of two copies it does not matter which one it takes.
    expect(await states('opencode')).toEqual(['home hidden left-out', 'project listed left-out']);
    world.skill('home/.claude/skills/pdf');
    expect(await states('codex')).toContain('home elsewhere left-out');
  });

  it('leaves out no other skill of a name that an agent shows', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf', { description: 'Fill in forms.' });
    world.skill('home/.codex/skills/pdf', { description: 'Extract tables.' });
    world.skill('project/.opencode/skills/notes', { description: 'Take notes.' });
    world.skill('home/.config/opencode/skills/notes', { description: 'Take other notes.' });
    const states = async (agent: string): Promise<string[]> =>
      (await report(world, agent)).skills.map(
        ({ file, state, server }) => `${file.slice(world.root.length + 1, -'/SKILL.md'.length)} ${state} ${server}`,
      );
    expect(await states('claude-code')).toContain('home/.codex/skills/pdf elsewhere served');
    // Which of the two it takes is not known; the project's is the one that others are given, too.
    expect(await states('opencode')).toContain('project/.opencode/skills/notes rival served');
    expect(await states('opencode')).toContain('home/.config/opencode/skills/notes rival hidden');
  });

  it('shows the rooms that were seen, by model', async () => {
    const { listing, rules } = await report(createWorld(), 'claude-code');
    expect(listing?.rooms.map((room) => room.with)).toEqual([
      expect.stringContaining('Haiku 4.5'),
      expect.stringContaining('Opus 5.5'),
    ]);
    expect(rules.map(({ what }) => what)).toContainEqual(expect.stringMatching(/^a list of 1,800 characters with/));
  });

  it('says of every rule how it is known, and since when', async () => {
    const world = createWorld();
    const { known, rules } = await report(world, 'copilot-cli');
    expect(known).toBe('running 1.0.102 on 2026-11-16');
    expect(rules).toContainEqual({
      does: 'does not show',
      what: 'a description of more than 1,024 characters',
      known: 'running 1.0.102 on 2026-11-16',
      ...{ by: 'run', version: '1.0.102', date: '2026-11-16' },
    });
    expect(rules).toContainEqual({
      does: 'reads',
      what: 'plugins of copilot',
      known: 'its documentation of 2026-11-15',
      ...{ by: 'documentation', version: null, date: '2026-11-15' },
    });
    const text = async (...args: string[]): Promise<string> =>
      (await world.run(['doctor', '--agent', 'copilot-cli', ...args])).stdout;
    const brief = await text();
    expect(brief).toMatch(
      /^ {2}reads {5}\.github\/skills, .*, ~\/\.agents\/skills \(running 1\.0\.102 on 2026-11-16\)$/m,
    );
    expect(brief).toMatch(/^ {12}plugins of copilot \(its documentation of 2026-11-15\)$/m);
    expect(brief).toMatch(
      /^Does not show skills with \(running 1\.0\.102 on 2026-11-16\)\n(?: {2}.*\n)* {2}a description of more than 1,024/m,
    );
    expect(brief).not.toContain('a paths field, which limits it to some files');
    expect(await text('--all')).toMatch(
      /^Shows \(running .*\)\n(?: {2}.*\n)* {2}a paths field, which limits it to some files$/m,
    );
  });

  it('relies on no plugin that nobody saw the agent load', async () => {
    const { rules } = await report(createWorld(), 'codex');
    const by = (what: string): string[] => rules.filter((rule) => rule.what === what).map((rule) => rule.by);
    expect([by('plugins of codex'), by('/etc/codex/skills'), by('~/.codex/skills')]).toEqual([
      ['documentation'],
      ['documentation'],
      ['run'],
    ]);
  });

  it('takes other names of an agent, and suggests one where none fits', async () => {
    const world = createWorld();
    expect((await report(world, 'vscode')).id).toBe('github-copilot');
    expect((await report(world, 'Claude')).id).toBe('claude-code');
    const wrong = await world.run(['doctor', '--agent', 'codx']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/codx/);
    expect(wrong.stderr).toMatch(/codex/);
    const { stdout } = await world.run(['__complete', 'doctor', '--agent', 'cod']);
    expect(stdout).toBe('codex\tCodex\n');
  });

  it('tells of what the filters leave out', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const { skills, summary } = await report(world, 'codex', ['--exclude', 'pdf']);
    expect(skills).toMatchObject([{ state: 'elsewhere', server: 'filtered' }]);
    expect(summary['missing']).toBe(1);
  });

  it('leaves doctor as it was where no agent is named', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    expect((await world.run(['doctor', '--json'])).json<{ agent: unknown }>().agent).toBeNull();
  });
});

describe('the filter native:AGENT', () => {
  const names = async (world: World, args: readonly string[]): Promise<string[]> =>
    (await world.list(args)).skills.map(({ fullName }) => fullName).sort();

  it('means what the agent shows by itself, and nothing that it loses', async () => {
    const world = createWorld();
    world.skill('home/.agents/skills/seen');
    world.skill('home/.agents/skills/lost', { name: 'n'.repeat(65) });
    world.skill('home/.claude/skills/other');
    world.skill('home/.claude/skills/seen');
    expect(await names(world, ['--exclude', 'native:codex'])).toEqual(['n'.repeat(65), 'other']);
    expect(await names(world, ['--include', 'native:codex'])).toContain('seen');
    expect(await names(world, ['--exclude', 'native:claude'])).toEqual(['n'.repeat(65)]);
  });

  it('is no mistake where the agent sees nothing, and one where there is no such agent', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const codes = async (token: string): Promise<string[]> =>
      (await world.list(['--exclude', token])).diagnostics.map(({ code }) => code);
    expect(await codes('native:codex')).toEqual([]);
    expect(await codes('native:nobody')).toEqual(['filter-no-match']);
  });

  it('is told of by why', async () => {
    const world = createWorld();
    world.skill('home/.agents/skills/pdf');
    const { stdout } = await world.run(['why', 'pdf', '--exclude', 'native:codex']);
    expect(stdout).toContain('--exclude native:codex');
  });
});
