import { cpSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { Repository, skillText, treeOf } from './repository.ts';

interface Installed {
  ok: boolean;
  installed: string[];
  differences: { name: string; kind: string; what: string; files: string[] }[];
}

const lockFile = 'project/skills-lock.json';
const lockOf = (world: World): string => readFileSync(world.path(lockFile), 'utf8');

async function installed(): Promise<{ world: World; repository: Repository }> {
  const world = createWorld();
  const repository = new Repository(world);
  repository.commit({
    'skills/pdf/SKILL.md': skillText('pdf'),
    'skills/pdf/scripts/x.sh': '#!/bin/sh\n',
    'skills/xls/SKILL.md': skillText('xls'),
  });
  repository.git('update-index', '--chmod=+x', 'skills/pdf/scripts/x.sh');
  repository.git('commit', '-q', '-m', 'Executable');
  await world.run(['add', repository.url, '--agent', 'claude-code', '--yes']);
  return { world, repository };
}

/** Another machine that has the lock file and the repository, and nothing else. */
function anotherMachine(world: World): World {
  const other = createWorld();
  writeFileSync(other.path(lockFile), lockOf(world));
  return other;
}

describe('a lock file', () => {
  it('gives two machines the same bytes, even when the source has moved on', async () => {
    const { world, repository } = await installed();
    repository.commit({ 'skills/pdf/SKILL.md': skillText('pdf', '\nNewer.\n') });
    const other = anotherMachine(world);
    const run = await other.run(['install', '--frozen', '--json']);
    expect(run.json<Installed>()).toMatchObject({ ok: true, installed: ['pdf', 'xls'], differences: [] });
    expect(treeOf(other.project)).toEqual(treeOf(world.project));
    expect((await other.run(['verify'])).code).toBe(0);
  });

  it('is the same text whatever was added first, and on a second try', async () => {
    const { world, repository } = await installed();
    const other = createWorld();
    for (const name of ['xls', 'pdf']) {
      await other.run(['add', repository.url, '--skill', name, '--agent', 'claude-code', '--yes']);
    }
    expect(lockOf(other)).toBe(lockOf(world));
    await other.run(['add', repository.url, '--agent', 'claude-code', '--yes']);
    expect(lockOf(other)).toBe(lockOf(world));
  });

  it('keeps the keys of others, in entries and beside them', async () => {
    const { world, repository } = await installed();
    const lock = JSON.parse(lockOf(world)) as { skills: Record<string, object> };
    lock.skills['pdf'] = { ...lock.skills['pdf'], theirs: { kept: [1] } };
    const others = { source: 'o/r', sourceType: 'github', computedHash: 'aa', odd: true };
    writeFileSync(
      world.path(lockFile),
      JSON.stringify({ ...lock, $comment: 'ours', skills: { ...lock.skills, zzz: others } }, null, 2),
    );
    repository.commit({ 'skills/pdf/SKILL.md': skillText('pdf', '\nNewer.\n') });
    await world.run(['update', 'pdf', '--yes']);
    const now = JSON.parse(lockOf(world)) as { $comment: string; skills: Record<string, { theirs?: object }> };
    expect(now.$comment).toBe('ours');
    expect(now.skills['pdf']?.theirs).toEqual({ kept: [1] });
    expect(now.skills['zzz']).toEqual(others);
  });

  it('that is a link stays one', async () => {
    const { world, repository } = await installed();
    cpSync(world.path(lockFile), world.path('project/elsewhere.json'));
    unlinkSync(world.path(lockFile));
    symlinkSync('elsewhere.json', world.path(lockFile));
    repository.commit({ 'skills/pdf/SKILL.md': skillText('pdf', '\nNewer.\n') });
    await world.run(['update', '--yes']);
    expect(treeOf(world.project)['skills-lock.json']).toBe('-> elsewhere.json');
    expect((await world.run(['verify'])).code).toBe(0);
  });
});

it('an entry with the name of a tree of Git, as others write it at home, is verified by that', async () => {
  const { world, repository } = await installed();
  const tree = repository.git('rev-parse', 'HEAD:skills/pdf');
  await world.run(['add', repository.url, '--skill', 'pdf', '--global', '--yes']);
  const file = 'home/.agents/.skill-lock.json';
  const entry = { source: 'o/r', sourceType: 'github', skillPath: 'skills/pdf/SKILL.md', skillFolderHash: tree };
  world.writeJson(file, { version: 3, skills: { pdf: entry }, dismissed: {} });
  expect((await world.run(['verify', '--global'])).stdout).toContain('1 skill: all as');
  world.write('home/.agents/skills/pdf/more.md', 'More.\n');
  expect((await world.run(['verify', '--global'])).code).toBe(1);
});

describe('a frozen install', () => {
  it('with nothing to do changes nothing and needs no source', async () => {
    const { world, repository } = await installed();
    rmSync(repository.folder, { recursive: true });
    const before = treeOf(world.project);
    for (const _ of [1, 2]) expect((await world.run(['install', '--frozen'])).code).toBe(0);
    expect(treeOf(world.project)).toEqual(before);
  });

  it('puts back a link that is gone, though everything was found in its place before', async () => {
    const { world } = await installed();
    for (const _ of [1, 2]) expect((await world.run(['install', '--frozen'])).code).toBe(0);
    unlinkSync(world.path('project/.claude/skills/pdf'));
    const run = await world.run(['install', '--frozen', '--json']);
    expect(run.json<Installed>()).toMatchObject({ ok: true, installed: ['pdf'], differences: [] });
  });

  it.each<[string, (world: World) => void, string, string]>([
    ['a changed file', (world) => world.write('project/.agents/skills/pdf/SKILL.md', 'x'), 'changed', 'SKILL.md'],
    ['a file too many', (world) => world.write('project/.agents/skills/pdf/more.md', 'x'), 'changed', 'more.md'],
    ['a mode', (world) => world.mode('project/.agents/skills/pdf/SKILL.md', 0o755), 'changed', 'SKILL.md'],
    [
      'a file that is gone',
      (world) => rmSync(world.path('project/.agents/skills/pdf/scripts'), { recursive: true }),
      'changed',
      'scripts/x.sh',
    ],
    [
      'an entry without a pin',
      (world) => {
        const lock = JSON.parse(lockOf(world)) as { skills: Record<string, { repertoire?: object }> };
        delete lock.skills['pdf']?.repertoire;
        world.writeJson(lockFile, lock);
      },
      'unpinned',
      '',
    ],
  ])('fails because of %s, and names it', async (_what, change, kind, file) => {
    const { world } = await installed();
    await world.run(['install', '--frozen']);
    change(world);
    rmSync(world.path('project/.agents/skills/xls'), { recursive: true });
    const run = await world.run(['install', '--frozen', '--json']);
    expect(run.code).toBe(1);
    const [difference] = run.json<Installed>().differences.filter(({ name }) => name === 'pdf');
    expect(difference).toMatchObject({ kind, ...(file !== '' && { files: [file] }) });
    // Nothing is changed, not even what could be put in place.
    expect(Object.keys(treeOf(world.project)).filter((path) => path.includes('agents/skills/xls'))).toEqual([]);
    expect((await world.run(['verify'])).code).toBe(1);
  });

  it('fails where the source has other files than the lock file says', async () => {
    const { world, repository } = await installed();
    const lock = lockOf(world);
    const digest = /"digest": "sha256:(\w{8})/.exec(lock)?.[1] ?? '';
    const other = anotherMachine(world);
    writeFileSync(other.path(lockFile), lock.replace(digest, 'deadbeef'));
    const run = await other.run(['install', '--frozen', '--json']);
    expect(run.code).toBe(1);
    expect(run.json<Installed>().differences).toMatchObject([{ name: 'pdf', kind: 'source' }]);
    expect(Object.keys(treeOf(other.project))).toEqual(['skills-lock.json']);
    expect(repository.url).toContain('file:');
  });
});

describe('an install', () => {
  it('puts back what is missing, without the network where the files were had before', async () => {
    const { world, repository } = await installed();
    const before = treeOf(world.project);
    rmSync(repository.folder, { recursive: true });
    rmSync(world.path('project/.agents'), { recursive: true });
    unlinkSync(world.path('project/.claude/skills/pdf'));
    const run = await world.run(['install', '--offline', '--json']);
    expect(run.json<Installed>()).toMatchObject({ ok: true, installed: ['pdf', 'xls'] });
    expect(treeOf(world.project)).toEqual(before);
  });

  it('leaves alone what was changed by hand, and says so', async () => {
    const { world } = await installed();
    world.write('project/.agents/skills/pdf/SKILL.md', skillText('pdf', '\nMine.\n'));
    rmSync(world.path('project/.agents/skills/xls'), { recursive: true });
    const run = await world.run(['install']);
    expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('changed by hand')]);
    expect(run.stdout).toContain('installed  xls');
    expect(treeOf(world.project)['.agents/skills/pdf/SKILL.md']).toContain('Mine.');
  });

  it('says what to type for those who name a source', async () => {
    const world = createWorld();
    const run = await world.run(['install', 'owner/repo', 'pdf']);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('repertoire add owner/repo --skill pdf')]);
  });
});
