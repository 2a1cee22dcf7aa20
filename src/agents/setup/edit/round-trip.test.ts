import fc from 'fast-check';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { edited, roundTrip, withoutEntry } from '../../../../test/support/settings.ts';
import { editText, valueIn } from './edit.ts';
import type { Format, Json, Path } from './values.ts';

const numRuns = 200;

/** Picks from lists by numbers from outside: one set of numbers, one document. */
type Pick = <T>(items: readonly T[]) => T;

const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 120 }).map((numbers): (() => Pick) => () => {
  let at = 0;
  return (items) => items[(numbers[at++ % numbers.length] ?? 0) % items.length] as never;
});

const values = fc.dictionary(
  fc.constantFrom('command', 'args', 'env', 'a b', 'x.y', '__proto__', 'é', 'url'),
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('true', '1', '', '#', "it's", 'C:\\x', '- a', '{', 'a: b', '~', '\u007f', '\n'),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('A', 'b c'), fc.string({ maxLength: 5 }), { maxKeys: 2 }),
  ),
  { maxKeys: 5 },
);

/** The comments of a text, in their order. */
function commentsIn(format: Format, text: string): readonly string[] {
  const comment = format === 'json' ? /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g : /#[^\r\n]*/g;
  return (text.match(comment) ?? []).filter((found) => !found.startsWith('"'));
}

/**
 * Checks that where nothing is remembered, the rest of the text keeps every comment, and is as it was after the next
 * time.
 */
function checkForgotten(format: Format, text: string, at: Path, value: Json): void {
  const left = edited(format, edited(format, text, at, value), at, undefined);
  expect(commentsIn(format, left)).toEqual(commentsIn(format, text));
  expect(edited(format, edited(format, left, at, value), at, undefined)).toBe(left);
}

/** Checks adding, adding again, changing, and removing: nothing but the entry ever differs. */
function check(format: Format, text: string, at: Path, value: Json, other: Json): string {
  checkForgotten(format, text, at, value);
  const once = roundTrip(format, text, at, value);
  const changed = edited(format, once, at, other);
  expect(valueIn(format, changed, at)).toEqual({ ok: true, value: other });
  expect(withoutEntry(format, text, changed, at)).toBe(text);
  return once;
}

describe('a file that somebody wrote', () => {
  it('in JSON is the same after the entry has come and gone', () => {
    fc.assert(
      fc.property(picks, values, values, (pick, value, other) => {
        const text = jsonText(pick());
        const once = check('json', text, ['mcpServers', 'repertoire'], value, other);
        const errors: ParseError[] = [];
        parseJsonc(once.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
        expect(errors).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('in TOML is the same after the entry has come and gone', () => {
    fc.assert(
      fc.property(picks, values, values, (pick, value, other) => {
        check('toml', tomlText(pick()), ['mcp_servers', 'repertoire'], value, other);
      }),
      { numRuns },
    );
  });

  it('in YAML is the same after the entry has come and gone', () => {
    fc.assert(
      fc.property(picks, values, values, (pick, value, other) => {
        check('yaml', yamlText(pick()), ['extensions', 'repertoire'], value, other);
      }),
      { numRuns },
    );
  });

  it('is read, or refused in words, whatever is in it', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', '"', "'", '"""', ':', '=', ',', '.', '#', '//', '/*', '*/', '\n', '\r\n', '\t', '  '],
      ...[
        'a',
        'mcpServers',
        '1',
        '- ',
        '? ',
        '|',
        '&a ',
        '*a',
        '<<',
        '---\n',
        '...',
        '\\',
        '\ufeff',
        '\0',
        '~',
        'é',
        '@',
      ],
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 40 }),
        fc.constantFrom<Format>('json', 'toml', 'yaml'),
        (parts, format) => {
          const text = parts.join('');
          const at = ['a', 'mcpServers'];
          const result = editText(format, text, [{ at, value: { b: [1] } }]);
          if (!result.ok) expect(result.reason).not.toBe('');
          else expect(valueIn(format, result.text, at)).toEqual({ ok: true, value: { b: [1] } });
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** Returns the text with other line ends, or with a mark at its start. */
function dressed(pick: Pick, text: string): string {
  return pick(['', '', '\ufeff']) + text.replaceAll('\n', pick(['\n', '\n', '\r\n']));
}

function jsonText(pick: Pick): string {
  const blank = () =>
    pick(['', '', ' ', '\n', '\n  ', '\n\t', ' // c, "x": {\n', '/* } */', '\n    // d\n    ', '  \n']);
  const scalar = () => pick(['1', '"a"', 'true', 'null', '"// no"', '"\\""', '-1.5e3', '"}"']);
  const value = (depth: number): string => {
    const kind = depth > 3 ? 'scalar' : pick(['scalar', 'scalar', 'map', 'list']);
    if (kind === 'scalar') return scalar();
    return kind === 'map'
      ? map(depth + 1, pick([[], ['a'], ['a', 'b']]))
      : box('[', ']', pick([0, 1, 2]), () => value(depth + 1));
  };
  const box = (open: string, close: string, count: number, item: (index: number) => string): string => {
    const items = Array.from({ length: count }, (_, index) => blank() + item(index) + blank());
    return open + items.join(',') + (count > 0 && pick([true, false, false]) ? `,${blank()}` : blank()) + close;
  };
  const map = (depth: number, keys: readonly string[]): string =>
    box('{', '}', keys.length, (index) => {
      const inner = keys[index] === 'mcpServers' ? map(depth + 1, pick([[], [], ['x'], ['x', 'y']])) : value(depth);
      return `"${keys[index]}"${pick(['', '', ' ', blank()])}:${pick([' ', '', blank()])}${inner}`;
    });
  const root = pick([['a'], [], ['mcpServers'], ['a', 'mcpServers'], ['mcpServers', 'a'], ['a', 'b']]);
  const text = pick([true, true, true, true, false]) ? map(0, root) : '';
  return dressed(pick, `${blank()}${text}${blank()}`);
}

function tomlText(pick: Pick): string {
  const note = () => pick(['', '', ' # c', '  ', '\t# "x" = [']);
  const gap = () => pick(['', '', '\n', '\n\n', '# [no]\n', '  # more\n\n', '\n# about\n']);
  const value = () =>
    pick([
      '1',
      '"a # b"',
      "'[x]'",
      '[ 1, 2 ]',
      '[\n  "a", # ]\n  "b",\n]',
      '"""\n[mcp_servers.repertoire]\n"""',
      "'''\n'a'\n'''",
      '{ a = 1, b = "}" }',
      '2020-01-01',
      '{}',
    ]);
  let names = 0;
  const entry = (name = `k${names++}`) =>
    `${pick(['', '', '  '])}${name}${pick([' = ', '=', ' =  '])}${value()}${note()}\n`;
  const table = (name: string, entries: () => string) => `${gap()}[${name}]${note()}\n${entries()}`;
  const some = () => pick([() => '', () => entry(), () => entry() + gap() + entry()])();
  const other = () =>
    pick([
      () => '',
      () => table(`t${names++}`, some),
      () => table(`"a b".t${names++}`, some),
      () => `${gap()}[[list]]\n${some()}`,
    ])();
  const inline = (text: string) => `mcp_servers = ${text}${note()}\n`;
  const [top, below] = pick<readonly [() => string, () => string]>([
    [() => '', () => ''],
    [() => '', () => table('mcp_servers.x', some) + table('mcp_servers.x.env', some)],
    [() => '', () => table('mcp_servers', some)],
    [() => '', () => table('mcp_servers', () => `x.command = "y"${note()}\n${some()}`)],
    [() => `mcp_servers.x.command = 1${note()}\n`, () => ''],
    [() => inline(pick(['{}', '{ }', '{ x = 1 }', '{x = { a = 1 }}', '{ x = 1, "y z" = [1] }'])), () => ''],
  ]);
  const text = gap() + some() + top() + some() + gap() + other() + below() + other() + gap();
  return dressed(pick, pick([true, false]) ? text : text.trimEnd());
}

function yamlText(pick: Pick): string {
  const note = () => pick(['', '', '', ' # c', '  ']);
  const gap = (indent = '') => pick(['', '', '', '\n', `${indent}# k: v\n`, `\n${indent}# more\n\n`]);
  let names = 0;
  const scalar = () =>
    pick(['1', 'a b', '"a # b"', "'it''s'", '~', 'true', '[ a, b ]', '{ a: 1 }', '[]', '2020-01-01']);
  const unit = pick(['  ', '    ']);
  const pair = (indent: string, depth: number, key = `k${names++}`): string => {
    const head = `${indent}${key}:`;
    const inner = indent + unit;
    return pick([
      () => `${head} ${scalar()}${note()}\n`,
      () => `${head}${note()}\n`,
      () => `${head} |${note()}\n${inner}text\n\n${inner}# no comment\n`,
      () => `${head} >-\n${inner}text\n`,
      () => `${head}\n${indent}- a${note()}\n${indent}- b: 1\n${indent}  c: 2\n`,
      () => (depth > 2 ? `${head} 1\n` : `${head}${note()}\n${gap(inner)}${pairs(inner, depth + 1)}`),
    ])();
  };
  const pairs = (indent: string, depth: number): string =>
    pick([() => pair(indent, depth), () => pair(indent, depth) + gap(indent) + pair(indent, depth)])();
  const some = () => pick([() => '', () => pairs('', 0)])();
  const ours = pick([
    () => '',
    () => `extensions:${note()}\n`,
    () => `extensions: {}${note()}\n`,
    () => `extensions:${note()}\n${gap(unit)}${pairs(unit, 1)}`,
    () =>
      `extensions: {${pick(['', ' '])}a: ${pick(['1', '{ b: 1 }'])}${pick(['', ' ', ', ', ',\n  # c\n  '])}}${note()}\n`,
  ]);
  const text = pick(['', '', '---\n', '# top\n\n']) + gap() + some() + ours() + gap() + some() + gap();
  return dressed(pick, pick([true, false]) ? text : text.trimEnd());
}
