import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasLargeNumber, indented, isNestedTooDeeply } from './format.ts';

const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

it('JSON that could be parsed but not written again is too deep', () => {
  expect(isNestedTooDeeply(nested(1000))).toBe(false);
  expect(isNestedTooDeeply(nested(1001))).toBe(true);
  expect(isNestedTooDeeply(`${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`)).toBe(true);
});

it('brackets in strings, and closed brackets, do not count as depth of JSON', () => {
  expect(isNestedTooDeeply(JSON.stringify(['\\"', '['.repeat(5000), '"'.repeat(3)]))).toBe(false);
  expect(isNestedTooDeeply(`[${Array(5000).fill('[]').join(',')}]`)).toBe(false);
});

it('indented JSON is the same as from JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indented(JSON.stringify(value), 1e6)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

it('indented JSON keeps the digits of large numbers, and gives up where it gets too long', () => {
  expect(indented('{"a":[12345678901234567890]}', 100)).toBe('{\n  "a": [\n    12345678901234567890\n  ]\n}');
  expect(indented(nested(5000), 1e6)).toBeUndefined();
});

it('a long JSON string is one token', () => {
  const json = JSON.stringify(['x"\\'.repeat(3_000_000)]);
  expect(indented(json, 1e8)?.length).toBe(json.length + 4);
  expect(hasLargeNumber(json)).toBe(false);
});

it('only integers outside of JSON strings can be too large', () => {
  expect(hasLargeNumber('[9007199254740991, 1.2345678901234567, "9007199254740993"]')).toBe(false);
  expect(hasLargeNumber('{"a":-9007199254740993}')).toBe(true);
});
