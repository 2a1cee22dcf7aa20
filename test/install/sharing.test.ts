import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listenOn } from '../support/listen.ts';
import { createWorld } from '../support/world.ts';
import { Repository, skillText, treeOf } from './repository.ts';

describe('a skill that was changed', () => {
  it('goes back to its repository as a patch that Git takes: texts, bytes, modes, files that came and went', async () => {
    const world = createWorld();
    const repository = new Repository(world);
    repository.commit({
      'skills/pdf/SKILL.md': skillText('pdf'),
      'skills/pdf/old.md': 'Old.',
      'skills/pdf/run.sh': '#!/bin/sh\n',
    });
    writeFileSync(join(repository.folder, 'skills/pdf/data.bin'), Buffer.from([0, 1, 2, 255]));
    repository.commit({});
    await world.run(['add', repository.url, '--yes']);
    const unchanged = await world.run(['sync-back', 'pdf']);
    expect(unchanged.stdout).toBe('pdf is as it was installed.\n');
    const folder = 'project/.agents/skills/pdf';
    world.write(`${folder}/SKILL.md`, skillText('pdf', '\nMine, without an end'));
    world.write(`${folder}/data.bin`, Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7) % 256)));
    world.write(`${folder}/new/more.md`, 'More.\n');
    world.mode(`${folder}/run.sh`, 0o755);
    execFileSync('rm', [world.path(`${folder}/old.md`)]);
    const run = await world.run(['sync-back', 'pdf', '--out', '../pdf.patch']);
    expect([run.code, run.stdout]).toEqual([0, '5 changed files in ../pdf.patch\n'.replace('../', `${world.root}/`)]);
    repository.git('apply', '--index', world.path('pdf.patch'));
    expect(treeOf(join(repository.folder, 'skills/pdf'))).toEqual(treeOf(world.path(folder)));
  });
});

describe('a skill that was changed, as a branch', () => {
  const identity = {
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.com',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.com',
  };

  async function changed() {
    const world = createWorld();
    const repository = new Repository(world);
    const commit = repository.commit({ 'README.md': 'Hello.\n', 'skills/pdf/SKILL.md': skillText('pdf') });
    await world.run(['add', repository.url, '--yes']);
    world.write('project/.agents/skills/pdf/SKILL.md', skillText('pdf', '\nMine.\n'));
    world.write('project/.agents/skills/pdf/more.md', 'More.\n');
    return { world, repository, commit };
  }

  it('lies in a clone, one commit after the one that was installed, and nothing is pushed', async () => {
    const { world, repository, commit } = await changed();
    const run = await world.run(['sync-back', 'pdf', '--branch', 'better', '-m', 'Say more'], { env: identity });
    expect([run.stderr, run.code]).toEqual(['', 0]);
    expect(run.stdout).toContain('2 changed files on branch better');
    const inClone = (...args: string[]): string =>
      execFileSync('git', args, { cwd: world.path('project/pdf-clone'), encoding: 'utf8' }).trim();
    expect(inClone('rev-parse', 'better^')).toBe(commit);
    expect(inClone('log', '-1', '--format=%s by %an', 'better')).toBe('Say more by Ann');
    expect(inClone('ls-tree', '-r', '--name-only', 'better').split('\n')).toEqual([
      'README.md',
      'skills/pdf/SKILL.md',
      'skills/pdf/more.md',
    ]);
    expect(inClone('show', 'better:skills/pdf/SKILL.md')).toContain('Mine.');
    expect(repository.git('branch', '--list', 'better')).toBe('');
  });

  it('is pushed where that is asked for, and overwrites no other branch', async () => {
    const { world, repository, commit } = await changed();
    const push = ['sync-back', 'pdf', '--branch', 'better', '--push'];
    expect((await world.run([...push, '--dry-run'], { env: identity })).code).toBe(0);
    expect(repository.git('branch', '--list', 'better')).toBe('');
    const run = await world.run(push, { env: identity });
    expect([run.stderr, run.code]).toEqual(['', 0]);
    expect(repository.git('rev-parse', 'better^')).toBe(commit);
    repository.git('update-ref', 'refs/heads/better', repository.git('commit-tree', 'HEAD^{tree}', '-m', 'Other'));
    const again = await world.run(push, { env: identity });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('it does not take the branch');
  });

  it.each(['-x', 'a..b', 'a b', ''])('is not called %j', async (name) => {
    const { world } = await changed();
    const run = await world.run(['sync-back', 'pdf', `--branch=${name}`], { env: identity });
    expect(run.code).not.toBe(0);
    expect(existsSync(world.path('project/pdf-clone'))).toBe(false);
  });
});

describe('a packed skill', () => {
  it('is the same bytes each time, is never written over another file, and can be added', async () => {
    const world = createWorld();
    world.skill('team/pdf');
    world.write('team/pdf/x.sh', '#!/bin/sh\n');
    world.mode('team/pdf/x.sh', 0o755);
    for (const file of ['one.skill', 'two.skill', 'three.zip']) {
      expect((await world.run(['pack', '../team/pdf', '--out', `../${file}`])).code).toBe(0);
    }
    expect(readFileSync(world.path('one.skill'))).toEqual(readFileSync(world.path('two.skill')));
    expect((await world.run(['pack', '../team/pdf', '--out', '../one.skill'])).code).toBe(1);
    for (const file of ['one.skill', 'three.zip']) {
      const added = await world.run(['add', `../${file}`, '--yes']);
      expect([file, added.code, added.stderr]).toEqual([file, 0, '']);
      expect(treeOf(world.path('project/.agents/skills/pdf'))).toEqual(treeOf(world.path('team/pdf')));
      await world.run(['remove', 'pdf', '--yes']);
    }
  });
});

describe('published skills', () => {
  it('are added from a plain web server, with their digests checked', async () => {
    const world = createWorld();
    for (const name of ['pdf', 'xls']) world.skill(`team/${name}`);
    await world.run(['publish', '../team/xls', '--to', '../public']);
    const run = await world.run(['publish', '../team/pdf', '--to', '../public']);
    expect(run.code).toBe(0);
    const index = JSON.parse(readFileSync(world.path('public/.well-known/agent-skills/index.json'), 'utf8')) as {
      skills: { name: string; url: string; digest: string }[];
    };
    expect(index.skills.map(({ name }) => name)).toEqual(['pdf', 'xls']);
    for (const { url, digest } of index.skills) {
      const bytes = readFileSync(world.path(`public/.well-known/agent-skills/${url}`));
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
    }
    const server = createServer((request, response) => {
      try {
        response.end(readFileSync(world.path(`public${new URL(request.url ?? '/', 'http://x').pathname}`)));
      } catch {
        response.writeHead(404).end();
      }
    });
    const added = await world.run(['add', `http://127.0.0.1:${await listenOn(server)}`, '--yes']);
    expect([added.code, added.stderr]).toEqual([0, '']);
    expect(treeOf(world.path('project/.agents/skills'))).toEqual(treeOf(world.path('team')));
  });
});

it.each([
  ['repo', 'repertoire add SOURCE'],
  ['cache', 'repertoire outdated'],
])('%s, of another tool, says what to type', async (word, advice) => {
  const run = await createWorld().run([word, 'list']);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(advice)]);
});
