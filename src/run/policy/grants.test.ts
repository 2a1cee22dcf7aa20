import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { environmentIn, temporaryPlace } from '../../../test/support/place.ts';
import type { Environment } from '../../core/environment.ts';
import { changesInWords, changesSince } from './effective.ts';
import { grantFile, listGrants, readGrant, removeGrant, writeGrant } from './grants.ts';
import type { Grant } from './types.ts';

function grant(skill = '/skills/one', name = 'one'): Grant {
  return {
    skill,
    name,
    digest: 'sha256:00',
    files: { 'SKILL.md': 'sha256:11', ['__proto__']: 'sha256:22' },
    capabilities: {
      network: [{ host: 'example.com', below: true, port: 443 }],
      filesystem: [{ access: 'read', path: '/data' }],
      env: ['REGION'],
      secrets: ['TOKEN'],
      commands: ['kubectl'],
      images: ['alpine:3'],
      limits: [{ limit: 'memoryBytes', amount: 8 * 1024 ** 3 }],
    },
    places: { '/data': '/mnt/data' },
    grantedAt: '2026-01-02T03:04:05.000Z',
  };
}

function fresh(): Environment {
  return environmentIn(temporaryPlace());
}

describe('a grant', () => {
  it('is kept for its folder alone, and for its owner alone', () => {
    const environment = fresh();
    expect(readGrant(environment, '/skills/one')).toEqual({ grant: null, problem: null });
    writeGrant(environment, grant());
    expect(readGrant(environment, '/skills/one')).toEqual({ grant: grant(), problem: null });
    expect(readGrant(environment, '/skills/on')).toEqual({ grant: null, problem: null });
    const file = grantFile(environment, '/skills/one');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it('takes the place of the one before, and can be taken back', () => {
    const environment = fresh();
    writeGrant(environment, grant());
    writeGrant(environment, { ...grant(), digest: 'sha256:99' });
    expect(readGrant(environment, '/skills/one').grant?.digest).toBe('sha256:99');
    expect(removeGrant(environment, '/skills/one')).toBe(true);
    expect(removeGrant(environment, '/skills/one')).toBe(false);
    expect(readGrant(environment, '/skills/one').grant).toBeNull();
  });

  it('is listed by name', () => {
    const environment = fresh();
    expect(listGrants(environment)).toEqual({ grants: [], problems: [] });
    for (const name of ['b', 'a']) writeGrant(environment, grant(`/skills/${name}`, name));
    expect(listGrants(environment).grants.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('that cannot be kept says where it should have been', () => {
    const environment = fresh();
    writeFileSync(join(environment.home, '.local'), '');
    expect(() => writeGrant(environment, grant())).toThrow(
      expect.objectContaining({ code: 'unwritable', hint: expect.stringContaining('XDG_STATE_HOME') }),
    );
  });
});

describe('no grant is', () => {
  function filed(environment: Environment): string {
    writeGrant(environment, grant());
    return grantFile(environment, '/skills/one');
  }

  it.each([
    ['nothing', ''],
    ['no JSON', '{"version":1'],
    ['a list', '[]'],
    ['null', 'null'],
    ['another version', JSON.stringify({ ...kept(), version: 2 })],
    ['a broken digest', JSON.stringify({ ...kept(), digest: 1 })],
    ['broken files', JSON.stringify({ ...kept(), files: { a: 1 } })],
    ['no capabilities', JSON.stringify({ ...kept(), capabilities: null })],
    ['a capability that does not exist', JSON.stringify(withNetwork(['*']))],
    ['a capability that is not text', JSON.stringify(withNetwork([{}]))],
  ])('%s', (_, text) => {
    const environment = fresh();
    const file = filed(environment);
    writeFileSync(file, text);
    const found = readGrant(environment, '/skills/one');
    expect(found).toEqual({ grant: null, problem: expect.stringContaining(file) });
    expect(listGrants(environment)).toEqual({ grants: [], problems: [found.problem] });
  });

  it('a file that others can write, or that is a link', () => {
    const environment = fresh();
    const file = filed(environment);
    chmodSync(file, 0o620);
    expect(readGrant(environment, '/skills/one').problem).toContain('can be written by others');
    chmodSync(file, 0o600);
    renameSync(file, `${file}.moved`);
    symlinkSync(`${file}.moved`, file);
    expect(readGrant(environment, '/skills/one')).toMatchObject({
      grant: null,
      problem: expect.stringContaining('ELOOP'),
    });
  });

  it.runIf(process.getuid?.() === 0)('a file of another user', () => {
    const environment = fresh();
    chownSync(filed(environment), 12_345, 12_345);
    expect(readGrant(environment, '/skills/one').problem).toContain('belongs to another user');
  });

  it('the grant of another folder under its name', () => {
    const environment = fresh();
    renameSync(filed(environment), grantFile(environment, '/skills/two'));
    expect(readGrant(environment, '/skills/two').problem).toContain('another folder');
    expect(listGrants(environment)).toMatchObject({
      grants: [],
      problems: [expect.stringContaining('another folder')],
    });
  });

  it('any file that is cut off', () => {
    const environment = fresh();
    const file = filed(environment);
    const text = readFileSync(file, 'utf8');
    fc.assert(
      fc.property(fc.nat({ max: text.length - 3 }), (length) => {
        writeFileSync(file, text.slice(0, length));
        expect(readGrant(environment, '/skills/one').grant).toBeNull();
      }),
      { numRuns: 50 },
    );
    mkdirSync(join(dirname(file), 'stray'));
    expect(() => listGrants(environment)).not.toThrow();
  });
});

function kept(): Record<string, unknown> {
  const { capabilities: _, ...rest } = grant();
  const capabilities = { network: [], filesystem: [], env: [], secrets: [], commands: [], images: [] };
  return { version: 1, ...rest, capabilities };
}

function withNetwork(network: unknown[]): Record<string, unknown> {
  return { ...kept(), capabilities: { ...(kept()['capabilities'] as object), network } };
}

describe('what has changed since a grant', () => {
  it('is listed by file', () => {
    const changes = changesSince({ files: { a: '1', b: '1', c: '1' } }, { b: '2', c: '1', d: '1' });
    expect(changes).toEqual({ changed: ['b'], added: ['d'], removed: ['a'] });
    expect(changesInWords(changes)).toEqual(['b has changed', 'd is new', 'a is gone']);
  });

  it('is empty where nothing has', () => {
    const { files } = grant();
    expect(changesSince({ files }, { ...files })).toEqual({ changed: [], added: [], removed: [] });
  });

  it('is counted where it is much, and cannot move a cursor', () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}\u001b[2J`, '1']));
    const words = changesInWords(changesSince({ files: {} }, files));
    expect(words).toHaveLength(6);
    expect(words.at(-1)).toBe('and 4 more');
    expect(words.join()).not.toContain('\u001b');
  });
});
