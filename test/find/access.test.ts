import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { CacheFiles } from '../../src/discovery/cache.ts';
import type { Listing } from '../../src/discovery/listing.ts';
import { RootCache } from '../../src/discovery/root-cache.ts';
import { type WalkContext, walkRoot } from '../../src/discovery/walk.ts';
import { isRoot } from '../support/root.ts';
import { createWorld, type RunOptions, type World } from '../support/world.ts';

const root = 'home/.agents/skills';

/** Root may read everything, so the program runs as nobody where the tests run as root. */
const ordinary: RunOptions = isRoot ? { uid: 65534 } : {};

/** A world in which an ordinary user can do all that is not forbidden below. */
function openWorld(): World {
  const world = createWorld();
  world.folder('cache');
  for (const folder of ['', 'home', 'project']) world.mode(folder, 0o755);
  world.mode('cache', 0o777);
  return world;
}

/** Takes every permission away until the test ends. */
function forbid(world: World, path: string): string {
  world.mode(path, 0);
  onTestFinished(() => chmodSync(world.path(path), 0o755));
  return world.path(path);
}

describe('what is not there', () => {
  it('a missing root is passed over without a word, and the roots after it are searched [C1-LINK-06 S3-ERR-07 S3-ERR-08 S3-TEST-07]', async () => {
    const world = createWorld();
    world.skill('home/.zencoder/skills/last');
    world.skill('given/here');
    const args = ['--skill-dir', world.path('given')];
    const { skills, diagnostics } = await world.list(args);
    expect(skills.map((one) => one.name)).toEqual(['here', 'last']);
    expect(diagnostics).toEqual([]);
    const run = await world.run(['list', '--verbose', ...args]);
    expect([run.code, run.stderr]).toEqual([0, '']);
  });

  it('with no root at all nothing is found and nothing is wrong [C1-LINK-06 S3-ERR-07]', async () => {
    const world = createWorld();
    expect(await world.list([], { env: { HOME: world.path('no-such-home') } })).toEqual({
      skills: [],
      diagnostics: [],
    });
  });

  it('a folder that vanishes during the scan takes nothing with it [S3-ERR-08]', async () => {
    const world = createWorld();
    for (const name of ['a', 'b', 'c']) world.skill(`skills/${name}`);
    const real = world.path('skills');
    /** Removes a folder between the moment it is listed and the moment it is entered. */
    class Meddler extends RootCache {
      override listing(folder: string, list: () => Listing | null): Listing | null {
        const listing = super.listing(folder, list);
        if (folder === real) rmSync(`${real}/b`, { recursive: true });
        return listing;
      }
    }
    const diagnostics: Diagnostic[] = [];
    const context: WalkContext = {
      visited: new Map(),
      aliases: new Map(),
      diagnostics,
      slicer: { isDue: false, pause: () => Promise.resolve() },
      found: [],
      plugins: new Map(),
    };
    const cache = new Meddler(real, new CacheFiles(world.path('cache'), diagnostics), undefined);
    const found = await walkRoot(
      {
        path: real,
        provider: 'file',
        location: 'project',
        plugin: null,
        depth: 6,
        named: true,
        holdsPlugins: false,
        container: null,
      },
      real,
      cache,
      context,
    );
    expect(found.map((one) => one.dir)).toEqual([`${real}/a`, `${real}/c`]);
    expect(diagnostics.map((one) => [one.code, one.file])).toEqual([['folder-vanished', `${real}/b`]]);
  });
});

describe('what may not be read', () => {
  it('a SKILL.md is skipped and reported, and the others are found [S3-ERR-09 S3-TEST-10]', async () => {
    const world = openWorld();
    world.skill(`${root}/open`);
    world.skill(`${root}/closed`);
    const file = forbid(world, `${root}/closed/SKILL.md`);
    const { skills, diagnostics } = await world.list([], ordinary);
    expect(skills.map((one) => one.name)).toEqual(['open']);
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'file-unreadable', severity: 'error', file })]);
    expect(diagnostics[0]?.message).toContain('EACCES');
  });

  it('a folder in a root is skipped and reported, and the others are found [S3-ERR-10]', async () => {
    const world = openWorld();
    world.skill(`${root}/open`);
    world.skill(`${root}/closed/pdf`);
    const file = forbid(world, `${root}/closed`);
    const { skills, diagnostics } = await world.list([], ordinary);
    expect(skills.map((one) => one.name)).toEqual(['open']);
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'folder-unreadable', file })]);
  });

  it('a root is reported, whether it or a folder above it is closed [C1-LINK-07 S3-ERR-10]', async () => {
    const world = openWorld();
    world.skill(`${root}/closed`);
    world.skill('home/.claude/skills/closed');
    world.skill('project/skills/open');
    const files = [forbid(world, root), world.path('home/.claude/skills')];
    forbid(world, 'home/.claude');
    const { skills, diagnostics } = await world.list([], ordinary);
    expect(skills.map((one) => one.name)).toEqual(['open']);
    const unreadable = diagnostics.filter((one) => one.code === 'root-unreadable');
    expect(unreadable.map((one) => one.file)).toEqual(files);
    for (const one of unreadable) expect(one.message).toContain('EACCES');
    const doctor = await world.run(['doctor', '--json'], ordinary);
    const { roots } = doctor.json<{ roots: { path: string; status: string }[] }>();
    expect(roots.filter((one) => one.status === 'unreadable').map((one) => one.path)).toEqual(files);
  });

  it('permission errors are told on stderr, the rest on stdout [S3-ERR-11 C1-LINK-07 S3-TEST-10]', async () => {
    const world = openWorld();
    world.skill(`${root}/open`);
    world.skill(`${root}/closed`);
    world.skill('project/skills/hidden');
    forbid(world, `${root}/closed/SKILL.md`);
    forbid(world, 'project/skills');
    const run = await world.run(['list', '--verbose'], ordinary);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('open');
    expect(run.stdout).not.toContain('EACCES');
    const lines = run.stderr.split('\n').filter((line) => line.includes('EACCES'));
    expect(lines.some((line) => line.includes('.agents/skills/closed/SKILL.md'))).toBe(true);
    expect(lines.some((line) => line.includes('warning: skills:'))).toBe(true);
  });

  it('a link into a closed folder is reported as closed, not as leading nowhere [S3-ERR-10 S3-ERR-11]', async () => {
    const world = openWorld();
    world.skill('private/pdf');
    world.link('private/pdf', `${root}/pdf`);
    world.skill(`${root}/open`);
    forbid(world, 'private');
    const { skills, diagnostics } = await world.list([], ordinary);
    expect(skills.map((one) => one.name)).toEqual(['open']);
    expect(diagnostics.map((one) => one.file)).toEqual([world.path(`${root}/pdf`)]);
    expect(diagnostics[0]?.message).toContain('EACCES');
  });

  it('a file in the place of a root is reported [C1-LINK-07]', async () => {
    const world = createWorld();
    const file = world.write('home/.claude/skills', 'not a folder');
    world.skill(`${root}/pdf`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map((one) => one.name)).toEqual(['pdf']);
    expect(diagnostics.map((one) => [one.code, one.file])).toEqual([['root-unreadable', file]]);
  });
});

describe('what is no file', () => {
  const makers: Record<string, (path: string) => void> = {
    'a FIFO': (path) => execFileSync('mkfifo', [path]),
    'a folder': (path) => mkdirSync(path),
    'a socket': (path) => {
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
    },
  };
  for (const [what, make] of Object.entries(makers)) {
    it(`${what} called SKILL.md is reported at once, and is no skill [C1-SKILL-01 S3-ERR-09]`, async () => {
      const world = createWorld();
      const file = world.path(`${root}/odd/SKILL.md`);
      mkdirSync(dirname(file), { recursive: true });
      make(file);
      world.skill(`${root}/pdf`);
      const { skills, diagnostics } = await world.list();
      expect(skills.map((one) => one.name)).toEqual(['pdf']);
      expect(diagnostics.map((one) => [one.code, one.file])).toEqual([['file-not-regular', file]]);
    });
  }

  it('a SKILL.md that links to a device is never opened [C1-LINK-04]', async () => {
    const world = createWorld();
    world.link('/dev/zero', `${root}/odd/SKILL.md`);
    world.skill(`${root}/pdf`);
    const { skills, diagnostics } = await world.list();
    expect(skills.map((one) => one.name)).toEqual(['pdf']);
    expect(diagnostics.map((one) => one.code)).toEqual(['link-outside']);
  });
});
