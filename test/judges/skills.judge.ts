import { existsSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { lockIn, Repository, skillText, treeOf } from '../install/repository.ts';
import { World } from '../support/world.ts';
import { runJudge } from './node.ts';

const worlds: World[] = [];

/** A machine with a repository of two skills. */
function machine(): {
  world: World;
  repository: Repository;
  skills: (...args: string[]) => ReturnType<typeof runJudge>;
} {
  const world = new World();
  worlds.push(world);
  world.folder('home/.claude');
  const repository = new Repository(world);
  repository.commit({
    'skills/pdf/SKILL.md': skillText('pdf'),
    'skills/pdf/references/B.md': 'B.\n',
    'skills/pdf/references/a.md': 'a.\n',
    'skills/xls/SKILL.md': skillText('xls'),
  });
  return { world, repository, skills: (...args) => runJudge(world, 'skills/bin/cli.mjs', args) };
}

interface Listed {
  readonly name: string;
  readonly agents: readonly string[];
  readonly sourceType: string | null;
}

afterAll(() => {
  for (const { root } of worlds) rmSync(root, { recursive: true, force: true });
});

describe("the field's installer", () => {
  it('reads what we installed, and keeps our keys when it adds a skill of its own', async ({ expect }) => {
    const { world, skills } = machine();
    const added = await world.run(['add', '../repository', '--skill', 'pdf', '--agent', 'claude-code', '--yes']);
    expect(added.code, added.stderr).toBe(0);
    const ours = lockIn(world).skills['pdf'];
    const listed = await skills('list', '--json');
    expect(JSON.parse(listed.stdout) as Listed[]).toMatchObject([
      { name: 'pdf', agents: expect.arrayContaining(['Claude Code']) as string[], sourceType: 'local' },
    ]);
    const theirs = await skills('add', '../repository', '--skill', 'xls', '--agent', 'claude-code', 'codex', '-y');
    expect(theirs.code, theirs.stdout).toBe(0);
    expect(lockIn(world).skills['pdf']).toEqual(ours);
  });

  it('computes the same hashes, and finds nothing to update in what we installed', async ({ expect }) => {
    const { world, skills } = machine();
    const theirs = await skills('add', '../repository', '--agent', 'claude-code', 'codex', '-y');
    expect(theirs.code, theirs.stdout).toBe(0);
    const hashes = Object.values(lockIn(world).skills).map(({ computedHash }) => computedHash);
    const other = machine();
    await other.world.run(['add', '../repository', '--yes']);
    expect(Object.values(lockIn(other.world).skills).map(({ computedHash }) => computedHash)).toEqual(hashes);
  });

  it('removes what we installed, and its own lock file is as ours would be', async ({ expect }) => {
    const { world, skills } = machine();
    await world.run(['add', '../repository', '--agent', 'claude-code', '--yes']);
    const removed = await skills('remove', 'pdf', '-y');
    expect(removed.code, removed.stdout).toBe(0);
    expect(Object.keys(lockIn(world).skills)).toEqual(['xls']);
    expect(existsSync(world.path('project/.agents/skills/pdf'))).toBe(false);
    expect((await world.run(['verify'])).code).toBe(0);
  });

  it('restores a project from the lock file that we wrote', async ({ expect }) => {
    const { world, skills } = machine();
    await world.run(['add', '../repository', '--yes']);
    const before = treeOf(world.path('project/.agents'));
    rmSync(world.path('project/.agents'), { recursive: true });
    const restored = await skills('experimental_install');
    expect(restored.code, restored.stdout).toBe(0);
    expect(treeOf(world.path('project/.agents'))).toEqual(before);
  });
});

describe('what the installer has written', () => {
  it('is read, verified, updated and removed by us', async ({ expect }) => {
    const { world, repository, skills } = machine();
    const theirs = await skills('add', '../repository', '--agent', 'claude-code', 'codex', '-y');
    expect(theirs.code, theirs.stdout).toBe(0);
    const verified = await world.run(['verify']);
    expect([verified.code, verified.stdout]).toEqual([0, '2 skills: all as skills-lock.json says.\n']);
    repository.commit({ 'skills/pdf/SKILL.md': skillText('pdf', '\nNewer.\n') });
    expect((await world.run(['outdated'])).stdout).toContain('outdated  pdf');
    const updated = await world.run(['update', '--yes']);
    expect(updated.code, updated.stdout + updated.stderr).toBe(0);
    expect(readFileSync(world.path('project/.claude/skills/pdf/SKILL.md'), 'utf8')).toContain('Newer.');
    expect((await world.run(['install', '--frozen'])).code).toBe(0);
    expect((await world.run(['remove', '--all', '--yes'])).code).toBe(0);
    expect(Object.keys(treeOf(world.project))).toEqual(['skills-lock.json']);
  });

  it('at home is read, verified and removed by us', async ({ expect }) => {
    const { world, skills } = machine();
    const theirs = await skills('add', '../repository', '--agent', 'claude-code', 'codex', '-g', '-y');
    expect(theirs.code, theirs.stdout).toBe(0);
    const verified = await world.run(['verify', '--global']);
    expect([verified.code, verified.stdout]).toEqual([0, '2 skills: all as ~/.agents/.skill-lock.json says.\n']);
    expect((await world.run(['update', '--global', '--yes'])).code).toBe(0);
    expect(Object.keys(lockIn(world, 'home/.agents/.skill-lock.json').skills)).toEqual(['pdf', 'xls']);
    expect((await world.run(['remove', '--all', '--global', '--yes'])).code).toBe(0);
    expect(
      Object.keys(treeOf(world.home)).filter((path) => /skills\/(?:pdf|xls)/.test(path) && !path.startsWith('.local')),
    ).toEqual([]);
  });
});
