import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { environmentIn, temporaryPlace } from '../../../test/support/place.ts';
import type { Environment } from '../../core/environment.ts';
import { checkPath } from './refused-paths.ts';
import type { PathRule } from './types.ts';

function check(path: string, environment: Environment, access: PathRule['access'] = 'read') {
  return checkPath({ access, path }, environment);
}

function folder(...parts: readonly string[]): string {
  const path = join(...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

describe('a path', () => {
  it('that is a folder or a file is mounted as it really is', () => {
    const place = temporaryPlace();
    const environment = environmentIn(place);
    const data = folder(place, 'data');
    writeFileSync(join(data, 'file'), '');
    symlinkSync(data, join(place, 'link'));
    expect(check(data, environment, 'write')).toEqual({
      ok: true,
      mount: { source: data, target: data, access: 'write' },
    });
    expect(check(join(place, 'link/file'), environment)).toEqual({
      ok: true,
      mount: { source: join(data, 'file'), target: join(place, 'link/file'), access: 'read' },
    });
  });

  it('in /tmp is the run’s own, whether it is there or not', () => {
    const environment = environmentIn(temporaryPlace());
    for (const path of ['/tmp', '/tmp/x', '/tmp/not/there']) {
      expect(check(path, environment, 'write')).toEqual({ ok: true, mount: null });
    }
    expect(check('/tmp', environment, 'read')).toEqual({ ok: true, mount: null });
  });

  it('that leads into the machine’s /tmp is refused', () => {
    const place = temporaryPlace();
    symlinkSync('/tmp', join(place, 'link'));
    expect(check(join(place, 'link'), environmentIn(place))).toMatchObject({
      ok: false,
      message: expect.stringContaining('and every run has a /tmp of its own'),
    });
  });

  it('that is not there is nothing to see, unless nobody may see it anyway', () => {
    const environment = environmentIn(temporaryPlace());
    expect(check('/tmpx-is-not-there', environment)).toEqual({
      ...{ ok: true, mount: null, missing: true, placeToBe: '/tmpx-is-not-there' },
    });
    expect(check('/proc/nothing', environment)).toMatchObject({ ok: false });
    expect(check('/tmp/nothing', environment)).toMatchObject({
      ok: false,
      message: expect.stringContaining('in /tmp'),
    });
  });

  it('that is neither a folder nor a file is refused', async () => {
    const place = temporaryPlace();
    const environment = environmentIn(place);
    const server = createServer().listen(join(place, 'engine.sock'));
    await new Promise((resolve) => server.once('listening', resolve));
    const refused = check(join(place, 'engine.sock'), environment);
    server.close();
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('nor a regular file') });
  });
});

describe('no run sees', () => {
  it.each([
    '/',
    '/proc',
    '/proc/self',
    '/sys',
    '/sys/kernel',
    '/dev',
    '/dev/shm',
    '/run',
    '/var/run',
    '/etc',
    '/var',
    '/home',
    '/boot',
  ])('%s', (path) => {
    const checked = check(path, environmentIn(temporaryPlace()));
    expect(checked).toMatchObject({ ok: false });
    expect(!checked.ok && checked.remedy).toBeTruthy();
  });

  it.each([
    '.ssh',
    '.ssh/keys',
    '.gnupg',
    '.aws',
    '.kube',
    '.docker',
    '.azure',
    '.config/gcloud',
    '.local/share/keyrings',
    '.mozilla',
    '.mozilla/firefox',
    '.config/google-chrome',
    '.config/repertoire',
    '.local/state/repertoire/grants',
    '.cache/repertoire',
    ...[
      '.cache/huggingface',
      '.kaggle',
      '.config/stripe',
      '.cloudflared',
      '.vercel',
      '.local/share/opencode',
      '.cache/mozilla',
      '.helm',
      '.1password',
    ],
  ])('~/%s, nor what contains it', (name) => {
    const environment = environmentIn(temporaryPlace());
    const path = folder(environment.home, name);
    expect(check(path, environment)).toMatchObject({ ok: false, message: expect.stringMatching(/holds/) });
    expect(check(environment.home, environment)).toMatchObject({ ok: false, remedy: 'Name something narrower.' });
  });

  it.each([
    '.netrc',
    '.npmrc',
    '.git-credentials',
    '.pgpass',
    '.bash_history',
    '.env',
    '.modal.toml',
    '.aider.conf.yml',
  ])('~/%s', (name) => {
    const environment = environmentIn(temporaryPlace());
    writeFileSync(join(environment.home, name), '');
    expect(check(join(environment.home, name), environment)).toMatchObject({ ok: false });
  });

  it('~/.cursor, where the tokens of other servers stand in mcp.json', () => {
    const environment = environmentIn(temporaryPlace());
    const settings = folder(environment.home, '.cursor');
    writeFileSync(join(settings, 'mcp.json'), '{}');
    for (const path of [settings, join(settings, 'mcp.json')]) {
      expect(check(path, environment), path).toMatchObject({ ok: false });
    }
  });

  it('keys by a link of another name, nor by the folder that the link of keys leads to', () => {
    const place = temporaryPlace();
    const environment = environmentIn(place);
    const keys = folder(place, 'vault/keys');
    symlinkSync(keys, join(environment.home, '.ssh'));
    symlinkSync(join(environment.home, '.ssh'), join(place, 'innocent'));
    symlinkSync(folder(place, 'data'), join(keys, 'way-out'));
    for (const path of ['innocent', 'vault', 'vault/keys', 'home/.ssh', 'home/.ssh/way-out']) {
      expect(check(join(place, path), environment), path).toMatchObject({ ok: false });
    }
    expect(check(folder(place, 'vaulted'), environment)).toMatchObject({ ok: true });
  });

  it('a home that is reached by a link, even while it has no keys', () => {
    const place = temporaryPlace();
    const real = folder(place, 'disk/ann');
    symlinkSync(real, join(place, 'ann'));
    const environment = { ...environmentIn(place), home: join(place, 'ann') };
    folder(real, 'notes');
    for (const path of ['disk', 'disk/ann', 'ann']) {
      expect(check(join(place, path), environment), path).toMatchObject({ ok: false });
    }
    expect(check(join(place, 'disk/ann/notes'), environment)).toMatchObject({ ok: true });
  });

  it('keys of others, wherever they lie', () => {
    const place = temporaryPlace();
    const environment = environmentIn(place);
    folder(place, 'service/.ssh/old');
    for (const path of ['service', 'service/.ssh', 'service/.ssh/old']) {
      expect(check(join(place, path), environment), path).toMatchObject({ ok: false });
    }
  });

  it('the sockets that the environment names, nor the policy', () => {
    const place = temporaryPlace();
    for (const name of ['engine', 'agent', 'rules']) folder(place, name);
    const environment = environmentIn(place, {
      DOCKER_HOST: `unix://${place}/engine/docker.sock`,
      SSH_AUTH_SOCK: `${place}/agent/sock`,
      REPERTOIRE_POLICY: `${place}/rules/policy.toml`,
    });
    for (const name of ['engine', 'agent', 'rules']) {
      expect(check(join(place, name), environment), name).toMatchObject({ ok: false });
    }
  });

  it('our own state where it has been moved to', () => {
    const place = temporaryPlace();
    const environment = environmentIn(place, { XDG_STATE_HOME: join(place, 'state') });
    folder(place, 'state/repertoire');
    expect(check(join(place, 'state'), environment)).toMatchObject({ ok: false });
    expect(check(folder(place, 'state/other'), environment)).toMatchObject({ ok: true });
  });
});

describe('no run writes', () => {
  it.each(['/etc', '/usr', '/usr/local', '/bin', '/sbin', '/lib', '/opt', '/var/lib', '/var/log', '/var'])(
    '%s',
    (path) => {
      expect(check(path, environmentIn(temporaryPlace()), 'write')).toMatchObject({ ok: false });
    },
  );

  it.each([
    ...[
      '.bashrc',
      '.profile',
      '.local/bin',
      '.config/autostart',
      '.gitconfig',
      '.vim',
      '.agents',
      '.local/share/systemd',
    ],
    ...['.windsurf', '.kiro', '.config/systemd/user', '.config/fish', '.config/i3', '.local/share/mise', '.local/opt'],
  ])('~/%s', (name) => {
    const environment = environmentIn(temporaryPlace());
    const path = folder(environment.home, name);
    expect(check(path, environment, 'write')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/which holds/),
    });
    expect(check(path, environment, 'read')).toMatchObject({ ok: true });
  });

  it.each(['.git/hooks', '.git', '.claude', '.vscode', '.github/workflows', '.Claude/agents'])(
    'to %s of a project, which may be read',
    (name) => {
      const place = temporaryPlace();
      const path = folder(place, 'project', name);
      expect(check(path, environmentIn(place), 'write')).toMatchObject({
        ok: false,
        message: expect.stringMatching(/is in \.\w+, which holds/),
      });
      expect(check(path, environmentIn(place), 'read')).toMatchObject({ ok: true });
      expect(check(join(place, 'project'), environmentIn(place), 'write')).toMatchObject({ ok: true });
    },
  );

  it('to a skill, nor to a repository without a name of its own', () => {
    const place = temporaryPlace();
    writeFileSync(join(folder(place, 'one'), 'Skill.md'), '');
    for (const part of ['HEAD', 'objects', 'refs']) folder(place, 'bare', part);
    for (const [name, what] of [
      ['one', 'is a skill'],
      ['bare', 'is a Git repository'],
    ] as const) {
      expect(check(join(place, name), environmentIn(place), 'write')).toMatchObject({
        ok: false,
        message: expect.stringContaining(what),
      });
      expect(check(join(place, name), environmentIn(place), 'read')).toMatchObject({ ok: true });
    }
  });

  it.each(['.config/Code', '.continue', '.config/JetBrains'])('~/%s, which holds more than settings', (name) => {
    const environment = environmentIn(temporaryPlace());
    const path = folder(environment.home, name);
    for (const access of ['read', 'write'] as const)
      expect(check(path, environment, access)).toMatchObject({ ok: false });
  });

  it('to the system, which may be read', () => {
    expect(check('/usr/share', environmentIn(temporaryPlace()), 'read')).toMatchObject({ ok: true });
    expect(check('/usr/share', environmentIn(temporaryPlace()), 'write')).toMatchObject({ ok: false });
  });
});

it('a mounted path neither lies in a refused place nor contains one, whatever links there are', () => {
  const place = temporaryPlace();
  const environment = environmentIn(place);
  const root = folder(place, 'world');
  for (const path of ['a/b', 'b', 'c/a']) folder(root, path);
  const secret = folder(environment.home, '.ssh/a/b');
  const links = { 'a/up': '..', 'a/out': secret, 'b/home': environment.home, 'c/deep': '../a/out/..', 'c/b': '../b' };
  for (const [from, to] of Object.entries(links)) symlinkSync(to, join(root, from));
  const part = fc.constantFrom('a', 'b', 'c', 'up', 'out', 'home', 'deep', '.ssh', 'world');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const checked = check(resolve(root, parts.join('/')), environment);
      if (!checked.ok || checked.mount === null) return;
      const { source } = checked.mount;
      expect(source).toBe(realpathSync(source));
      for (const refused of [join(environment.home, '.ssh'), environment.home]) {
        expect(relative(source, refused)).toMatch(/^\.\./);
      }
      expect(relative(join(environment.home, '.ssh'), source)).toMatch(/^\.\./);
    }),
    { numRuns: 400 },
  );
});
