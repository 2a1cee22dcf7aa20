import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { coversPath, isPrivatePath, meetPaths, parsePath, pathText } from './paths.ts';
import type { PathRule } from './types.ts';

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
