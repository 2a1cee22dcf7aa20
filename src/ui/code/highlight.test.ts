import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Kind, languageOf, tokenLines } from './highlight.ts';

const known = ['js', 'py', 'sh', 'yaml', 'toml', 'json', 'md', 'html', 'css', 'sql', 'diff', 'rb', 'go', 'rs', 'c'];

function joined(text: string, language: string): string {
  return tokenLines(text, language)
    .map((line) => line.map((token) => token.text).join(''))
    .join('\n');
}

function kindsIn(text: string, language: string): [Kind, string][] {
  return tokenLines(text, language)
    .flat()
    .flatMap(({ kind, text: piece }): [Kind, string][] => (kind === null ? [] : [[kind, piece.trim()]]));
}

describe('a text in colours', () => {
  it('is the text, whatever the language and whatever was written', () => {
    const pieces = fc.constantFrom(
      '"',
      "'",
      '`',
      '```',
      '"""',
      '#',
      '//',
      '/*',
      '*/',
      '\\',
      '\n',
      '---\n',
      '[',
      '$',
      'a',
    );
    const text = fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom(...known, 'unknown', '__proto__'), (written, language) => {
        expect(joined(written, language)).toBe(written);
      }),
    );
  });

  it.each<[string, string, [Kind, string][]]>([
    [
      'sh',
      'if [ "$A" ]; then echo $B # why\nfi',
      [
        ['keyword', 'if'],
        ['string', '"$A"'],
        ['keyword', 'then'],
        ['keyword', 'echo'],
        ['name', '$B'],
        ['comment', '# why'],
        ['keyword', 'fi'],
      ],
    ],
    [
      'py',
      'def f(x):\n  return "a" + 1',
      [
        ['keyword', 'def'],
        ['keyword', 'return'],
        ['string', '"a"'],
        ['number', '1'],
      ],
    ],
    [
      'yaml',
      'name: demo # x\nlist:\n  - on',
      [
        ['name', 'name'],
        ['comment', '# x'],
        ['name', 'list'],
        ['keyword', 'on'],
      ],
    ],
    [
      'toml',
      '[tools.a]\ncommand = ["sh", 1]',
      [
        ['heading', '[tools.a]'],
        ['name', 'command'],
        ['string', '"sh"'],
        ['number', '1'],
      ],
    ],
    [
      'json',
      '{"a": [true, -2]}',
      [
        ['name', '"a"'],
        ['keyword', 'true'],
        ['number', '-2'],
      ],
    ],
    [
      'js',
      'const a = `x`; // no',
      [
        ['keyword', 'const'],
        ['string', '`x`'],
        ['comment', '// no'],
      ],
    ],
    [
      'md',
      '---\nname: x\n---\n',
      [
        ['mark', '---'],
        ['name', 'name'],
        ['mark', '---'],
      ],
    ],
    ['md', '```py\ndef f\n```', [['keyword', 'def']]],
    [
      'md',
      '```md\n# x\n```',
      [
        ['string', '```md'],
        ['string', '# x'],
        ['string', '```'],
      ],
    ],
    [
      'md',
      '# A\n\nsee `x` and [y](z)',
      [
        ['heading', '# A'],
        ['string', '`x`'],
        ['name', '[y](z)'],
      ],
    ],
  ])('has kinds: %s', (language, text, kinds) => {
    expect(kindsIn(text, language)).toEqual(kinds);
  });

  it('takes its language from a name', () => {
    expect(['scripts/a.PY', 'SKILL.md', 'Dockerfile', 'bash'].map(languageOf)).toEqual([
      'py',
      'md',
      'dockerfile',
      'bash',
    ]);
  });

  it('takes no longer where somebody wants it to', () => {
    // Each would take minutes if an expression went over it again and again.
    for (const piece of [
      '"',
      "'",
      '`',
      '/*',
      '<!--',
      '"""',
      '[',
      '[a](',
      '**',
      '$',
      '--',
      '- ',
      '[[',
      '\\',
      'a.',
      'a-',
      ' ',
      '\n ',
    ]) {
      const text = piece
        .repeat(Math.floor(990 / piece.length))
        .concat('\n')
        .repeat(60);
      for (const language of known) expect(tokenLines(text, language).length).toBeGreaterThan(0);
    }
  });

  it('is known for the examples that ship', () => {
    const folder = fileURLToPath(new URL('../../../skills', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.(?:md|toml|sh|py)$/.test(path),
    );
    for (const path of files) {
      const text = readFileSync(`${folder}/${path}`, 'utf8');
      expect(joined(text, languageOf(path))).toBe(text);
      expect(kindsIn(text, languageOf(path)).length).toBeGreaterThan(0);
    }
  });
});
