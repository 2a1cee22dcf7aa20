import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readYaml, verbatimFrontmatter } from './yaml.ts';

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

function read(text: string): ReturnType<typeof verbatimFrontmatter> {
  return verbatimFrontmatter(Buffer.from(text));
}

describe('verbatim front matter', () => {
  it.each([
    ['---\nname: a\ndescription: b\n---\n', { name: 'a', description: 'b' }],
    ['\ufeff---\r\nname: a\r\ndescription: "b: c"\r\n---\r\ntext', { name: 'a', description: 'b: c' }],
    [
      '---\nmetadata:\n  a: 1.0\n  b: [x, "y"]\n  c: {d: null}\nz: >\n  folded\n  text\n---',
      {
        metadata: { a: 1, b: ['x', 'y'], c: { d: null } },
        z: 'folded text\n',
      },
    ],
    ['---\n"quoted key": "over\n  two lines"\n--- \n', { 'quoted key': 'over two lines' }],
  ])('is given as it is written: %j', (text, frontmatter) => {
    expect(read(text)).toEqual({ ok: true, frontmatter });
  });

  it.each([
    ['description: a: b', 'not strict YAML'],
    ['a: &x 1\nb: *x', 'an anchor or alias'],
    ['a: &x 1', 'an anchor or alias'],
    ['a: !!str 1', 'a tag'],
    ['a: !own {b: c}', 'a tag'],
    ['a: 1\na: 2', 'a key that appears twice'],
    ['m:\n  a: 1\n  a: 2', 'a key that appears twice'],
    ['m:\n  1: a', 'a key that is not text'],
    ['true: a', 'a key that is not text'],
    ['? [a]\n: b', 'a key that is not text'],
    ['{{name}}: b', 'a key that is not text'],
    ['a: .inf', 'a number that JSON cannot represent'],
    ['a: [.nan]', 'a number that JSON cannot represent'],
    ['__proto__: a', '__proto__'],
    ['- a', 'not strict YAML'],
  ])('is not given where others may read it in another way: %j', (yaml, reason) => {
    const result = read(`---\n${yaml}\n---\n`);
    expect(result).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it.each([
    '',
    'text',
    '\n---\na: b\n---\n',
    '--- \na: b\n---\n',
    '---yaml\na: b\n---\n',
    '---\ra: b\r---\r',
    '---\na: b\n',
  ])('is not given where it is not at the start of the file: %j', (text) => expect(read(text).ok).toBe(false));

  it('is not given where the bytes are not text', () => {
    expect(verbatimFrontmatter(Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff]))).toEqual({
      ok: false,
      reason: 'the file is not UTF-8',
    });
  });
});
