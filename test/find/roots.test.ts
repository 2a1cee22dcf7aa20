import { describe, expect, it } from 'vitest';
import { agentFolders } from '../../src/agents/folders.ts';
import { configurationOf } from '../../src/core/config/values.ts';
import { hostEnvironment } from '../../src/core/environment.ts';
import { scan } from '../../src/discovery/scan.ts';
import { createWorld, type World } from '../support/world.ts';
import { type AgentFolders, otherAgents } from './agent-folders.ts';

/** A skill in this folder, and in no other, is found as what the folder makes it. */
async function expectRoot(folder: string, provider: string, location: string): Promise<void> {
  const world = createWorld();
  const dir = world.skill(`${folder}/pdf`);
  const { skills, diagnostics } = await world.list();
  const expected = { name: 'pdf', fullName: 'pdf', provider, location, plugin: null, dir, id: dir, shadowed: false };
  expect(skills).toEqual([expect.objectContaining({ ...expected, file: `${dir}/SKILL.md` })]);
  expect(diagnostics).toEqual([]);
}

/** Of two skills of one name, the one that a plain request means. */
async function expectWinner(winner: string, loser: string, args: readonly string[] = []): Promise<void> {
  const world = createWorld();
  const [strong] = [world.skill(`${winner}/pdf`), world.skill(`${loser}/pdf`)];
  const run = await world.run(['show', 'pdf', '--json', ...args]);
  expect(run.stdout).not.toContain('"error"');
  expect(run.json<{ skill: { dir: string } }>().skill.dir).toBe(strong);
}

const placesOf = async (world: World): Promise<Map<string, string>> =>
  new Map((await world.list()).skills.map((one) => [one.name, `${one.provider} ${one.location}`]));

describe('the shared folders', () => {
  it('a project keeps shared skills in .agent/skills [C1-ROOT-06]', () =>
    expectRoot('project/.agent/skills', 'agents', 'project'));
  it('a project keeps shared skills in .agents/skills [C1-ROOT-07]', () =>
    expectRoot('project/.agents/skills', 'agents', 'project'));
  it('a user keeps shared skills in ~/.agent/skills [C1-ROOT-08]', () =>
    expectRoot('home/.agent/skills', 'agents', 'global'));
  it('a user keeps shared skills in ~/.agents/skills [C1-ROOT-09]', () =>
    expectRoot('home/.agents/skills', 'agents', 'global'));
  it('a user keeps shared skills in ~/.config/agents/skills [C1-ROOT-10]', () =>
    expectRoot('home/.config/agents/skills', 'agents', 'global'));
  it('a project keeps skills in ./skills [C1-ROOT-22]', () => expectRoot('project/skills', 'agents', 'project'));

  it('XDG_CONFIG_HOME moves the shared folder in the configuration; a relative value does not [C1-ROOT-10]', async () => {
    const world = createWorld();
    world.skill('xdg/agents/skills/moved');
    world.skill('home/.config/agents/skills/usual');
    const names = async (value: string): Promise<string[]> =>
      (await world.list([], { env: { XDG_CONFIG_HOME: value } })).skills.map((one) => one.name);
    expect(await names(world.path('xdg'))).toEqual(['moved']);
    expect(await names('../xdg')).toEqual(['usual']);
    expect(await names('')).toEqual(['usual']);
  });
});

describe('the folders of Claude Code and Codex', () => {
  it('a project keeps Claude skills in .claude/skills [C1-ROOT-11]', () =>
    expectRoot('project/.claude/skills', 'claude', 'project'));
  it('a user keeps Claude skills in ~/.claude/skills [C1-ROOT-12]', () =>
    expectRoot('home/.claude/skills', 'claude', 'global'));
  it('a project keeps Codex skills in .codex/skills [C1-ROOT-14]', () =>
    expectRoot('project/.codex/skills', 'codex', 'project'));
  it('a user keeps Codex skills in ~/.codex/skills [C1-ROOT-15]', () =>
    expectRoot('home/.codex/skills', 'codex', 'global'));

  it('a variable moves the global root of Claude Code and of Codex [C1-ROOT-13 C1-ROOT-16]', async () => {
    const world = createWorld();
    for (const name of ['claude', 'codex']) {
      world.skill(`elsewhere/${name}/skills/${name}-moved`);
      world.skill(`home/.${name}/skills/${name}-usual`);
      world.skill(`project/.${name}/skills/${name}-project`);
    }
    const listed = async (env: Record<string, string>): Promise<string[]> =>
      (await world.list([], { env })).skills.map((one) => `${one.name} ${one.provider} ${one.location}`);
    expect(
      await listed({ CLAUDE_CONFIG_DIR: world.path('elsewhere/claude'), CODEX_HOME: world.path('elsewhere/codex') }),
    ).toEqual([
      'claude-project claude project',
      'claude-moved claude global',
      'codex-project codex project',
      'codex-moved codex global',
    ]);
    expect(await listed({ CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' })).toEqual([
      'claude-project claude project',
      'claude-usual claude global',
      'codex-project codex project',
      'codex-usual codex global',
    ]);
  });

  it("the machine's Codex skills come last of the Codex roots [C1-ROOT-17]", async () => {
    const world = createWorld();
    const doctor = await world.run(['doctor', '--json']);
    const { roots } = doctor.json<{ roots: { path: string; provider: string; location: string }[] }>();
    const codex = roots.filter((one) => one.provider === 'codex');
    expect(codex.map((one) => [one.path, one.location])).toEqual([
      [world.path('project/.codex/skills'), 'project'],
      [world.path('home/.codex/skills'), 'global'],
      ['/etc/codex/skills', 'global'],
    ]);
    // The machine's folder itself is not ours to write to, so it is moved to show that skills in it are found.
    for (const folder of ['project/.codex', 'home/.codex', 'etc/codex']) world.skill(`${folder}/skills/pdf`);
    const { home, project: cwd } = world;
    const env = { XDG_CACHE_HOME: world.path('cache') };
    const environment = hostEnvironment({ home, cwd, env, systemDir: world.path('etc') });
    const found = await scan(configurationOf({ skipPlugins: true }).values, environment, new Map());
    expect(found.skills.map((one) => [one.dir, one.provider, one.location])).toEqual([
      [world.path('project/.codex/skills/pdf'), 'codex', 'project'],
      [world.path('home/.codex/skills/pdf'), 'codex', 'global'],
      [world.path('etc/codex/skills/pdf'), 'codex', 'global'],
    ]);
  });
});

/** Puts one skill into each folder of a kind; returns what each must be found as. */
function fill(world: World, kind: 'project' | 'global', base: string): Map<string, string> {
  const expected = new Map<string, string>();
  for (const agent of otherAgents) {
    for (const [index, folder] of agent[kind].entries()) {
      const name = `${agent.provider}-${index}`;
      world.skill(`${base}/${folder}/${name}`);
      expected.set(name, `${agent.provider} ${kind}`);
    }
  }
  return expected;
}

describe('the folders of every other agent', () => {
  it('are all in the table below', () => {
    const others = (provider: string): boolean => !['agents', 'claude', 'codex'].includes(provider);
    const known = agentFolders.map(({ provider }) => provider).filter(others);
    expect(otherAgents.map((one) => one.provider).sort()).toEqual(known.sort());
  });

  it('each is a root in a project, called after its agent [C1-ROOT-18]', async () => {
    const world = createWorld();
    const expected = fill(world, 'project', 'project');
    expect(await placesOf(world)).toEqual(expected);
  });

  it('each is a root at home, called after its agent, wherever the agent has it [C1-ROOT-19 C1-ROOT-20]', async () => {
    const world = createWorld();
    const expected = fill(world, 'global', 'home');
    expect(await placesOf(world)).toEqual(expected);
    expect(expected.get('windsurf-0')).toBe('windsurf global');
  });

  it('Windsurf keeps global skills in ~/.codeium/windsurf/skills and not where projects do [C1-ROOT-20]', async () => {
    const world = createWorld();
    world.skill('home/.codeium/windsurf/skills/right');
    world.skill('home/.windsurf/skills/wrong');
    expect(await placesOf(world)).toEqual(new Map([['right', 'windsurf global']]));
  });

  it('a variable moves the global folder of the agents that have one [C1-ROOT-19]', async () => {
    const world = createWorld();
    const env: Record<string, string> = { XDG_CONFIG_HOME: world.path('moved/config') };
    for (const name of ['vibe', 'hermes', 'grok', 'autohand']) {
      env[`${name.toUpperCase()}_HOME`] = world.path(`moved/${name}`);
      world.skill(`moved/${name}/skills/${name}-moved`);
      world.skill(`home/.${name}/skills/${name}-usual`);
    }
    for (const name of ['crush', 'devin', 'goose', 'opencode']) {
      world.skill(`moved/config/${name}/skills/${name}-moved`);
      world.skill(`home/.config/${name}/skills/${name}-usual`);
    }
    const { skills } = await world.list([], { env });
    const moved = ['autohand', 'crush', 'devin', 'goose', 'grok', 'hermes', 'opencode', 'vibe'];
    expect(skills.map((one) => one.name).sort()).toEqual(moved.map((name) => `${name}-moved`));
    expect(skills.filter((one) => one.name !== `${one.provider}-moved` || one.location !== 'global')).toEqual([]);
  });

  it('the one in the project ranks above the one at home [C1-ROOT-21]', async () => {
    const world = createWorld();
    const both = otherAgents.filter((one) => one.project.length > 0 && one.global.length > 0);
    const [strong, weak] = [new Set<string>(), new Set<string>()];
    const first = ({ project, global }: AgentFolders): [string, string] => [project[0] ?? '', global[0] ?? ''];
    for (const agent of both) {
      const [project, global] = first(agent);
      strong.add(world.skill(`project/${project}/its-${agent.provider}`));
      weak.add(world.skill(`home/${global}/its-${agent.provider}`));
    }
    const { skills } = await world.list();
    expect(new Set(skills.filter((one) => !one.shadowed).map((one) => one.dir))).toEqual(strong);
    expect(new Set(skills.filter((one) => one.shadowed).map((one) => one.dir))).toEqual(weak);
  });
});

describe('the rank of roots', () => {
  it('all of them are searched, in the order of the contract [C1-ROOT-29 S1-INIT-05]', async () => {
    const world = createWorld();
    const folders = [
      'named',
      'project/.agent/skills',
      'project/.agents/skills',
      'home/.agent/skills',
      'home/.agents/skills',
      'home/.config/agents/skills',
      'project/.claude/skills',
      'home/.claude/skills',
      'project/.codex/skills',
      'home/.codex/skills',
      'project/.cursor/skills',
      'home/.cursor/skills',
      'project/.zencoder/skills',
      'home/.zencoder/skills',
      'project/skills',
    ];
    const dirs = folders.map((folder, index) => world.skill(`${folder}/z${String.fromCharCode(122 - index)}`));
    dirs.push(world.skill('plugin/skills/aa'), world.skill('home/.gemini/extensions/kit/skills/ab'));
    world.writeJson('home/.claude/plugins/installed_plugins.json', {
      version: 2,
      plugins: { 'kit@shop': [{ scope: 'user', installPath: world.path('plugin') }] },
    });
    const { skills } = await world.list(['--skill-dir', world.path('named')]);
    expect(skills.map((one) => one.dir)).toEqual(dirs);
  });

  const agentsFolders = 'project/.agents/skills';
  it('a shared skill of the project wins over one of the user [S3-DISC-01]', () =>
    expectWinner('project/.agent/skills', 'home/.agent/skills'));
  it("a shared skill of the user wins over Claude's in the project [S3-DISC-02]", () =>
    expectWinner('home/.agent/skills', 'project/.claude/skills'));
  it("Claude's skill in the project wins over the one at home [S3-DISC-03 C1-ROOT-12]", () =>
    expectWinner('project/.claude/skills', 'home/.claude/skills'));
  it('the first root wins: a named folder, then the shared ones in their order [S3-DISC-04]', async () => {
    await expectWinner('named', agentsFolders, ['--skill-dir', '../named']);
    await expectWinner('project/.agent/skills', agentsFolders);
    await expectWinner('home/.agent/skills', 'home/.agents/skills');
    await expectWinner('home/.agents/skills', 'home/.config/agents/skills');
    await expectWinner(agentsFolders, 'project/skills');
    await expectWinner('home/.config/agents/skills', 'home/.codex/skills');
    await expectWinner('project/skills', 'project/.cursor/skills');
    await expectWinner('project/.codex/skills', 'home/.codex/skills');
  });
});
