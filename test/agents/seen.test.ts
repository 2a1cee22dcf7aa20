import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { fate, report } from './report.ts';

describe('what agents were seen to do', () => {
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
    ['copilot-cli', 'home/.claude/skills', 'elsewhere served'],
    ['copilot-cli', 'project/.claude/skills', 'listed left-out'],
    ['copilot-cli', 'home/.copilot/skills', 'listed left-out'],
    ['opencode', 'home/.config/opencode/skill', 'listed left-out'],
    ['pi', 'home/.pi/agent/skills', 'listed left-out'],
    ['qwen-code', 'project/.qwen/skills', 'listed left-out'],
    ['qwen-code', 'project/.agents/skills', 'listed left-out'],
    ['qwen-code', 'home/.qwen/skills', 'listed left-out'],
    ['qwen-code', 'home/.agents/skills', 'listed left-out'],
    ['qwen-code', 'home/.claude/skills', 'elsewhere served'],
    ['kimi-code-cli', 'home/.kimi-code/skills', 'listed left-out'],
    ['kimi-code-cli', 'project/.agents/skills', 'listed left-out'],
    ['cline', 'project/.clinerules/skills', 'bare served'],
    ['cline', 'home/.cline/skills', 'bare served'],
    ['cline', 'home/.agents/skills', 'bare served'],
    ['claude-desktop', 'home/.claude/skills', 'elsewhere served'],
    // Nobody saw these read anything: what is written about them leaves nothing out.
    ['github-copilot', 'project/.github/skills', 'unsure served'],
    ['github-copilot', 'home/.claude/skills', 'unsure served'],
    ['goose', 'project/.goose/skills', 'unsure served'],
    ['goose', 'home/.config/agents/skills', 'unsure served'],
    ['cursor', 'home/.codex/skills', 'unsure served'],
    ['cursor', 'home/.agents/skills', 'elsewhere served'],
    ['windsurf', 'home/.codeium/windsurf/skills', 'unsure served'],
    ['zed', 'home/.agents/skills', 'unsure served'],
    ['zed', 'project/.claude/skills', 'elsewhere served'],
    ['amp', 'home/.config/agents/skills', 'unsure served'],
  ])('%s and a skill in %s: %s', async (agent, folder, expected) => {
    const world = createWorld();
    world.skill(`${folder}/pdf`);
    expect(await fate(world, agent, 'pdf')).toBe(expected);
  });

  it.each([
    ['claude-code', ['start', 'between', 'top']],
    ['codex', ['start', 'between', 'top']],
    ['copilot-cli', ['start', 'between', 'top']],
    ['opencode', ['start', 'between', 'top']],
    ['pi', ['start', 'between', 'top']],
    ['gemini-cli', ['start']],
    ['qwen-code', ['start']],
    ['kimi-code-cli', ['top']],
  ])('%s, started two folders down, reads the project folders %j', async (agent, expected) => {
    const world = createWorld();
    const folder = agent === 'claude-code' ? '.claude/skills' : '.agents/skills';
    world.skill(`project/${folder}/top`);
    world.skill(`project/a/${folder}/between`);
    world.skill(`project/a/b/${folder}/start`);
    const { skills } = await report(world, agent, [], 'project/a/b');
    const seen = skills.filter(({ state }) => state === 'listed').map(({ fullName }) => fullName);
    expect(seen.sort()).toEqual([...expected].sort());
    for (const { state, server } of skills) expect(server).toBe(state === 'listed' ? 'left-out' : 'served');
  });

  it('knows what each agent was seen to do with skills of every kind', async () => {
    const agents = 'claude-code codex gemini-cli opencode copilot-cli kimi-code-cli cline pi qwen-code'.split(' ');
    const write: Record<string, (world: World, skill: string) => unknown> = {
      plain: (world, skill) => world.skill(skill),
      'group/nested': (world, skill) => world.skill(skill),
      '.hidden': (world, skill) => world.skill(skill, { name: 'hidden' }),
      '.dot/below-hidden': (world, skill) => world.skill(skill),
      'plain/inside-another': (world, skill) => world.skill(skill),
      'lower-case': (world, skill) => world.write(`${skill}/skill.md`, '---\nname: lower\ndescription: Lower.\n---\n'),
      'byte-order-mark': (world, skill) =>
        world.write(`${skill}/SKILL.md`, '\ufeff---\nname: marked\ndescription: Marked.\n---\n'),
      colon: (world, skill) => world.skill(skill, { description: 'Use-x when: y' }),
      'other-yaml': (world, skill) => world.skill(skill, { extra: 'argument-hint: [a] [b]' }),
      'field-twice': (world, skill) => world.skill(skill, { extra: 'name: field-twice' }),
      'metadata-list': (world, skill) => world.skill(skill, { extra: 'metadata: [a]' }),
      'number-for-name': (world, skill) => world.skill(skill, { name: '1' }),
      'long-name': (world, skill) => world.skill(skill, { name: 'n'.repeat(65) }),
      'space-in-name': (world, skill) => world.skill(skill, { name: 'one two' }),
      'sign-in-name': (world, skill) => world.skill(skill, { name: '-one' }),
      'long-description': (world, skill) => world.skill(skill, { description: 'd'.repeat(1025) }),
      large: (world, skill) => world.skill(skill, { body: 'x'.repeat(600_000) }),
      'people-only': (world, skill) => world.skill(skill, { extra: 'disable-model-invocation: true' }),
      'people-only-in-words': (world, skill) => world.skill(skill, { extra: 'disable-model-invocation: "yes"' }),
      paths: (world, skill) => world.skill(skill, { extra: 'paths: "*.zig"' }),
      'policy-for-codex': (world, skill) => {
        world.skill(skill);
        world.write(`${skill}/agents/openai.yaml`, 'policy:\n  allow_implicit_invocation: false\n');
      },
    };
    // L listed, C cut short, B by its name alone, X not shown, ? not known; in the order of the agents above
    const seen = {
      plain: 'L L L L L L B L L',
      'group/nested': 'X L X L L L X L X',
      '.hidden': 'L X X ? X L B X L',
      '.dot/below-hidden': 'X X X ? X X X X X',
      'plain/inside-another': 'X L X L X X X X X',
      'lower-case': 'X X X X X X X X X',
      'byte-order-mark': 'L X X L L L B X L',
      colon: 'L L L L X X X X L',
      'other-yaml': '? ? ? ? X X X X ?',
      'field-twice': '? ? ? ? ? ? ? ? ?',
      'metadata-list': 'L ? L L ? L ? L ?',
      'number-for-name': '? ? ? ? ? ? ? ? ?',
      'long-name': 'L X L L X L B L L',
      'space-in-name': 'L L L L ? L B L ?',
      'sign-in-name': 'L L L L ? L ? L ?',
      'long-description': 'L C L L X C B L L',
      large: '? L L L ? L B L L',
      'people-only': 'X L L L X X B X X',
      'people-only-in-words': 'X L L L X L B L ?',
      paths: 'X L L L L L B L X',
      'policy-for-codex': 'L X L L L L B L L',
    };
    const manual = /\/(people-only|people-only-in-words|policy-for-codex)\//;
    const serverFor = (file: string, state: string): string => {
      if (['listed', 'shortened'].includes(state)) return 'left-out';
      return manual.test(file) ? 'people' : 'served';
    };
    const letters: Record<string, string> = { listed: 'L', shortened: 'C', bare: 'B', lost: 'X', unsure: '?' };
    const worldWith = (folder: string): World => {
      const world = createWorld();
      for (const [kind, add] of Object.entries(write)) add(world, `${folder}/${kind}`);
      return world;
    };
    const [claude, others] = [worldWith('home/.claude/skills'), worldWith('home/.agents/skills')];
    const columns: Record<string, string>[] = [];
    for (const agent of agents) {
      const { skills } = await report(agent === 'claude-code' ? claude : others, agent);
      const column = skills.map(({ file, state }) => [dirname(file.replace(/^.*?\/skills\//, '')), letters[state]]);
      columns.push(Object.fromEntries(column));
      for (const { file, state, server, reason } of skills) {
        // What is not certainly shown, with enough to go by, is served: to people alone, where its author says so.
        expect(server, `${file}: ${reason}`).toBe(serverFor(file, state));
      }
    }
    const rows = Object.keys(write).map((kind) => [kind, columns.map((column) => column[kind]).join(' ')]);
    expect(Object.fromEntries(rows)).toEqual(seen);
  });

  it.each([
    ['claude-code', 'lost', 'listed'],
    ['codex', 'listed', 'listed'],
    ['gemini-cli', 'listed', 'listed'],
    ['opencode', 'listed', 'listed'],
    ['copilot-cli', 'listed', 'lost'],
    ['kimi-code-cli', 'lost', 'listed'],
    ['pi', 'listed', 'lost'],
    ['qwen-code', 'lost', 'listed'],
  ])('%s and a SKILL.md in the folder of skills: %s; the skill below it: %s', async (agent, above, below) => {
    const world = createWorld();
    const folder = `home/${agent === 'claude-code' ? '.claude' : '.agents'}/skills`;
    world.skill(folder, { name: 'above' });
    world.skill(`${folder}/below`);
    const { skills } = await report(world, agent);
    expect(Object.fromEntries(skills.map(({ fullName, state }) => [fullName, state]))).toEqual({ above, below });
  });

  const addSkills = (world: World, folder: string, from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const name = `skill-${String(at).padStart(3, '0')}`;
      world.skill(`home/${folder}/skills/${name}`, { description: 'word '.repeat(60).trim() });
    }
  };

  it('fits Codex’s list into its room: first all shorter, then some left out', async () => {
    const world = createWorld();
    addSkills(world, '.agents', 0, 60);
    const few = await report(world, 'codex');
    // More than fits where the context is small, but enough of it; all of it where the context is large.
    expect(few.listing?.characters).toBeGreaterThan(few.listing?.rooms[0]?.characters ?? 0);
    expect(few.summary).toMatchObject({ yes: 60, cut: 0, served: 0 });
    addSkills(world, '.agents', 60, 90);
    const some = await report(world, 'codex');
    expect(some.listing?.characters).toBeGreaterThan(some.listing?.rooms.at(-1)?.characters ?? 0);
    expect(new Set(some.skills.map(({ state }) => state))).toEqual(new Set(['shortened']));
    expect(some.skills.every(({ characters }) => (characters ?? 0) >= 60 && (characters ?? 0) < 299)).toBe(true);
    expect(some.summary).toMatchObject({ cut: 90, served: 0 });
    addSkills(world, '.agents', 90, 150);
    const uncertain = await report(world, 'codex');
    expect(uncertain.summary).toMatchObject({ unknown: 150, served: 150 });
    addSkills(world, '.agents', 150, 600);
    const many = await report(world, 'codex');
    const states = many.skills.map(({ state }) => state);
    expect(states[0]).toBe('bare');
    expect(states.at(-1)).toBe('omitted');
    expect(many.summary).toMatchObject({ cut: 600, served: 600, missing: 0 });
    const { stdout } = await world.run(['doctor', '--agent', 'codex']);
    expect(stdout).toMatch(/^Not seen or cut short; the server fills the gap \(600\)$/m);
    expect(stdout).toMatch(/and 590 more \(--all lists them\)/);
    expect(stdout).toMatch(/The server adds 600; nothing is missing\.\n$/);
  });

  it.each([
    ['claude-code', '.claude', 5, 6],
    ['copilot-cli', '.agents', 35, 40],
    ['pi', '.agents', 60, 400],
  ])('leaves nothing out for %s where the list may be full', async (agent, folder, fits, overflows) => {
    const world = createWorld();
    addSkills(world, folder, 0, fits);
    expect((await report(world, agent)).summary).toMatchObject({ yes: fits, served: 0 });
    addSkills(world, folder, fits, overflows);
    const { skills, summary } = await report(world, agent);
    expect(summary).toMatchObject({ unknown: overflows, served: overflows, missing: 0 });
    expect(skills[0]?.reason).toMatch(
      /may show next to nothing of its description: the list of its skills .* fit with/,
    );
  });
});
