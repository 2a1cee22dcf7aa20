import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareOrigins } from '../../src/get/sources/sources.ts';
import { skillText } from './support/archives.ts';
import { Fetcher, filesIn } from './support/fetching.ts';
import { type GitRequest, gitOverHttp, listen, Repository, sshServer } from './support/servers.ts';

/** A repository with two skills and much else. */
function repositoryIn(fetcher: Fetcher, name = 'team/tools.git'): Repository {
  const repository = new Repository(fetcher.world.path(`served/${name}`));
  repository.commit({
    'README.md': 'Read me.',
    'skills/one/SKILL.md': skillText('one'),
    'skills/one/notes.txt': 'a\r\nb\n',
    'skills/two/SKILL.md': skillText('two'),
    'src/large.bin': 'x'.repeat(100_000),
  });
  return repository;
}

describe('a Git server over HTTP', () => {
  it('gives the skills of its newest commit, and nothing but their files', async () => {
    const fetcher = new Fetcher();
    const repository = repositoryIn(fetcher);
    const commit = repository.git('rev-parse', 'HEAD');
    const url = `${await gitOverHttp(fetcher.world.path('served'))}/team/tools.git`;
    const fetched = await fetcher.fetch(url);
    expect(filesIn(fetched.folder)).toEqual({
      'skills/one/SKILL.md': skillText('one'),
      'skills/one/notes.txt': 'a\r\nb\n',
      'skills/two/SKILL.md': skillText('two'),
    });
    expect(fetched.origin).toEqual({ kind: 'git', source: url, url, commit });
    expect(fetched.skills).toEqual([
      {
        name: 'one',
        path: 'skills/one',
        origin: { ...fetched.origin, path: 'skills/one', tree: repository.git('rev-parse', 'HEAD:skills/one') },
      },
      {
        name: 'two',
        path: 'skills/two',
        origin: { ...fetched.origin, path: 'skills/two', tree: repository.git('rev-parse', 'HEAD:skills/two') },
      },
    ]);
    expect(existsSync(join(fetched.folder, '../work'))).toBe(false);
    await fetched.dispose();
    expect(fetcher.left()).toEqual([]);
  });

  it('may be one without a program, that hands out the files of the repository', async () => {
    const fetcher = new Fetcher();
    const repository = repositoryIn(fetcher);
    const commit = repository.git('rev-parse', 'HEAD');
    repository.git('update-server-info');
    const folder = fetcher.world.path('served/team/tools.git/.git');
    let requests = 0;
    const url = await listen((request, response) => {
      requests++;
      const path = join(folder, new URL(request.url ?? '/', 'http://x').pathname.replace('/tools.git', ''));
      if (existsSync(path) && !statSync(path).isDirectory()) response.end(readFileSync(path));
      else response.writeHead(404).end();
    });
    for (const asked of ['', '#main', `#${commit}`]) {
      const fetched = await fetcher.fetch(`${url}/tools.git${asked}`);
      expect(Object.keys(filesIn(fetched.folder)), asked).toContain('skills/one/SKILL.md');
      expect(fetched.origin.commit).toBe(commit);
      await fetched.dispose();
    }
    expect(requests).toBeLessThan(200);
  });

  it('gives the folder, the branch, the tag or the commit that is asked for', async () => {
    const fetcher = new Fetcher();
    const repository = repositoryIn(fetcher);
    const old = repository.git('rev-parse', 'HEAD');
    repository.git('tag', '-a', 'v1', '-m', 'One');
    repository.git('checkout', '-q', '-b', 'feature/new');
    repository.commit({ 'skills/two/SKILL.md': `${skillText('two')}new` });
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'skills/one/SKILL.md': `${skillText('one')}newer` });
    const url = `${await gitOverHttp(fetcher.world.path('served'))}/team/tools.git`;
    const textOf = async (text: string, context = {}): Promise<string> => {
      const { folder, skills, dispose } = await fetcher.fetch(text, context);
      const content = skills.map(({ path }) => readFileSync(join(folder, path, 'SKILL.md'), 'utf8')).join('|');
      await dispose();
      return content;
    };
    expect(await textOf(`${url}/skills/one`)).toBe(`${skillText('one')}newer`);
    expect(await textOf(`${url}/skills/one#v1`)).toBe(skillText('one'));
    expect(await textOf(`${url}/skills/one`, { ref: old })).toBe(skillText('one'));
    expect(await textOf(`${url}/skills/one`, { ref: old.slice(0, 10) })).toBe(skillText('one'));
    expect(await textOf(`${url}#feature/new`)).toBe(`${skillText('one')}|${skillText('two')}new`);
    // The address of a page: where the name of the branch ends, only the server knows.
    const page = url.replace(/\.git$/, '/tree/feature/new/skills/two');
    expect(await textOf(page)).toBe(`${skillText('two')}new`);
    const { origin } = await fetcher.fetch(page);
    expect(origin).toMatchObject({ ref: 'feature/new', source: page });
    expect(await textOf(url, { pinned: { kind: 'git', source: url, commit: old, path: 'skills/one' } })).toBe(
      skillText('one'),
    );
  });

  it('says what it does not have', async () => {
    const fetcher = new Fetcher();
    repositoryIn(fetcher);
    const base = await gitOverHttp(fetcher.world.path('served'));
    expect(await fetcher.refusal(`${base}/team/none.git`)).toMatchObject({
      code: 'not-found',
      message: `${base}/team/none.git: there is no such repository`,
    });
    expect(await fetcher.refusal(`${base}/team/tools.git#none`)).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('no such branch, tag or commit'),
    });
    expect(await fetcher.refusal(`${base}/team/tools.git/docs`)).toMatchObject({
      code: 'not-found',
      hint: 'It has skills in skills/one, skills/two.',
    });
    expect(
      await fetcher.refusal(`${base}/team/tools.git`, {
        pinned: { kind: 'git', source: 'x', commit: '--upload-pack=evil' },
      }),
    ).toMatchObject({ code: 'not-found' });
  });

  it('knows private repositories by the credentials of the user’s own Git, which appear nowhere', async () => {
    const fetcher = new Fetcher();
    repositoryIn(fetcher);
    const requests: GitRequest[] = [];
    const base = await gitOverHttp(fetcher.world.path('served'), { password: 'ann:s3cret', requests });
    const url = `${base}/team/tools.git`;
    expect(await fetcher.refusal(url)).toMatchObject({
      code: 'denied',
      hint: expect.stringContaining('credential helper'),
    });
    // A helper that the user has set up.
    fetcher.world.write(
      'home/.gitconfig',
      '[credential]\n\thelper = "!f() { echo username=ann; echo password=s3cret; }; f"\n',
    );
    expect((await fetcher.fetch(url)).skills).toHaveLength(2);
    fetcher.world.write('home/.gitconfig', '');
    // Credentials in the address itself.
    const said: string[] = [];
    const given = url.replace('//', '//ann:s3cret@');
    const fetched = await fetcher.fetch(given, { onProgress: (progress) => said.push(JSON.stringify(progress)) });
    expect(fetched.skills).toHaveLength(2);
    expect(JSON.stringify([fetched, said])).not.toMatch(/s3cret|ann|czNjcmV0/);
    expect(fetched.origin.url).toBe(url);
    expect(requests.some(({ path }) => path.includes('s3cret'))).toBe(false);
    const wrong = await fetcher.fetch(url.replace('//', '//ann:wr0ng@')).catch((error: unknown) => error);
    expect(`${JSON.stringify(wrong)} ${String(wrong)}`).not.toContain('wr0ng');
    expect(wrong).toMatchObject({ code: 'denied' });
  });

  it('is asked for its newest commit without fetching a file', async () => {
    const fetcher = new Fetcher();
    const repository = repositoryIn(fetcher);
    const url = `${await gitOverHttp(fetcher.world.path('served'))}/team/tools.git`;
    const { skills } = await fetcher.fetch(url);
    const [one, two] = skills.map(({ origin }) => origin);
    if (one === undefined || two === undefined) throw new Error('there are two skills');
    expect(compareOrigins(one, await fetcher.newest(url, { pinned: one }))).toBe('same');
    const commit = repository.commit({ 'skills/two/SKILL.md': `${skillText('two')}new` });
    expect(await fetcher.newest(url)).toEqual({ kind: 'git', source: url, url, commit });
    expect(compareOrigins(one, await fetcher.newest(url, { pinned: one }))).toBe('same');
    expect(compareOrigins(two, await fetcher.newest(url, { pinned: two }))).toBe('newer');
    repository.git('tag', '-a', 'v2', '-m', 'Two');
    expect((await fetcher.newest(`${url}#v2`)).commit).toBe(commit);
    await expect(fetcher.newest(`${url}#v3`)).rejects.toThrow('no branch, tag or commit "v3"');
  });

  it('may go silent or never end: then it is left, and so is Git', async () => {
    const fetcher = new Fetcher();
    const silent = await listen(() => undefined);
    expect((await fetcher.refusal(`${silent}/a/b.git`, { limits: { idleMs: 500 } })).message).toBe(
      'git was ended: the server went silent',
    );
    const endless = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      const timer = setInterval(() => response.write('0000'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect((await fetcher.refusal(`${endless}/a/b.git`, { limits: { totalMs: 1500, idleMs: 1400 } })).code).toBe(
      'unreadable',
    );
  });

  it('is left at once, and its files are removed, where the caller no longer wants them', async () => {
    const fetcher = new Fetcher();
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const silent = await listen(() => isAsked());
    const controller = new AbortController();
    const outcome = fetcher.fetch(`${silent}/a/b.git`, { signal: controller.signal }).catch((error: unknown) => error);
    await asked;
    controller.abort(new Error('enough'));
    expect(await outcome).toMatchObject({ message: 'enough' });
    expect(fetcher.left()).toEqual([]);
  });

  it('is not asked where the network is not to be used', async () => {
    const fetcher = new Fetcher();
    expect(await fetcher.refusal('owner/repo', { offline: true })).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('the network is not to be used'),
    });
    const repository = repositoryIn(fetcher);
    expect((await fetcher.fetch(`file://${repository.folder}`, { offline: true })).skills).toHaveLength(2);
  });
});

describe('an SSH server', () => {
  it('gives skills to whom its user’s own SSH lets in', async () => {
    const place = new Fetcher();
    const repository = repositoryIn(place);
    const { address, command } = await sshServer(place.world.path('sshd'));
    const fetcher = new Fetcher({ GIT_SSH_COMMAND: command });
    const fetched = await fetcher.fetch(`ssh://${address}${repository.folder}`);
    expect(fetched.skills.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(fetched.origin.url).toBe(`ssh://${address}${repository.folder}`);
    // A host that is not known is not trusted, and nobody is asked.
    const stranger = new Fetcher({
      GIT_SSH_COMMAND: command.replace(/UserKnownHostsFile=\S+/, 'UserKnownHostsFile=/dev/null'),
    });
    expect(await stranger.refusal(`ssh://${address}${repository.folder}`)).toMatchObject({
      code: 'denied',
      message: expect.stringContaining('SSH does not know this host'),
    });
    const nobody = new Fetcher({ GIT_SSH_COMMAND: command.replace(/-i \S+/, '-i /dev/null') });
    expect(await nobody.refusal(`ssh://${address}${repository.folder}`)).toMatchObject({ code: 'denied' });
  });
});

describe('a hostile repository', () => {
  it('costs only the skill that has a link out, a strange name or a Git folder', async () => {
    const fetcher = new Fetcher();
    const repository = repositoryIn(fetcher);
    symlinkSync('/etc/passwd', join(repository.folder, 'skills/two/secret'));
    symlinkSync('../../README.md', join(repository.folder, 'skills/one/read-me.md'));
    symlinkSync('/nix/store/x', join(repository.folder, 'result'));
    repository.commit({
      'skills/three/SKILL.md': skillText('three'),
      'skills/three/con.txt': '',
      'skills/four/SKILL.md': skillText('four'),
      'skills/four/A': '',
      'skills/four/a': '',
    });
    const { skills, refused, folder } = await fetcher.fetch(`file://${repository.folder}`);
    expect(skills.map(({ path }) => path)).toEqual(['skills/one']);
    expect(refused).toEqual([
      { name: 'four', path: 'skills/four', reason: expect.stringContaining('a: it cannot lie beside "skills/four/A"') },
      { name: 'three', path: 'skills/three', reason: 'con.txt: its name is that of a device on Windows' },
      { name: 'two', path: 'skills/two', reason: 'secret: the link leads out, to "/etc/passwd"' },
    ]);
    expect(readFileSync(join(folder, 'skills/one/read-me.md'), 'utf8')).toBe('Read me.');
    expect(
      await fetcher.fetch(`file://${repository.folder}/skills/two`).catch((error: unknown) => error),
    ).toMatchObject({ code: 'unreadable', message: expect.stringContaining('the link leads out') });
  });

  it('is refused where its trees hold what Git itself would not add', async () => {
    for (const name of ['.git', '..', '.GIT', 'a\\b']) {
      const fetcher = new Fetcher();
      const repository = new Repository(fetcher.world.path('served/evil'));
      repository.commitTree([
        ['100644', 'SKILL.md', skillText('evil')],
        ['100644', name, 'evil'],
      ]);
      const outcome = await fetcher.fetch(`git+file://${repository.folder}`).catch((error: unknown) => error);
      expect(outcome).toMatchObject({ code: 'unreadable' });
      expect(fetcher.left()).toEqual([]);
    }
  });

  it('runs no hook, no filter and no submodule of its own', async () => {
    const fetcher = new Fetcher();
    const inner = new Repository(fetcher.world.path('served/inner.git'));
    inner.commit({ 'data.txt': 'from the submodule' });
    const repository = repositoryIn(fetcher);
    fetcher.world.write('home/.gitconfig', `[filter "evil"]\n\tsmudge = touch ${fetcher.world.path('smudged')}\n`);
    repository.put({ 'skills/one/.gitattributes': '* filter=evil text eol=crlf\n' });
    repository.git('submodule', 'add', '-q', `file://${inner.folder}`, 'skills/one/inner');
    repository.commit();
    const url = `file://${repository.folder}`;
    const without = await fetcher.fetch(url);
    expect(Object.keys(filesIn(without.folder))).not.toContain('skills/one/inner/data.txt');
    // As it was committed, whatever the attributes say.
    const committed = repository.git('show', 'HEAD:skills/one/notes.txt');
    expect(filesIn(without.folder)['skills/one/notes.txt']?.trimEnd()).toBe(committed.trimEnd());
    expect(existsSync(fetcher.world.path('smudged'))).toBe(false);
    const together = await fetcher.fetch(url, { submodules: true });
    expect(filesIn(together.folder)['skills/one/inner/data.txt']).toBe('from the submodule');
  });

  it('cannot have a repository of this machine read as its submodule', async () => {
    const fetcher = new Fetcher();
    const inner = new Repository(fetcher.world.path('private'));
    inner.commit({ 'secret.txt': 'secret' });
    const repository = repositoryIn(fetcher);
    repository.git('submodule', 'add', '-q', `file://${inner.folder}`, 'skills/one/inner');
    repository.commit();
    const url = `${await gitOverHttp(fetcher.world.path('served'))}/team/tools.git`;
    const { refused, skills } = await fetcher.fetch(url, { submodules: true });
    expect(refused).toEqual([
      { name: 'one', path: 'skills/one', reason: 'inner: the address of the submodule is not used' },
    ]);
    expect(skills).toHaveLength(1);
  });

  it('with trees that hold each other ten thousand million times is refused', async () => {
    const fetcher = new Fetcher();
    const repository = new Repository(fetcher.world.path('served/bomb'));
    let line = `100644 blob ${repository.git('hash-object', '-w', '--stdin')}\tSKILL.md`;
    const { execFileSync } = await import('node:child_process');
    for (let level = 0; level < 10; level++) {
      const input = Array.from({ length: 10 }, (_, at) =>
        line.replace(/\t.*/, `\t${level === 0 ? `f${at}.md` : `d${at}`}`),
      ).join('\n');
      const tree = execFileSync('git', ['-C', repository.folder, 'mktree'], { input, encoding: 'utf8' }).trim();
      line = `040000 tree ${tree}\td`;
    }
    const tree = /tree (\w+)/.exec(line)?.[1] ?? '';
    repository.git('update-ref', 'refs/heads/main', repository.git('commit-tree', tree, '-m', 'Bomb'));
    expect((await fetcher.refusal(`git+file://${repository.folder}`)).message).toContain(
      'it has more than 1,000,000 files',
    );
  });
});
