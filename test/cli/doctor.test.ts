import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { isRoot } from '../support/root.ts';
import { createWorld, type ListedDiagnostic, type World } from '../support/world.ts';

interface Doctor {
  roots: { path: string; provider: string; location: string; plugin: string | null; status: string; skills: number }[];
  diagnostics: ListedDiagnostic[];
  summary: { skills: number; visible: number; errors: number; warnings: number; notes: number };
}

async function doctor(world: World, args: readonly string[] = []): Promise<Doctor> {
  return (await world.run(['doctor', '--json', ...args])).json<Doctor>();
}

describe('doctor', () => {
  it('shows every folder that was searched and what was found there', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    world.skill('home/.claude/skills/csv');
    world.folder('home/.codex/skills');
    installPlugins(world, { 'example@market': ['docx'] });
    const { roots } = await doctor(world);
    const rootAt = (path: string): unknown => roots.find((root) => root.path === world.path(path));
    expect(rootAt('home/.claude/skills')).toEqual({
      path: world.path('home/.claude/skills'),
      provider: 'claude',
      location: 'global',
      plugin: null,
      status: 'found',
      skills: 2,
    });
    expect(rootAt('home/.codex/skills')).toMatchObject({ status: 'found', skills: 0 });
    expect(rootAt('project/.claude/skills')).toMatchObject({ status: 'missing', location: 'project', skills: 0 });
    expect(roots.filter((root) => root.plugin !== null)).toMatchObject([{ plugin: 'example@market', skills: 1 }]);
    const { stdout } = await world.run(['doctor']);
    expect(stdout).toMatch(/^ +2 skills {2}~\/\.claude\/skills {2}claude · global$/m);
    expect(stdout).not.toMatch(/ missing {2}/);
    expect(stdout).toMatch(/and \d+ folders that do not exist/);
    expect((await world.run(['doctor', '--all'])).stdout).toMatch(
      /^ +missing {2}\.claude\/skills {2}claude · project$/m,
    );
  });

  it('ends with 0 where all is well, and with 1 where something was skipped', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    const well = await world.run(['doctor']);
    expect(well.code).toBe(0);
    expect(well.stdout).toMatch(/\n1 skill found; nothing to report\.\n$/);
    world.skill('home/.claude/skills/mended', { description: 'Use when: asked' });
    expect((await world.run(['doctor'])).code).toBe(0);
    world.write('home/.claude/skills/bad/SKILL.md', 'nothing');
    const bad = await world.run(['doctor']);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/2 skills found; 1 skipped, 1 warning, \d+ notes?\.\n$/);
  });

  it('tells of each problem where it is and what to do', async () => {
    const world = createWorld();
    world.write('home/.claude/skills/bad/SKILL.md', '---\nname: bad\n---\n');
    world.skill('home/.claude/skills/mended', { description: 'Use when: asked' });
    world.skill('home/.claude/skills/pdf');
    world.skill('project/.claude/skills/pdf');
    world.skill('home/.codex/skills/xml');
    world.skill('home/.cursor/skills/xml');
    const { stdout } = await world.run(['doctor']);
    expect(stdout).toMatch(/^Skipped \(1\)\n {2}~\/\.claude\/skills\/bad\/SKILL\.md:\d+:\d+\n {6}.+\n {6}→ .+/m);
    expect(stdout).toMatch(/^Warnings \(3\)\n/m);
    expect(stdout).toMatch(/^ {2}~\/\.claude\/skills\/mended\/SKILL\.md:\d+:\d+\n/m);
    expect(stdout).toMatch(/"xml" is also the name of another skill/);
    expect(stdout).toMatch(/^Notes \(\d+\)\n[\s\S]*"pdf" \(claude, global\) is hidden by/m);
    const { summary, diagnostics } = await doctor(world);
    expect(summary).toMatchObject({ skills: 5, visible: 4, errors: 1, warnings: 3 });
    for (const one of diagnostics) expect(one.remedy, one.code).toMatch(/\S/);
  });

  it('notes what some clients cut off or do not see', async () => {
    const world = createWorld();
    world.write('home/.claude/skills/lower/skill.md', '---\nname: lower\ndescription: Lower case.\n---\n');
    world.skill('home/.claude/skills/long', { description: 'word '.repeat(250).trim() });
    world.skill('home/.claude/skills/longer', { description: 'word '.repeat(400).trim() });
    world.skill('home/.claude/skills/named', { name: 'n'.repeat(65) });
    const { diagnostics, summary } = await doctor(world);
    const noted = diagnostics.filter((one) => one.code === 'client-limit').map((one) => one.file.split('/').at(-2));
    expect(new Set(noted)).toEqual(new Set(['long', 'longer', 'lower', 'named']));
    expect(summary).toMatchObject({ errors: 0, warnings: 0, notes: 7 });
  });

  it('notes a skill that MCP clients do not see as a resource because of one file', async () => {
    const world = createWorld();
    world.folder('cache');
    world.mode('', 0o755);
    world.mode('cache', 0o777);
    world.skill('home/.claude/skills/pdf');
    world.write('home/.claude/skills/pdf/closed.txt', 'x');
    world.mode('home/.claude/skills/pdf/closed.txt', 0);
    const ordinary = isRoot ? { uid: 65534 } : {};
    const { diagnostics } = (await world.run(['doctor', '--json'], ordinary)).json<Doctor>();
    expect(diagnostics).toMatchObject([
      { code: 'extension-excluded', severity: 'info', message: expect.stringContaining('"closed.txt" cannot be read') },
    ]);
  });

  it('lists ten of a kind and counts the rest, unless all are asked for', async () => {
    const world = createWorld();
    for (let index = 0; index < 14; index++) world.write(`home/.claude/skills/bad${index}/SKILL.md`, 'nothing');
    const some = await world.run(['doctor']);
    expect(some.stdout.match(/bad\d+\/SKILL\.md/g)).toHaveLength(10);
    expect(some.stdout).toMatch(/and 4 more of frontmatter-missing/);
    const all = await world.run(['doctor', '--all']);
    expect(all.stdout.match(/bad\d+\/SKILL\.md/g)).toHaveLength(14);
    expect(all.stdout).not.toMatch(/ more of /);
  });
});
