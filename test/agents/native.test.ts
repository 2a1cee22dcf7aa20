import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { createWorld, type World } from '../support/world.ts';

interface Row {
  fullName: string;
  file: string;
  state: string;
  sees: string;
  reason: string;
  characters: number | null;
  server: string;
}

interface Report {
  id: string;
  name: string;
  reads: string[];
  excludes: string[];
  listing: { characters: number; limit: number } | null;
  skills: Row[];
  skipped: { file: string; sees: string; reason: string; remedy: string }[];
  summary: Record<string, number>;
}

async function report(world: World, agent: string, args: readonly string[] = []): Promise<Report> {
  const run = await world.run(['doctor', '--json', '--agent', agent, ...args]);
  return run.json<{ agent: Report }>().agent;
}

/** The one row of a name, as `state server`. */
async function fate(world: World, agent: string, name: string): Promise<string> {
  const rows = (await report(world, agent)).skills.filter((row) => row.fullName === name);
  return rows.map(({ state, server }) => `${state} ${server}`).join(', ');
}

describe('doctor --agent', () => {
  it.each([
    ['claude-code', 'project/.claude/skills', 'listed left-out'],
    ['claude-code', 'home/.claude/skills', 'listed left-out'],
    ['claude-code', 'project/.agents/skills', 'elsewhere served'],
    ['codex', 'project/.agents/skills', 'listed left-out'],
    ['codex', 'home/.agents/skills', 'listed left-out'],
    ['codex', 'home/.codex/skills', 'listed left-out'],
    ['codex', 'home/.claude/skills', 'elsewhere served'],
    ['codex', 'project/.agent/skills', 'elsewhere served'],
    ['codex', 'project/skills', 'elsewhere served'],
    ['codex', 'home/.config/agents/skills', 'elsewhere served'],
    ['gemini-cli', 'project/.gemini/skills', 'listed left-out'],
    ['gemini-cli', 'home/.claude/skills', 'elsewhere served'],
    ['github-copilot', 'project/.github/skills', 'listed left-out'],
    ['github-copilot', 'home/.claude/skills', 'listed left-out'],
    ['copilot-cli', 'home/.claude/skills', 'elsewhere served'],
    ['copilot-cli', 'project/.claude/skills', 'listed left-out'],
    ['opencode', 'home/.config/opencode/skill', 'listed left-out'],
    ['goose', 'home/.config/agents/skills', 'listed left-out'],
    ['goose', 'project/.goose/skills', 'listed left-out'],
    ['cursor', 'home/.codex/skills', 'listed left-out'],
    ['cursor', 'home/.agents/skills', 'elsewhere served'],
    ['windsurf', 'home/.codeium/windsurf/skills', 'listed left-out'],
    ['zed', 'home/.agents/skills', 'listed left-out'],
    ['zed', 'project/.claude/skills', 'elsewhere served'],
    ['claude-desktop', 'home/.claude/skills', 'elsewhere served'],
    ['amp', 'home/.config/agents/skills', 'listed left-out'],
    ['pi', 'home/.pi/agent/skills', 'listed left-out'],
  ])('%s and a skill in %s: %s', async (agent, folder, expected) => {
    const world = createWorld();
    world.skill(`${folder}/pdf`);
    expect(await fate(world, agent, 'pdf')).toBe(expected);
  });

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

  it('tells what the parser of each agent loses', async () => {
    const world = createWorld();
    const folder = 'home/.agents/skills';
    world.write(`${folder}/lower/skill.md`, '---\nname: lower\ndescription: Lower.\n---\n');
    world.skill(`${folder}/broken`, { description: 'Use when: asked' });
    world.skill(`${folder}/long`, { name: 'n'.repeat(65) });
    world.skill(`${folder}/slash`, { name: 'a/b' });
    world.skill(`${folder}/Upper`);
    world.write(`${folder}/marked/SKILL.md`, '\ufeff---\nname: marked\ndescription: Marked.\n---\n');
    world.skill(`${folder}/group/nested`);
    world.skill(`${folder}/.hidden/secret`);
    const losses = async (agent: string): Promise<Record<string, string>> => {
      const { skills } = await report(world, agent);
      return Object.fromEntries(
        skills
          .filter(({ state }) => state !== 'listed')
          .map(({ file, state }) => [file.split('/').at(-2) ?? '', state]),
      );
    };
    expect(await losses('codex')).toEqual({ lower: 'lost', long: 'lost', marked: 'lost', secret: 'lost' });
    expect(await losses('gemini-cli')).toEqual({ lower: 'lost', marked: 'lost', nested: 'lost', secret: 'lost' });
    expect(await losses('opencode')).toEqual({ lower: 'lost' });
    expect(await losses('goose')).toEqual({ lower: 'lost', broken: 'lost', slash: 'lost' });
    expect(await losses('github-copilot')).toEqual({ broken: 'unsure' });
    expect(await losses('cline')).toEqual({ lower: 'unsure', broken: 'unsure' });
    expect(await losses('zed')).toMatchObject({ long: 'lost', Upper: 'lost', nested: 'lost', broken: 'unsure' });
    for (const agent of ['codex', 'gemini-cli', 'goose']) {
      const { skills } = await report(world, agent);
      for (const { state, server } of skills) expect(server).toBe(state === 'listed' ? 'left-out' : 'served');
    }
  });

  it('knows Claude Code’s ways', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf', { description: 'Of the user.' });
    world.skill('project/.claude/skills/pdf', { description: 'Of the project.' });
    world.skill('home/.claude/skills/group/nested');
    world.skill('home/.claude/skills/broken', { description: 'Use when: asked' });
    world.skill('home/.claude/skills/by-hand', { extra: 'disable-model-invocation: true' });
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
    expect(of('nested')).toEqual([expect.stringMatching(/^lost /)]);
    expect(of('broken')).toEqual([expect.stringMatching(/^bare /)]);
    expect(of('by-hand')).toEqual([expect.stringMatching(/^listed /)]);
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
    expect(await states('opencode')).toEqual(['home rival left-out', 'project rival left-out']);
    world.skill('home/.claude/skills/pdf');
    expect(await states('codex')).toContain('home elsewhere left-out');
  });

  it('fits Codex’s list into its room: first all shorter, then some left out', async () => {
    const world = createWorld();
    const add = (from: number, to: number): void => {
      for (let at = from; at < to; at++) {
        world.skill(`home/.agents/skills/skill-${String(at).padStart(3, '0')}`, {
          description: 'word '.repeat(60).trim(),
        });
      }
    };
    add(0, 8);
    const few = await report(world, 'codex');
    expect(few.summary).toMatchObject({ yes: 8, cut: 0, served: 0 });
    add(8, 24);
    const some = await report(world, 'codex');
    expect(some.listing?.characters).toBeGreaterThan(some.listing?.limit ?? 0);
    expect(new Set(some.skills.map(({ state }) => state))).toEqual(new Set(['shortened']));
    expect(some.skills.every(({ characters }) => (characters ?? 0) >= 60 && (characters ?? 0) < 299)).toBe(true);
    expect(some.summary).toMatchObject({ cut: 24, served: 0 });
    add(24, 200);
    const many = await report(world, 'codex');
    const states = many.skills.map(({ state }) => state);
    expect(states[0]).toBe('bare');
    expect(states.at(-1)).toBe('omitted');
    expect(many.summary).toMatchObject({ cut: 200, served: 200, missing: 0 });
    const { stdout } = await world.run(['doctor', '--agent', 'codex']);
    expect(stdout).toMatch(/^Not seen or cut short; the server fills the gap \(200\)$/m);
    expect(stdout).toMatch(/and 190 more \(--all lists them\)/);
    expect(stdout).toMatch(/The server adds 200; nothing is missing\.\n$/);
  });

  it('keeps every name in Claude Code’s list, and drops descriptions', async () => {
    const world = createWorld();
    for (let at = 0; at < 40; at++) {
      world.skill(`home/.claude/skills/skill-${String(at).padStart(3, '0')}`, {
        description: 'word '.repeat(80).trim(),
      });
    }
    world.skill('home/.claude/skills/aaa', { description: 'word '.repeat(400).trim() });
    const { skills } = await report(world, 'claude-code');
    const stateOf = (name: string): string | undefined => skills.find(({ fullName }) => fullName === name)?.state;
    expect(stateOf('aaa')).toBe('shortened');
    expect(skills.find(({ fullName }) => fullName === 'aaa')?.characters).toBe(1536);
    expect(stateOf('skill-000')).toBe('listed');
    expect(stateOf('skill-039')).toBe('bare');
    expect(skills.filter(({ state }) => state === 'bare').every(({ server }) => server === 'served')).toBe(true);
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
