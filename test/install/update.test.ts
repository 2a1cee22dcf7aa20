import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { lockIn, Repository, skillText, treeOf } from './repository.ts';

const [file, installed] = ['skills/pdf/SKILL.md', 'project/.agents/skills/pdf/SKILL.md'];

async function worldWithPdf(body = '\nOne.\n\nTwo.\n\nThree.\n') {
  const world = createWorld();
  const repository = new Repository(world);
  repository.commit({ [file]: skillText('pdf', body), 'skills/pdf/old.md': 'Old.\n' });
  const run = await world.run(['add', repository.url, '--yes']);
  expect(run.stderr + run.stdout).toContain('added  pdf');
  return { world, repository, text: () => readFileSync(world.path(installed), 'utf8') };
}

describe('updating a skill', () => {
  it('brings it to the newest commit, with the files that came and went', async () => {
    const { world, repository, text } = await worldWithPdf();
    expect((await world.run(['outdated'])).stdout).toBe('Everything is current.\n');
    const commit = repository.commit({
      [file]: skillText('pdf', '\nNew.\n'),
      'skills/pdf/old.md': null,
      'skills/pdf/new.md': 'New.\n',
    });
    const outdated = await world.run(['outdated']);
    expect([outdated.code, outdated.stdout]).toEqual([1, expect.stringContaining(commit.slice(0, 12))]);
    const run = await world.run(['update', '--yes']);
    expect(run.code).toBe(0);
    expect(text()).toContain('New.');
    const paths = Object.keys(treeOf(world.path('project/.agents/skills')));
    expect(paths).toEqual(['pdf/SKILL.md', 'pdf/new.md']);
    expect(lockIn(world).skills['pdf']?.repertoire.origin.commit).toBe(commit);
    expect((await world.run(['verify'])).code).toBe(0);
    expect((await world.run(['outdated'])).code).toBe(0);
  });

  it('says nothing of a repository that has moved on without touching the skill', async () => {
    const { world, repository } = await worldWithPdf();
    repository.commit({ 'README.md': 'More.\n' });
    expect((await world.run(['outdated'])).stdout).toBe('Everything is current.\n');
  });

  it('keeps to the ref that was asked for', async () => {
    const world = createWorld();
    const repository = new Repository(world);
    repository.commit({ [file]: skillText('pdf', '\nStable.\n') });
    repository.git('branch', 'stable');
    repository.commit({ [file]: skillText('pdf', '\nMain.\n') });
    await world.run(['add', repository.url, '--ref', 'stable', '--yes']);
    await world.run(['update', '--yes']);
    expect(readFileSync(world.path(installed), 'utf8')).toContain('Stable.');
  });

  it('puts your changes and those of the source together, and keeps what you had', async () => {
    const { world, repository, text } = await worldWithPdf();
    world.write(installed, `${text()}Mine.\n`);
    world.write('project/.agents/skills/pdf/notes.md', 'My notes.\n');
    repository.commit({ [file]: skillText('pdf', '\nONE.\n\nTwo.\n\nThree.\n') });
    const dry = await world.run(['update', '--dry-run']);
    expect(dry.stdout).toContain('+Mine.');
    expect(dry.stdout).toContain('+ONE.');
    const run = await world.run(['update', '--yes']);
    expect(run.code).toBe(0);
    expect(text()).toBe(`${skillText('pdf', '\nONE.\n\nTwo.\n\nThree.\n')}Mine.\n`);
    expect(treeOf(world.path('project/.agents/skills/pdf'))['notes.md']).toBe('My notes.\n');
    const kept = treeOf(world.path('home/.local/state/repertoire/get/kept'));
    expect(Object.values(kept)).toContain(`${skillText('pdf', '\nOne.\n\nTwo.\n\nThree.\n')}Mine.\n`);
    // What you have changed goes on being a difference.
    expect((await world.run(['verify'])).stdout).toContain('SKILL.md');
  });

  it('leaves a skill alone where both have changed the same lines, unless one is preferred', async () => {
    const { world, repository, text } = await worldWithPdf();
    const mine = text().replace('Two.', 'Two, as I see it.');
    world.write(installed, mine);
    repository.commit({ [file]: skillText('pdf', '\nOne.\n\nTwo!\n\nThree!\n') });
    const run = await world.run(['update', '--yes']);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('the source has changed the same lines');
    expect(text()).toBe(mine);
    expect((await world.run(['update', '--yes', '--prefer', 'mine'])).code).toBe(0);
    expect(text()).toContain('Two, as I see it.');
  });

  it('tells of a source that cannot be asked, and updates the others', async () => {
    const { world, repository, text } = await worldWithPdf();
    const other = new Repository(world, 'other');
    other.commit({ 'xls/SKILL.md': skillText('xls') });
    await world.run(['add', other.url, '--yes']);
    repository.commit({ [file]: skillText('pdf', '\nNew.\n') });
    world.link('nowhere', 'gone');
    const { renameSync } = await import('node:fs');
    renameSync(other.folder, world.path('moved'));
    const run = await world.run(['update', '--yes']);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('not had  xls');
    expect(text()).toContain('New.');
  });
});

describe('removing a skill', () => {
  it('keeps what somebody has worked on aside, and leaves what is not ours', async () => {
    const { world, text } = await worldWithPdf();
    world.write(installed, `${text()}Mine.\n`);
    world.skill('project/.agents/skills/own');
    const own = await world.run(['remove', 'own', '--yes']);
    expect([own.code, own.stdout]).toEqual([1, expect.stringContaining('was not installed by Repertoire')]);
    const run = await world.run(['remove', 'pdf', '--yes']);
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('1 skill no longer in skills-lock.json.')]);
    expect(Object.keys(treeOf(world.project))).toEqual(['.agents/skills/own/SKILL.md', 'skills-lock.json']);
    const kept = treeOf(world.path('home/.local/state/repertoire/get/kept'));
    expect(Object.values(kept).some((one) => one.endsWith('Mine.\n'))).toBe(true);
  });
});

describe('what a new version asks for and the installed one did not', () => {
  const manifest = (...hosts: readonly string[]): string =>
    `[capabilities]\nnetwork = [${hosts.map((host) => `"${host}"`).join(', ')}]\n\n[tools.fetch]\ncommand = ["cat"]\n`;
  const toml = 'skills/pdf/skill.toml';
  const gain = 'New versions ask for what the installed ones do not:\n  + pdf: network:b.example.com\n';

  async function updated(...hosts: readonly string[]) {
    const world = createWorld();
    const repository = new Repository(world);
    repository.commit({ [file]: skillText('pdf'), [toml]: manifest('a.example.com') });
    await world.run(['add', repository.url, '--yes']);
    await world.run(['grant', 'pdf', '--yes']);
    repository.commit({ [toml]: manifest(...hosts) });
    return world;
  }

  it('is the first thing that update shows, before anything is done and after', async () => {
    const world = await updated('a.example.com', 'b.example.com');
    const dry = await world.run(['update', '--dry-run']);
    expect(dry.stdout.startsWith(gain), dry.stdout).toBe(true);
    const done = await world.run(['update', '--yes']);
    expect(done.stdout.startsWith(gain), done.stdout).toBe(true);
    const again = await world.run(['update', '--json']);
    expect(again.json<{ skills: unknown[] }>().skills).toMatchObject([{ gained: [] }]);
  });

  it('is told by grant as well, in words', async () => {
    const world = await updated('a.example.com', 'b.example.com');
    await world.run(['update', '--yes']);
    const run = await world.run(['grant', 'pdf', '--yes', '--json']);
    const { gained } = run.json<{ gained: string[] }>();
    expect(gained).toEqual([expect.stringContaining('b.example.com')]);
  });

  it('is not mentioned where a version asks for less', async () => {
    const world = await updated();
    expect((await world.run(['update', '--yes'])).stdout).not.toContain('New versions');
  });

  it('counts a host that was asked for once, and then not, as new', async () => {
    const world = await updated('b.example.com');
    expect((await world.run(['update', '--dry-run'])).stdout.startsWith(gain)).toBe(true);
    await world.run(['update', '--yes']);
    const granted = await world.run(['grant', 'pdf', '--yes']);
    expect(granted.stdout).toMatch(
      /^New since the last version that was granted something, which could not:\n {2}\+ .*b\.example\.com/,
    );
  });
});
