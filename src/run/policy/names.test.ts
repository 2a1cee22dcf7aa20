import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coversName,
  coversPath,
  isPrivatePath,
  meetNames,
  meetPaths,
  parseCommand,
  parseEnvName,
  parseImage,
  parsePath,
  parsePattern,
  parseSecretName,
  pathText,
} from './names.ts';
import type { PathRule } from './types.ts';

describe('environment variables', () => {
  it.each(['HOME_REGION', 'api_url', '_X', 'NODE_ENV', 'GIT_TOKEN', 'KUBECONFIG', 'LANG', 'TZ'])(
    '%s may be named',
    (name) => {
      expect(parseEnvName(name)).toEqual({ ok: true, value: name });
      expect(parseSecretName(name)).toEqual({ ok: true, value: name });
    },
  );

  it.each(
    [
      'LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES NODE_OPTIONS NODE_PATH BASH_ENV ENV BASH_FUNC_x SHELLOPTS',
      'PYTHONSTARTUP PYTHONPATH PYTHONHOME PERL5OPT PERL5LIB RUBYOPT RUBYLIB LUA_INIT LUA_INIT_5_4 GCONV_PATH PATH IFS HOME',
      'TMPDIR GLIBC_TUNABLES JAVA_TOOL_OPTIONS GIT_SSH_COMMAND GIT_CONFIG_COUNT PAGER http_proxy HTTPS_PROXY no_proxy',
      'SSH_AUTH_SOCK DOCKER_HOST SSL_CERT_FILE REPERTOIRE_AUTH_TOKEN npm_config_script_shell PS4 PROMPT_COMMAND OPENSSL_CONF',
    ].flatMap((line) => line.split(' ')),
  )('%s is refused', (name) => {
    for (const parse of [parseEnvName, parseSecretName]) {
      expect(parse(name)).toMatchObject({ ok: false, message: expect.stringContaining('how programs start') });
    }
  });

  it.each(['', '1X', 'A-B', 'A=B', 'A B', 'Ä', 'A\0', 'A\n', '$A', '*', 'a'.repeat(200)])(
    '%j is not a valid name',
    (name) => {
      for (const parse of [parseEnvName, parseSecretName]) expect(parse(name).ok).toBe(false);
    },
  );
});

describe('programs', () => {
  it.each(['kubectl', 'g++', 'python3.12', '7z', 'aws'])('%s may be named', (name) => {
    expect(parseCommand(name)).toEqual({ ok: true, value: name });
  });

  it.each(['', '/bin/sh', './x', '../x', '-x', '.x', 'a b', 'a;b', 'a$b', 'a\0', '~', '*'])('%j is none', (name) => {
    expect(parseCommand(name)).toMatchObject({ ok: false, remedy: expect.stringContaining('kubectl') });
  });
});

describe('images', () => {
  it.each([
    'alpine',
    'alpine:3.20',
    'library/alpine',
    'ghcr.io/owner/name:tag',
    'localhost:5000/a/b-c__d.e',
    `alpine@sha256:${'0'.repeat(64)}`,
    `registry.example.com/x:1@sha256:${'a'.repeat(64)}`,
  ])('%s may be named', (name) => {
    expect(parseImage(name)).toEqual({ ok: true, value: name });
  });

  it.each([
    '',
    '-alpine',
    'Alpine',
    'a b',
    'a//b',
    '/a',
    'a/',
    'a:',
    'a@sha256:00',
    '--privileged',
    'a\n',
    'a:-x',
    'https://a/b',
  ])('%j is none', (name) => {
    expect(parseImage(name).ok).toBe(false);
  });
});

describe('patterns of operators', () => {
  it.each([
    ['APP_*', 'APP_X', true],
    ['APP_*', 'APP_', true],
    ['APP_*', 'APPX', false],
    ['APP', 'APP_X', false],
    ['*', 'anything', true],
  ])('%s allows %s: %s', (pattern, name, allowed) => {
    expect(coversName(pattern, name)).toBe(allowed);
  });

  it('begin with a name', () => {
    expect(parsePattern('APP_*', parseEnvName).ok).toBe(true);
    expect(parsePattern('ghcr.io/acme/*', parseImage).ok).toBe(true);
    for (const text of ['A*B', 'A**', 'a b*', 'LD_PRELOAD']) expect(parsePattern(text, parseEnvName).ok).toBe(false);
  });

  it('allow together what both allow', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 });
    const pattern = fc.tuple(word, fc.constantFrom('', '*')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, pattern, word, (one, other, name) => {
        const both = meetNames(one, other);
        expect(both !== null && coversName(both, name)).toBe(coversName(one, name) && coversName(other, name));
      }),
      { numRuns: 2000 },
    );
  });
});

const environment = { home: '/home/ann' };

it.each([
  ['read:/data', 'read:/data'],
  ['write:/tmp', 'write:/tmp'],
  ['read:/data/', 'read:/data'],
  ['read://data///x', 'read:/data/x'],
  ['read:~', 'read:/home/ann'],
  ['write:~/notes/', 'write:/home/ann/notes'],
  ['read:/', 'read:/'],
  ['read:/a b/ü', 'read:/a b/ü'],
  ['read:/..data/x..', 'read:/..data/x..'],
])('the path %s is read as %s', (text, written) => {
  const rule = parsePath(text, environment);
  expect(rule.ok && pathText(rule.value)).toBe(written);
});

it.each([
  ['/data', 'does not say'],
  ['READ:/data', 'does not say'],
  ['execute:/data', 'does not say'],
  ['read:', 'absolute'],
  ['read:data', 'absolute'],
  ['read: /data', 'absolute'],
  ['read:./data', 'absolute'],
  ['read:C:\\data', 'absolute'],
  ['read:$HOME/x', 'variable'],
  ['read:~root/x', 'another user'],
  ['read:/data/../etc', 'contains "."'],
  ['read:/data/..', 'contains "."'],
  ['read:/./data', 'contains "."'],
  ['read:~/../bob', 'contains "."'],
  ['read:/data/**', 'a *'],
  ['read:/data\0', 'invisible'],
  ['read:/da\u202eta', 'invisible'],
  [`read:/${'a'.repeat(5000)}`, 'too long'],
])('the path %j is refused: %s', (text, why) => {
  const rule = parsePath(text, environment);
  expect(rule.ok ? pathText(rule.value) : rule.message).toContain(why);
});

const text = fc
  .tuple(
    fc.constantFrom('read:', 'write:', ''),
    fc.array(fc.constantFrom('/', '.', '..', '~', 'a', 'tmp', 'tmpx', '$', '*', ' ', 'ü', '\\'), { maxLength: 8 }),
  )
  .map(([access, parts]) => access + parts.join(''));

it('an accepted path has one canonical form, which a file system would not change', () => {
  fc.assert(
    fc.property(text, (one) => {
      const rule = parsePath(one, environment);
      if (!rule.ok) return;
      expect(parsePath(pathText(rule.value), environment)).toEqual(rule);
      expect(posix.resolve('/elsewhere', rule.value.path)).toBe(rule.value.path);
    }),
    { numRuns: 3000 },
  );
});

it('/tmp is private, and /tmpx is not', () => {
  expect(isPrivatePath({ access: 'write', path: '/tmp' })).toBe(true);
  expect(isPrivatePath({ access: 'read', path: '/tmp' })).toBe(true);
  expect(isPrivatePath({ access: 'write', path: '/tmp/x' })).toBe(true);
  expect(isPrivatePath({ access: 'read', path: '/tmp/x' })).toBe(false);
  expect(isPrivatePath({ access: 'read', path: '/tmpx' })).toBe(false);
  expect(isPrivatePath({ access: 'read', path: '/' })).toBe(false);
});

const path = fc.array(fc.constantFrom('a', 'ab', 'b'), { maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
const rule = fc.record({ access: fc.constantFrom<PathRule['access']>('read', 'write'), path });

it.each([
  ['write:/a', 'read:/a/b', true],
  ['write:/a', 'write:/a', true],
  ['read:/a', 'read:/a/b', true],
  ['read:/a', 'write:/a/b', false],
  ['read:/a/b', 'read:/a', false],
  ['read:/a', 'read:/ab', false],
  ['read:/', 'read:/a', true],
])('%s includes %s: %s', (outer, inner, includes) => {
  const [one, other] = [outer, inner].map((each) => parsePath(each, environment));
  expect(one?.ok && other?.ok && coversPath(one.value, other.value)).toBe(includes);
});

it('covering and intersecting of path rules agree for every path', () => {
  fc.assert(
    fc.property(rule, rule, rule, (one, other, item) => {
      const both = meetPaths(one, other);
      expect(both !== null && coversPath(both, item)).toBe(coversPath(one, item) && coversPath(other, item));
    }),
    { numRuns: 3000 },
  );
});
