import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listenOn } from '../support/listen.ts';
import { users, Workshop } from './workshop.ts';

/** Looks around, tries what it may not, and tells all of it. */
const lookAround = `import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { readdirSync, readFileSync, writeFileSync, mkdirSync, symlinkSync, chmodSync } from 'node:fs';
const [port, home] = process.argv.slice(2);
const attempt = (work) => { try { return work() ?? 'done'; } catch (error) { return error.code ?? 'failed'; } };
const reach = (host) => new Promise((resolve) => {
  const socket = connect({ host, port: Number(port), timeout: 1000 });
  for (const event of ['connect', 'error', 'timeout']) socket.once(event, () => { socket.destroy(); resolve(event); });
});
const environments = readdirSync('/proc').filter((name) => /^\\d+$/.test(name))
  .map((pid) => attempt(() => readFileSync('/proc/' + pid + '/environ', 'utf8')));
console.log(JSON.stringify({
  cwd: process.cwd(), uid: process.getuid(), env: process.env, environments,
  own: readFileSync('/skill/SKILL.md', 'utf8').slice(0, 3),
  change: attempt(() => writeFileSync('/skill/SKILL.md', 'x')),
  add: attempt(() => writeFileSync('/skill/new.txt', 'x')),
  mode: attempt(() => chmodSync('/skill/scripts/look.mjs', 0o777)),
  scratch: attempt(() => writeFileSync('/tmp/left.txt', 'x')),
  elsewhere: ['/etc/x', '/usr/x', '/var/tmp/x', home + '/x'].map((path) => attempt(() => writeFileSync(path, 'x'))),
  home: attempt(() => readdirSync(home)),
  tmp: readdirSync('/tmp'),
  host: await reach('127.0.0.1'), outside: await reach('192.0.2.1'),
  processes: readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length,
  groups: attempt(() => execFileSync('id', { encoding: 'utf8' })),
}));
`;

interface Around {
  readonly env: Readonly<Record<string, string>>;
  readonly environments: readonly string[];
  readonly processes: number;
  readonly groups: string;
  readonly [fact: string]: unknown;
}

function serverOn(): Promise<number> {
  return listenOn(createServer((_request, response) => response.end('here')));
}

describe.each(users)('the default sandbox, as %s', (user) => {
  it('has the skill to read, a scratch folder, and nothing else: no network, no files, none of our environment [C4-CAP-03 C4-CAP-04 C4-CAP-06 C4-CAP-07 C4-CAP-08 C4-RUNTIME-07]', async () => {
    const shop = new Workshop(user);
    const folder = shop.skill('', { 'scripts/look.mjs': lookAround });
    const port = await serverOn();
    for (const name of ['tmp', 'run']) shop.ownFolder(`cache/${name}`);
    const planted = 'planted-secret-value';
    const args = ['demo', '--', String(port), shop.world.home];
    const { id, stdout, reason } = await shop.result(args, {
      PLANTED: planted,
      AWS_SECRET_ACCESS_KEY: planted,
      TMPDIR: shop.world.path('cache/tmp'),
      XDG_RUNTIME_DIR: shop.world.path('cache/run'),
    });
    expect(reason).toBe('exited');
    const around = JSON.parse(stdout) as Around;
    expect(around).toMatchObject({ cwd: '/skill', own: '---', scratch: 'done', tmp: ['left.txt'] });
    expect([around['change'], around['add']]).toEqual(['EROFS', 'EROFS']);
    expect(['EROFS', 'EPERM']).toContain(around['mode']);
    for (const result of around['elsewhere'] as readonly string[])
      expect(['EROFS', 'EACCES', 'ENOENT']).toContain(result);
    expect(around['home']).toBe('ENOENT');
    expect([around['host'], around['outside']]).not.toContain('connect');
    expect(around.processes).toBeLessThan(8);
    // Attacks 7 and 21: neither its own environment nor that of any process it sees holds what was planted.
    expect(around.env).toEqual({
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: '/tmp',
      TMPDIR: '/tmp',
      SKILL_NAME: 'demo',
      SKILL_DIR: '/skill',
      SKILL_TOOL: 'look',
      REPERTOIRE_EXECUTION_ID: id,
    });
    expect(around.environments.length).toBeGreaterThan(1);
    expect(JSON.stringify(around)).not.toContain(planted);
    expect(around['uid']).not.toBe(0);
    expect(around.groups).not.toMatch(/\(root\)|\(docker\)|\(sudo\)/);
    // Nothing of it is left.
    expect(readdirSync(folder).sort()).toEqual(['SKILL.md', 'scripts']);
    expect(['tmp', 'run'].map((name) => readdirSync(shop.world.path(`cache/${name}`)))).toEqual([[], []]);
  });
});

describe('executions at the same time', () => {
  it('run side by side, and see neither files nor processes of each other [C4-LIMIT-11 C4-LIMIT-12]', async () => {
    const shop = new Workshop();
    const place = shop.place();
    // Each waits until it is told that the others have come, and looks around then.
    shop.skill(`[capabilities]\nfilesystem = { read = ["${place}"] }\n`, {
      'scripts/meet.sh': `echo "$1" > /tmp/mine; echo began; while [ ! -e ${place}/go ]; do sleep 0.05; done; cat $(find /tmp -maxdepth 1 -type f); set -- /proc/[0-9]*; echo "$#"\n`,
    });
    await shop.grant();
    shop.policy('[concurrency]\ntotal = 4\nper_skill = 3\n');
    const runs = ['one', 'two', 'three'].map((name) => shop.start(['run', 'demo', '--', name]));
    await Promise.all(runs.map((run) => run.until('began')));
    // All of them began before any of them ended.
    expect(runs.map(({ said }) => said)).toEqual(Array(3).fill('began\n'));
    writeFileSync(join(place, 'go'), '');
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    const [alone] = ends[0]?.stdout.split('\n').slice(2) ?? [];
    expect(ends.map(({ stdout }) => stdout)).toEqual(
      ['one', 'two', 'three'].map((name) => `began\n${name}\n${alone}\n`),
    );
    expect(Number(alone)).toBeLessThan(8);
  });
});
