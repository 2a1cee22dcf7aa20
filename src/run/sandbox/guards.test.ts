import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryPlace } from '../../../test/support/place.ts';
import { agentFolders } from '../../agents/folders.ts';
import { createSlicer } from '../../core/time-slice.ts';
import { guardedAs } from '../policy/refused-paths.ts';
import type { Mount } from '../policy/types.ts';
import { findGuards } from './guards.ts';

function placeWith(...folders: readonly string[]): Mount {
  const source = temporaryPlace();
  for (const folder of folders) mkdirSync(join(source, folder), { recursive: true });
  return { source, target: '/granted', access: 'write' };
}

it('guards cover what exists, and keep the folders above it from being moved', async () => {
  const mount = placeWith('a/b/.git', '.claude', 'c', 'node_modules/x/.git');
  expect((await findGuards([mount])).mounts).toEqual([
    { source: `${mount.source}/.claude`, target: '/granted/.claude', access: 'read' },
    { source: `${mount.source}/a/b/.git`, target: '/granted/a/b/.git', access: 'read' },
    { source: `${mount.source}/a`, target: '/granted/a', access: 'write' },
    { source: `${mount.source}/a/b`, target: '/granted/a/b', access: 'write' },
  ]);
  const none = { mounts: [], folders: [], others: new Map(), links: [] };
  expect(await findGuards([{ ...mount, access: 'read' }])).toEqual(none);
});

it('guards open nothing read-only for a link that leads into it', async () => {
  const mount = placeWith('.git/hooks', 'src', 'skills/one/scripts');
  writeFileSync(join(mount.source, '.git/hooks/pre-commit.sample'), '');
  for (const file of ['SKILL.md', 'scripts/run.sh']) writeFileSync(join(mount.source, 'skills/one', file), '');
  symlinkSync('../.git/hooks/pre-commit.sample', join(mount.source, 'src/AGENTS.md'));
  symlinkSync('skills/one/scripts/run.sh', join(mount.source, 'CLAUDE.md'));
  const access = (await findGuards([mount])).mounts.map(({ target, access }) => [target, access]);
  expect(access).toEqual([
    ['/granted/.git', 'read'],
    ['/granted/skills', 'write'],
    ['/granted/skills/one', 'read'],
  ]);
});

it('folders that contain too much to be searched or guarded are refused', async () => {
  const mount = placeWith('a/.git', 'b/.git', 'b/.claude', 'c/d');
  const withLimits = (folders: number, mounts: number) => findGuards([mount], createSlicer(), { folders, mounts });
  await expect(withLimits(3, 99)).rejects.toThrow('/granted, which a tool may write to, holds more than 3 folders');
  await expect(withLimits(99, 4)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^\/granted, .* holds more than 4 places to protect .*, most of them in \/granted\/b$/,
    ),
    hint: expect.stringContaining('move /granted/b elsewhere'),
  });
  expect((await withLimits(5, 5)).mounts).toHaveLength(5);
});

it('the search for guards yields between any two folders, and can be aborted there', async () => {
  const mount = placeWith('a/b', 'c/.git', 'skills/one');
  const folders = 6;
  let turns = 0;
  const slicer = { isDue: true, pause: async () => void turns++ };
  await findGuards([mount], slicer);
  expect(turns).toBeGreaterThanOrEqual(folders);
  const givenUp = { isDue: true, pause: () => Promise.reject(new Error('cancelled')) };
  await expect(findGuards([mount], givenUp)).rejects.toThrow('cancelled');
});

it('guards cover every folder in which agents look for skills', () => {
  const project = agentFolders.flatMap((agent) => agent.project);
  const open = project.filter((path) => guardedAs(path.split('/')[0] ?? '') === null);
  // Entries of a folder called skills are recognised by that name.
  expect(open.filter((path) => !path.endsWith('/skills'))).toEqual([]);
});

it.each(['.GIT', '.gi\u{200c}t', '.git.', '.Claude', 'agents.MD', '.ｍcp.json', 'My.code-workspace'])(
  'takes %j for what some file systems take it for',
  (name) => {
    expect(guardedAs(name)).not.toBeNull();
  },
);

it.each([
  '.gitignore',
  '.gitattributes',
  'git',
  '.env',
  'package.json',
  'README.md',
  'skills',
  'config',
  '.claude.txt',
])('guards leave %s writable', (name) => {
  expect(guardedAs(name)).toBeNull();
});

it('guards find a skill by its file, whatever the case of its letters', async () => {
  const mount = placeWith('x/one', 'x/two');
  writeFileSync(join(mount.source, 'x/one/skill.MD'), '');
  const { mounts, folders } = await findGuards([mount]);
  expect(mounts.map(({ target, access }) => [target, access])).toEqual([
    ['/granted/x/one', 'read'],
    ['/granted/x', 'write'],
  ]);
  expect(folders.map(({ path, holdsSkills }) => [path.slice(mount.source.length), holdsSkills])).toEqual([
    ['', false],
    ['/x', true],
  ]);
});
