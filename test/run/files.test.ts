import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { users, Workshop } from './workshop.ts';

/** Tries to read and to write each of the paths it is given, and tells what came of it. */
const trying = `import { appendFileSync, linkSync, readFileSync, readdirSync, statSync } from 'node:fs';
const attempt = (work) => { try { return work() ?? 'done'; } catch (error) { return error.code; } };
const all = process.argv.slice(2).map((path) => [path, {
  read: attempt(() => (statSync(path).isDirectory() ? readdirSync(path).join() : readFileSync(path, 'utf8'))),
  write: attempt(() => appendFileSync(path, 'x')),
  link: attempt(() => linkSync(path, path + '.link')),
}]);
console.log(JSON.stringify(Object.fromEntries(all)));
`;

interface Tried {
  readonly [path: string]: { readonly read: string; readonly write: string; readonly link: string };
}

async function tried(shop: Workshop, paths: readonly string[]): Promise<Tried> {
  const { stdout, message, stderr } = await shop.result(['demo', '--', ...paths]);
  if (stdout === '') throw new Error(`${message}${stderr}`);
  return JSON.parse(stdout) as Tried;
}

function withCapabilities(shop: Workshop, filesystem: readonly string[]): void {
  shop.skill(`[capabilities]\nfilesystem = ${JSON.stringify(filesystem)}\n`, { 'scripts/try.mjs': trying });
}

describe.each(users)('files, as %s', (user) => {
  it('are read where read is granted, changed where write is, and not there at all elsewhere [C4-CAP-02 S4-PERM-03]', async () => {
    const shop = new Workshop(user);
    const place = shop.place('data/in.txt', 'work/out.txt', 'beside/secret.txt', 'data.old/in.txt');
    const [data, work] = [`${place}/data`, `${place}/work`];
    symlinkSync(`${place}/beside`, `${data}/folder-link`);
    symlinkSync(`${place}/beside/secret.txt`, `${data}/file-link`);
    withCapabilities(shop, [`read:${data}`, `write:${work}`, 'write:/tmp']);
    await shop.grant();
    const outside = [`${place}/beside/secret.txt`, `${data}/../beside/secret.txt`, `${place}/data.old/in.txt`];
    const links = [`${data}/folder-link/secret.txt`, `${data}/file-link`];
    const all = await tried(shop, [data, `${data}/in.txt`, `${work}/out.txt`, '/tmp/private', ...outside, ...links]);
    expect(all[data]?.read.split(',').sort()).toEqual(['file-link', 'folder-link', 'in.txt']);
    expect(all[`${data}/in.txt`]).toMatchObject({ read: 'text of in.txt\n', write: 'EROFS' });
    expect(all[`${data}/in.txt`]?.link).not.toBe('done');
    expect(all[`${work}/out.txt`]).toMatchObject({ read: 'text of out.txt\n', write: 'done' });
    for (const path of [...outside, ...links]) expect([path, all[path]?.read]).toEqual([path, 'ENOENT']);
    expect(JSON.stringify(all)).not.toContain('secret text');
    // Attack 2 and 6 leave the machine as it was, and what was granted is really done.
    expect(readFileSync(`${work}/out.txt`, 'utf8')).toBe('text of out.txt\nx');
    expect(readFileSync(`${data}/in.txt`, 'utf8')).toBe('text of in.txt\n');
    expect(readFileSync(`${place}/beside/secret.txt`, 'utf8')).toBe('text of secret.txt\n');
  });
});

describe('files', () => {
  it('in /tmp are of the run alone, though write:/tmp is asked for, which needs no grant', async () => {
    const shop = new Workshop();
    withCapabilities(shop, ['write:/tmp', 'read:/tmp']);
    const name = `/tmp/${shop.world.root.split('/').at(-1)}`;
    const all = await tried(shop, ['/tmp', '/tmp/new', name]);
    expect(all['/tmp']?.read).toBe('');
    expect(all['/tmp/new']?.write).toBe('done');
    expect(all[name]?.read).toBe('ENOENT');
  });

  it('that are granted and do not exist stop nothing, and what runs without them says so [C4-CAP-12 S4-PERM-03]', async () => {
    const shop = new Workshop();
    const place = shop.place('there/in.txt');
    const [there, gone] = [`${place}/there`, `${place}/gone`];
    withCapabilities(shop, [`read:${gone}`, `read:${there}`, 'write:/tmp']);
    const listed = await shop.run(['tools', 'demo']);
    expect(listed.stdout).toContain(`read files below ${gone} (which does not exist)`);
    const granted = await shop.run(['grant', 'demo', '--yes']);
    expect([granted.code, granted.stdout + granted.stderr]).toEqual([0, expect.stringContaining(`without ${gone}`)]);
    const run = await shop.run(['run', 'demo', '--', `${there}/in.txt`]);
    expect([run.code, run.stderr]).toEqual([0, `It ran without ${gone}, which does not exist.\n`]);
    expect(run.stdout).toContain('text of in.txt');
    expect((await shop.result(['demo', '--', '/tmp/x'])).notes).toEqual([
      `It ran without ${gone}, which does not exist.`,
    ]);
    expect((await shop.dryRun(['demo'])).permissions.missing).toEqual([gone]);
    expect((await shop.run(['run', 'demo', '--dry-run'])).stdout).toContain(`${gone} (granted, but it does not exist)`);
    // A folder that is made at that very place is the one that was granted.
    mkdirSync(gone);
    writeFileSync(`${gone}/in.txt`, 'it came later');
    const later = await shop.run(['run', 'demo', '--', `${gone}/in.txt`]);
    expect([later.code, later.stdout, later.stderr]).toEqual([0, expect.stringContaining('it came later'), '']);
    // Whoever could make the folder could make it lead anywhere: a link has to be looked at again.
    rmSync(gone, { recursive: true });
    symlinkSync(there, gone);
    const after = await shop.run(['run', 'demo', '--', `${gone}/in.txt`]);
    expect(after.stderr).toContain(`${gone} now leads to ${there}, which it did not when it was granted`);
    await shop.grant();
    expect((await shop.run(['run', 'demo', '--', `${gone}/in.txt`])).stdout).toContain('text of in.txt');
  });

  it('below /tmp are refused for reading with the reason, and of the run alone for writing', async () => {
    const shop = new Workshop();
    shop.skill('[capabilities]\nfilesystem = ["read:/tmp/x"]\n[tools.t]\ncommand = ["true"]\n');
    const reason = 'read:/tmp/x is in /tmp, and every run has a /tmp of its own';
    expect((await shop.run(['tools', 'demo'])).stdout).toContain(`read files below /tmp/x (refused: ${reason})`);
    expect((await shop.run(['run', 'demo:t'])).stderr).toContain(reason);
    shop.skill('[capabilities]\nfilesystem = ["write:/tmp/x"]\n[tools.t]\ncommand = ["mkdir", "/tmp/x"]\n', {}, 'own');
    expect((await shop.run(['tools', 'own'])).stdout).toContain('use its own /tmp/x, which nobody else sees');
    expect((await shop.run(['run', 'own:t'])).code).toBe(0);
  });

  it('below a home in /tmp stop only the tools that need them, and the rest can be granted', async () => {
    const shop = new Workshop();
    shop.skill(
      '[capabilities]\nfilesystem = ["read:~/x"]\nenv = ["LANG"]\n' +
        '[tools.reads]\ncommand = ["true"]\n' +
        '[tools.other]\ncommand = ["echo", "done"]\ncapabilities = { env = ["LANG"] }\n',
    );
    // Not below TMPDIR, which may be elsewhere.
    const env = { HOME: mkdtempSync('/tmp/repertoire-home-') };
    onTestFinished(() => rmSync(env.HOME, { recursive: true }));
    const refused = await shop.run(['grant', 'demo', '--yes'], env);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Your home folder is in /tmp.')]);
    expect(refused.stderr).toContain('To grant the rest: repertoire grant demo --only env:LANG\n');
    expect((await shop.run(['grant', 'demo', '--only', 'env:LANG', '--yes'], env)).code).toBe(0);
    expect((await shop.run(['run', 'demo:other'], env)).stdout).toBe('done\n');
    expect((await shop.run(['run', 'demo:reads'], env)).stderr).toContain('Your home folder is in /tmp.');
  });

  it('that hold the machine, keys, or what we keep, are refused to everyone, under any name', async () => {
    const shop = new Workshop();
    const place = shop.place('data/in.txt', 'home/.ssh/id', 'home/run/engine.sock', 'home/notes/a', 'other/.ssh/id');
    const home = `${place}/home`;
    const socket = `${home}/run/engine.sock`;
    for (const folder of ['.config/repertoire', '.local/state/repertoire'])
      mkdirSync(join(home, folder), { recursive: true });
    symlinkSync('/', join(place, 'whole'));
    symlinkSync(join(home, '.ssh'), join(place, 'keys'));
    const cases: readonly (readonly [path: string, why: string])[] = [
      ['read:/', 'is the whole machine'],
      ['read:/proc', 'the machine itself'],
      ['read:/sys/kernel', 'the machine itself'],
      ['write:/dev', 'the machine itself'],
      ['read:/etc/shadow', 'passwords and keys'],
      ['write:/usr/local', 'the system'],
      ['read:/var', 'contains '],
      ['read:~/.ssh', 'keys and passwords'],
      ['read:~', 'contains '],
      ['read:~/.local/state/repertoire', 'files of this program'],
      ['write:~/.config', 'contains '],
      [`read:${socket}`, 'the sockets of services'],
      [`read:${place}/whole`, 'which leads to "/", is the whole machine'],
      [`read:${place}/keys`, 'keys'],
      [`read:${place}/other`, 'which holds keys'],
      ['read:/proc/gone', 'the machine itself'],
      ['read:/tmp/x', 'is in /tmp, and every run has a /tmp of its own'],
    ];
    for (const [index, [path]] of cases.entries()) {
      shop.skill(`[capabilities]\nfilesystem = ["${path}"]\n[tools.t]\ncommand = ["true"]\n`, {}, `case-${index}`);
    }
    const env = { HOME: home, DOCKER_HOST: `unix://${socket}` };
    const refused = async (index: number): Promise<void> => {
      const [path, why] = cases[index] ?? [];
      const granted = await shop.run(['grant', `case-${index}`, '--yes'], env);
      expect([path, granted.code, granted.stderr]).toEqual([
        path,
        1,
        expect.stringContaining('asks for permissions that cannot be granted'),
      ]);
      expect(granted.stderr).toContain(why);
    };
    const indexes = [...cases.keys()];
    for (let from = 0; from < indexes.length; from += 6) await Promise.all(indexes.slice(from, from + 6).map(refused));
    expect((await shop.run(['grants'], env)).stdout).toBe('Nothing is granted.\n');
  });

  it('are looked at again before each run: a link that was turned leads nowhere', async () => {
    const shop = new Workshop();
    const place = shop.place('one/in.txt', 'two/in.txt');
    symlinkSync(`${place}/one`, `${place}/current`);
    withCapabilities(shop, [`read:${place}/current`]);
    await shop.grant();
    const file = `${place}/current/in.txt`;
    expect((await tried(shop, [file]))[file]?.read).toBe('text of in.txt\n');
    rmSync(`${place}/current`);
    symlinkSync(`${place}/two`, `${place}/current`);
    const turned = await shop.run(['run', 'demo', '--', file]);
    expect([turned.code, turned.stdout]).toEqual([1, '']);
    expect(turned.stderr).toContain(`${place}/current now leads to ${place}/two, which it did not when`);
    rmSync(`${place}/current`);
    symlinkSync(shop.world.folder('home/.ssh'), `${place}/current`);
    writeFileSync(shop.world.path('home/.ssh/id'), 'secret text');
    expect((await shop.run(['run', 'demo', '--', file])).stderr).toContain(
      'asks for permissions that cannot be granted',
    );
  });
});
