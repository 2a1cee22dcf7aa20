import { describe, expect, it } from 'vitest';
import { hostEnvironment } from '../../core/environment.ts';
import { parseSource } from './parse.ts';

const environment = hostEnvironment({ cwd: '/srv/project', home: '/home/ann', env: {} });
const parse = (text: string, ref?: string) => parseSource(text, environment, ref);

const github = (name: string): string => `https://github.com/${name}.git`;

/** What people write, and what is understood. */
const understood: readonly (readonly [string, object])[] = [
  ['./skills', { kind: 'folder', text: './skills', place: '/srv/project/skills' }],
  ['.', { kind: 'folder', text: '.', place: '/srv/project' }],
  ['~/skills/', { kind: 'folder', text: '/home/ann/skills', place: '/home/ann/skills' }],
  ['/srv/skills/one/SKILL.md', { kind: 'folder', text: '/srv/skills/one', place: '/srv/skills/one' }],
  ['../tools.git', { kind: 'git', text: '/srv/tools.git', place: '/srv/tools.git' }],
  ['owner/repo', { kind: 'git', text: 'owner/repo', place: github('owner/repo') }],
  ['@owner/repo', { kind: 'git', text: 'owner/repo', place: github('owner/repo') }],
  ['github:owner/repo@v1', { kind: 'git', text: 'owner/repo#v1', place: github('owner/repo'), ref: 'v1' }],
  [
    'owner/repo/skills/one',
    { kind: 'git', text: 'owner/repo/skills/one', place: github('owner/repo'), path: 'skills/one' },
  ],
  [
    'owner/repo/skills/@x/one@feature/a',
    {
      kind: 'git',
      text: 'owner/repo/skills/@x/one#feature/a',
      place: github('owner/repo'),
      path: 'skills/@x/one',
      ref: 'feature/a',
    },
  ],
  ['owner/repo#main', { kind: 'git', text: 'owner/repo#main', place: github('owner/repo'), ref: 'main' }],
  ['owner/my.repo.git', { kind: 'git', text: 'owner/my.repo', place: github('owner/my.repo') }],
  [
    'gitlab:owner/repo/a',
    { kind: 'git', text: 'https://gitlab.com/owner/repo.git/a', place: 'https://gitlab.com/owner/repo.git', path: 'a' },
  ],
  ['https://github.com/owner/repo', { kind: 'git', text: 'owner/repo', place: 'https://github.com/owner/repo' }],
  [
    'https://github.com/owner/repo/tree/main',
    { kind: 'git', text: 'owner/repo#main', place: github('owner/repo'), ref: 'main' },
  ],
  [
    'https://github.com/owner/repo/tree/main/skills/one',
    {
      kind: 'git',
      text: 'https://github.com/owner/repo/tree/main/skills/one',
      place: github('owner/repo'),
      refAndPath: 'main/skills/one',
    },
  ],
  [
    'https://github.com/owner/repo/blob/main/skills/one/SKILL.md',
    {
      kind: 'git',
      text: 'https://github.com/owner/repo/blob/main/skills/one/SKILL.md',
      place: github('owner/repo'),
      refAndPath: 'main/skills/one',
    },
  ],
  [
    'https://github.com/owner/repo/blob//main/skills/one/SKILL.md',
    {
      kind: 'git',
      text: 'https://github.com/owner/repo/blob//main/skills/one/SKILL.md',
      place: github('owner/repo'),
      refAndPath: 'main/skills/one',
    },
  ],
  [
    'https://git.example.com/a/b/c/-/tree/main/x',
    {
      kind: 'git',
      text: 'https://git.example.com/a/b/c/-/tree/main/x',
      place: 'https://git.example.com/a/b/c.git',
      refAndPath: 'main/x',
    },
  ],
  [
    'https://codeberg.org/a/b/src/branch/main/x',
    {
      kind: 'git',
      text: 'https://codeberg.org/a/b/src/branch/main/x',
      place: 'https://codeberg.org/a/b.git',
      refAndPath: 'main/x',
    },
  ],
  [
    'https://ann:secret@git.example.com/team/repo.git/skills/one#v2',
    {
      kind: 'git',
      text: 'https://git.example.com/team/repo.git/skills/one#v2',
      place: 'https://ann:secret@git.example.com/team/repo.git',
      path: 'skills/one',
      ref: 'v2',
    },
  ],
  [
    'git@example.com:team/repo.git',
    { kind: 'git', text: 'git@example.com:team/repo.git', place: 'git@example.com:team/repo.git' },
  ],
  [
    'git@example.com:team/repo.git/skills/one#v2',
    {
      kind: 'git',
      text: 'git@example.com:team/repo.git/skills/one#v2',
      place: 'git@example.com:team/repo.git',
      path: 'skills/one',
      ref: 'v2',
    },
  ],
  [
    'ssh://git@example.com:2222/team/repo',
    { kind: 'git', text: 'ssh://git@example.com:2222/team/repo', place: 'ssh://git@example.com:2222/team/repo' },
  ],
  ['file:///srv/repo.git', { kind: 'git', text: 'file:///srv/repo.git', place: 'file:///srv/repo.git' }],
  ['file:///srv/one.zip', { kind: 'archive', text: '/srv/one.zip', place: '/srv/one.zip' }],
  [
    'git+https://example.com/repo',
    { kind: 'git', text: 'git+https://example.com/repo', place: 'https://example.com/repo' },
  ],
  ['npm:@team/skills@^1.2', { kind: 'npm', text: 'npm:@team/skills@^1.2', place: '@team/skills', ref: '^1.2' }],
  ['npm:skills', { kind: 'npm', text: 'npm:skills', place: 'skills' }],
  ['one.skill', { kind: 'archive', text: './one.skill', place: '/srv/project/one.skill' }],
  ['dist/one.tar.gz', { kind: 'archive', text: './dist/one.tar.gz', place: '/srv/project/dist/one.tar.gz' }],
  [
    'https://example.com/one.zip?token=abc&v=1',
    { kind: 'archive', text: 'https://example.com/one.zip?v=1', place: 'https://example.com/one.zip?token=abc&v=1' },
  ],
  ['https://example.com', { kind: 'well-known', text: 'well-known:https://example.com', place: 'https://example.com' }],
  [
    'https://example.com/.well-known/agent-skills/index.json',
    { kind: 'well-known', text: 'well-known:https://example.com', place: 'https://example.com' },
  ],
  [
    'well-known:example.com/a/b',
    { kind: 'well-known', text: 'well-known:https://example.com/a/b', place: 'https://example.com/a/b' },
  ],
  [
    'https://example.com/x/marketplace.json',
    {
      kind: 'marketplace',
      text: 'marketplace:https://example.com/x/marketplace.json',
      place: 'https://example.com/x/marketplace.json',
    },
  ],
  [
    'mcp+https://example.com/mcp',
    { kind: 'mcp', text: 'mcp+https://example.com/mcp', place: 'https://example.com/mcp' },
  ],
];

describe('a source', () => {
  it.each(understood)('%s is understood, and its canonical spelling means the same', (text, source) => {
    expect(parse(text)).toEqual(source);
    const again = parse(parse(text).text);
    expect(again.text).toBe(parse(text).text);
    expect(again.kind).toBe(parse(text).kind);
  });

  it('of a marketplace holds what the marketplace lies in', () => {
    const within = { kind: 'git', text: 'owner/repo#v1', place: github('owner/repo'), ref: 'v1' };
    expect(parse('marketplace:owner/repo@v1')).toEqual({
      kind: 'marketplace',
      text: 'marketplace:owner/repo#v1',
      place: github('owner/repo'),
      within,
    });
    expect(parse('plugin:tools@owner/repo', 'v1')).toEqual({
      kind: 'marketplace',
      text: 'plugin:tools@owner/repo#v1',
      place: github('owner/repo'),
      within,
      plugin: 'tools',
    });
    expect(parse('plugin:tools@https://example.com/marketplace.json')).toMatchObject({
      text: 'plugin:tools@https://example.com/marketplace.json',
      plugin: 'tools',
    });
  });

  it('has no parts that lead out, however they are written', () => {
    expect(parse('https://github.com/o/r/tree/main/a/%2e%2e/b')).toMatchObject({ refAndPath: 'main/b' });
  });

  it('takes a ref that is given apart', () => {
    expect(parse('owner/repo/a', 'v1')).toMatchObject({ text: 'owner/repo/a#v1', ref: 'v1', path: 'a' });
    expect(parse('npm:skills', '1.0.0')).toMatchObject({ text: 'npm:skills@1.0.0' });
    expect(parse('https://github.com/o/r/tree/feature/x/skills', 'feature/x')).toMatchObject({
      text: 'o/r/skills#feature/x',
      path: 'skills',
    });
    expect(() => parse('owner/repo@v1', 'v2')).toThrow('it names "v1" already');
    expect(() => parse('./folder', 'v2')).toThrow('a ref is for Git and npm only');
  });

  it.each([
    ['', 'this is not a source'],
    ['one', 'this is not a source'],
    ['ext::sh -c evil', 'skills cannot come from such an address'],
    ['docker:image', 'skills cannot come from such an address'],
    ['ftp://example.com/one.zip', 'skills cannot come from such an address'],
    ['--upload-pack=evil', 'this is not a source'],
    ['-oProxyCommand=evil@host:repo', 'this is not a source'],
    ['git@-oProxyCommand=evil:repo', 'this is not a source'],
    ['ssh://-oProxyCommand=evil/repo', 'the address'],
    ['owner/repo@--upload-pack=evil', 'is not a branch, tag or commit'],
    ['owner/repo@a..b', 'is not a branch, tag or commit'],
    ['owner/repo/../x', 'its name leads out'],
    ['file://other.example.com/repo.git', 'a file must lie on this machine'],
    ['npm:--registry=evil', 'this is not a package name'],
    ['npm:skills@file:../x', 'this is not a package name'],
    ['npm:skills@git+https://x/y', 'this is not a package name'],
    ['npm:../x', 'this is not a package name'],
    ['marketplace:npm:x', 'a marketplace is a repository'],
    ['https://ann:secret@exa mple.com/', 'the address cannot be understood'],
    ['file:///srv/%2e%^/one.tar.gz', 'its path is wrongly encoded'],
  ])('%s is refused with what to write instead', (text, reason) => {
    const error = errorOf(() => parse(text));
    expect(error).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(reason),
      hint: expect.stringContaining('owner/repo'),
    });
    expect(String(error)).not.toContain('secret');
  });
});

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
