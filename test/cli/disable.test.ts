import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CliError } from '../names/machine.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';

const userFile = 'home/.config/repertoire/config.toml';

function pair(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf');
  world.skill('home/.agents/skills/pdf');
  world.skill('home/.agents/skills/csv', { description: 'Profiles tables.' });
  return world;
}

const names = async (world: World, args: readonly string[] = []): Promise<string[]> =>
  (await world.list(args)).skills.map(({ provider, fullName }) => `${provider}:${fullName}`);

describe('disable', () => {
  it('puts every copy of a name aside, and enable has them back', async () => {
    const world = pair();
    expect((await world.run(['disable', 'PDF'])).stdout).toContain('Disabled in ~/.config/repertoire/config.toml:');
    expect(await names(world)).toEqual(['agents:csv']);
    expect(await names(world, ['--disabled'])).toEqual(['agents:pdf', 'claude:pdf']);
    expect((await world.list(['--all'])).skills.map(({ disabled }) => disabled)).toEqual([false, true, true]);
    expect((await world.run(['enable', 'pdf'])).code).toBe(0);
    expect(await names(world)).toEqual(['agents:csv', 'agents:pdf', 'claude:pdf']);
  });

  it('by folder puts that copy aside, and the next one takes its place', async () => {
    const world = pair();
    await world.run(['disable', world.path('home/.agents/skills/pdf')]);
    expect(await names(world)).toEqual(['agents:csv', 'claude:pdf']);
    expect((await world.run(['show', 'pdf', '--path'])).stdout).toBe(`${world.path('home/.claude/skills/pdf')}\n`);
    await world.run(['enable', 'pdf']);
    expect((await world.run(['show', 'pdf', '--path'])).stdout).toBe(`${world.path('home/.agents/skills/pdf')}\n`);
  });

  it('is told by show, run, why and doctor, each with the way back', async () => {
    const world = pair();
    await world.run(['disable', 'csv']);
    for (const command of ['show', 'run', 'tools']) {
      const { error } = (await world.run([command, 'csv', '--json'])).json<{ error: CliError }>();
      expect([command, error.message, error.hint]).toEqual([
        command,
        "Skill 'csv' is disabled.",
        'Type repertoire enable csv to have it back.',
      ]);
    }
    const why = (await world.run(['why', 'csv', '--json'])).json<{ outcome: string; others: { reason: string }[] }>();
    expect([why.outcome, why.others.length]).toEqual(['hidden', 1]);
    expect(why.others[0]?.reason).toMatch(/^it is disabled\. Type repertoire enable csv/);
    const { stdout } = await world.run(['doctor']);
    expect(stdout).toContain('"csv" is disabled, as csv');
    expect((await world.run(['search', 'profiles tables', '--json'])).stdout).not.toContain('csv');
  });

  it('for one agent leaves the others alone', async () => {
    const world = pair();
    expect((await world.run(['disable', 'csv', '--agent', 'codex'])).code).toBe(0);
    expect(readFileSync(world.path(userFile), 'utf8')).toBe('disabled = ["codex=csv"]\n');
    expect(await names(world)).toContain('agents:csv');
    expect(await names(world, ['--exclude', 'native:claude-code'])).toContain('agents:csv');
    for (const token of ['native:codex', 'disabled:codex']) {
      expect(await names(world, ['--exclude', token])).not.toContain('agents:csv');
    }
    // What two agents share is left out only where it is disabled for both.
    expect(await names(world, ['--exclude', 'disabled:codex+cursor'])).toContain('agents:csv');
    expect((await world.run(['enable', 'csv', '--agent', 'codex'])).stdout).toContain('Enabled csv for codex in');
  });

  it('for one agent is listed among the disabled, with its name', async () => {
    const world = pair();
    const { stdout } = await world.run(['disable', 'csv', '--agent', 'codex']);
    expect(stdout).toContain('Codex still sees it: it reads its folder without Repertoire.');
    expect(await names(world, ['--disabled'])).toEqual(['agents:csv']);
    const [{ disabled, disabledFor } = {}] = (await world.list(['--disabled'])).skills;
    expect([disabled, disabledFor]).toEqual([false, ['codex']]);
    for (const args of [['list'], ['list', '--disabled'], ['list', '--all']]) {
      expect((await world.run(args)).stdout, args.join(' ')).toContain('csv [disabled for codex]');
    }
    await world.run(['disable', 'pdf']);
    expect(await names(world, ['--disabled'])).toEqual(['agents:csv', 'agents:pdf', 'claude:pdf']);
    expect((await world.list(['--all'])).skills.map((skill) => skill.disabledFor)).toEqual([['codex'], ['*'], ['*']]);
  });

  it('for an agent that is not known to show anything by itself is in the entry that setup writes', async () => {
    const world = pair();
    const { stdout } = await world.run(['disable', 'csv', '--agent', 'vscode']);
    expect(stdout).toContain('Run repertoire setup vscode, so that its server knows whom it serves.');
    const entry = await world.run(['setup', 'vscode', '--dry-run']);
    expect(entry.stdout).toMatch(/"--exclude",\n\+\s+"disabled:github-copilot"/);
  });

  it('with --project is kept in the project, and adds to what the user has disabled', async () => {
    const world = pair();
    world.write('project/repertoire.toml', '# ours\nexclude = ["x"]\n');
    await world.run(['disable', 'csv', '--project']);
    expect(readFileSync(world.path('project/repertoire.toml'), 'utf8')).toBe(
      '# ours\nexclude = ["x"]\ndisabled = ["csv"]\n',
    );
    await world.run(['disable', 'pdf']);
    expect(await names(world)).toEqual([]);
    const still = await world.run(['enable', 'csv']);
    expect([still.code, still.stdout]).toEqual([
      1,
      'csv is still disabled elsewhere: repertoire config get disabled shows where.\n',
    ]);
    expect((await world.run(['enable', 'csv', '--project'])).code).toBe(0);
    expect(await names(world)).toEqual(['agents:csv']);
  });

  it('knows no name that no skill has', async () => {
    const world = pair();
    const { code, stderr } = await world.run(['disable', 'pfd']);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Skill 'pfd' not found.")]);
    expect(existsSync(world.path(userFile))).toBe(false);
    const absent = await world.run(['enable', 'pdf']);
    expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining('nothing of that name is disabled')]);
  });

  it('as another program does it, by .SKILL.md, is listed and undone', async () => {
    const world = createWorld();
    world.write('home/.claude/skills/pdf/.SKILL.md', '---\nname: pdf\ndescription: PDFs.\n---\n');
    expect((await world.run(['list', '--disabled'])).stdout).toContain(world.path('home/.claude/skills/pdf/.SKILL.md'));
    expect((await world.run(['enable', 'pdf'])).stdout).toBe('Renamed ~/.claude/skills/pdf/SKILL.md.\n');
    expect(await names(world)).toEqual(['claude:pdf']);
  });
});

describe('a running server', () => {
  it('stops loading a skill when it is disabled, and loads it again when it is enabled', async () => {
    const world = pair();
    const server = await connectStdio(world);
    expect(await server.load('csv')).toMatch(/^Loading: csv\n/);
    await world.run(['disable', 'csv']);
    expect(await server.load('csv')).toMatch(/^Skill 'csv' not found\./);
    expect((await server.tools())[0]?.description).not.toContain('<name>csv</name>');
    await world.run(['enable', 'csv']);
    expect(await server.load('csv')).toMatch(/^Loading: csv\n/);
  });
});
