import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { program } from '../support/world.ts';
import { users, Workshop } from './workshop.ts';

/** Root puts such folders elsewhere, because it runs tools as somebody else. */
const ordinary = users.at(-1) ?? 'yourself';

function shopOf(user: (typeof users)[number] = ordinary): Workshop {
  const shop = new Workshop(user);
  shop.skill('[tools.say]\ncommand = ["echo", "hello"]\n');
  return shop;
}

describe('a run on an odd machine', () => {
  it('names the folder for temporary files where that is missing', async () => {
    const run = await shopOf().run(['run', 'demo:say'], { TMPDIR: '/nowhere/tmp' });
    expect([run.code, run.stderr]).toEqual([
      1,
      'engine_error: files for a run cannot be written to /nowhere/tmp (ENOENT)\n' +
        'Create that folder, or set TMPDIR to another folder.\n',
    ]);
  });

  // Only root can mount a disk that is small enough.
  it.each(users.filter((user) => user === 'nobody'))('says that the disk of that folder is full, as %s', (user) => {
    const { world } = shopOf(user);
    const TMPDIR = world.folder('small');
    const script = `mount -t tmpfs -o size=4k,mode=777 tmpfs "$TMPDIR" && head -c 4096 /dev/zero > "$TMPDIR/fill"
      exec setpriv --reuid 54321 --regid 54321 --clear-groups "$0" "$@"`;
    const args = ['-m', 'sh', '-c', script, process.execPath, program, 'run', 'demo:say'];
    const options = {
      cwd: world.project,
      env: world.environment({ TMPDIR, REPERTOIRE_TRUSTED_PROJECTS: world.root }),
      encoding: 'utf8',
    } as const;
    const { stderr } = spawnSync('unshare', args, options);
    expect(stderr).toMatch(/cannot be written to .*small \(ENOSPC\)\nIts disk is full: free some space, or set TMPDIR/);
  });

  it('names the limit on open files where that is too small', async () => {
    const shop = shopOf();
    const run = await shop.start(['run', 'demo:say'], { through: ['prlimit', '--nofile=28:28'] }).ended;
    expect([run.code, run.stderr]).toEqual([
      1,
      expect.stringMatching(
        /\(EMFILE\)\nThis process may have only 28 files open: raise the limit \(ulimit -n 1024\)\.\n$/,
      ),
    ]);
  });

  it('reads again what it could not read for want of descriptors', async () => {
    const shop = shopOf('yourself');
    const server = await connectStdio(shop.world, ['serve', '--no-refresh']);
    const tools = async (): Promise<string> => (await server.call('skill-engine/list_skills')).content[0]?.text ?? '';
    const files = (limit: string): void =>
      void execFileSync('prlimit', ['--pid', String(server.child.pid), `--nofile=${limit}:`]);
    expect(await tools()).toContain('say');
    shop.skill('[tools.tell]\ncommand = ["echo", "hello"]\n');
    files('3');
    expect(await tools()).not.toContain('tell');
    files('500');
    expect(await tools()).toContain('tell');
  });

  it.each(users)('ignores a folder for the session that is a relative path, as %s', async (user) => {
    const shop = shopOf(user);
    shop.ownFolder('project/rel');
    const run = await shop.run(['run', 'demo:say'], { XDG_RUNTIME_DIR: 'rel' });
    expect([run.code, run.stdout, run.stderr]).toEqual([0, 'hello\n', '']);
    expect(readdirSync(shop.world.path('project/rel'))).toEqual([]);
  });
});
