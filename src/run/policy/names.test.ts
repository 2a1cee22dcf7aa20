import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coversName,
  meetNames,
  parseCommand,
  parseEnvName,
  parseImage,
  parsePattern,
  parseSecretName,
} from './names.ts';

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
