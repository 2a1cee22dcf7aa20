import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readYaml } from './yaml.ts';

/** Expects a text to be read as the parser reads it, which gets it where a comment stands before it. */
function expectAsParsed(text: string): void {
  const parsed = readYaml(`# read by the parser\n${text}`, 1);
  const raised = JSON.parse(JSON.stringify(parsed), (key, value: unknown) =>
    key === 'line' ? Math.max(1, (value as number) - 1) : value,
  );
  expect(readYaml(text, 1), JSON.stringify(text)).toEqual(raised);
}

/** Values, but for those whose blanks and signs would not be seen here. */
const visibleValues = `
null|Null|~|true|FALSE|yes|no|on|nullable|truely|Infinity|NaN|e3|1.0|0x1
a:|a:b|x: y|a #b|a#b|"a"|"a: b # c"|'a'|'it''s'|"a\\n"|"a" # b|"a" b|"
[a]|a, b|a [b] {c}|{a}|> a|&a b|*a|!a b|@a|%a|- a|? a
é: à|ünïcode|中文，说明|"中: 文"`;
const values = [
  ...visibleValues.trim().split(/[|\n]/),
  ...[
    '',
    '|',
    '`a`',
    'a  ',
    "'a' ",
    'a\tb',
    'a\rb',
    'a\u0085b',
    'a\u2028b',
    'a\ufeffb',
    'a\u007fb',
    '\u00a0a',
    'a\u00a0',
  ],
];
const keys = 'name description allowed-tools null TRUE "name" << x - é 1 __proto__'.split(' ').concat('a b');

test('reads simple lines as the parser does', () => {
  for (const key of keys) {
    for (const value of values) {
      const text = `${key}: ${value}`;
      expectAsParsed(text);
      expectAsParsed(`name: a\n${text}\nend: "b"\n`);
    }
  }
});

test('reads whatever is written as fields as the parser does', () => {
  const signs = ' :#"\'\\-,[]{}|>&*!%@`~?\t\r\n.'.split('');
  const character = fc.oneof(
    fc.constantFrom(...signs, 'a', 'B', '7', 'é', '中', '\u00a0', '\u200b'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const value = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));
  const line = fc.tuple(fc.constantFrom(...keys), fc.constantFrom(': ', ':', ':  ', ' : '), value);
  const text = fc
    .array(line, { minLength: 1, maxLength: 4 })
    .map((lines) => lines.map((one) => one.join('')).join('\n'));
  fc.assert(
    fc.property(text, (given) => expectAsParsed(given)),
    { numRuns: 5000 },
  );
});
