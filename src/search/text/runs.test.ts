import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compatible, humpRun, humpsOf, plainWord, runsIn, signsRun, wordRun } from './runs.ts';

type Run = readonly ['word' | 'hump' | 'signs', string];

function runsOf(given: string): Run[] {
  const text = compatible(given);
  const names = new Map([
    [wordRun, 'word'],
    [humpRun, 'hump'],
    [signsRun, 'signs'],
  ] as const);
  const { count, starts, ends, kinds } = runsIn(text);
  return Array.from({ length: count }, (_, run) => [
    names.get(kinds[run] as 0 | 1 | 2) as Run[0],
    text.slice(starts[run], ends[run]),
  ]);
}

const signs = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
/** The runs by one regular expression: the marks of a letter belong to its word, whatever comes first. */
const pattern = new RegExp(`[${signs}]+|(?:(?![${signs}])[\\p{L}\\p{N}\\p{M}])+(?:\\+\\+|#)?`, 'gu');

describe('the runs of a text', () => {
  it('are as many as there are, or as many as are asked for', () => {
    expect(runsOf('a b '.repeat(50_000))).toHaveLength(100_000);
    expect(runsIn('a b c d e', 3).count).toBe(3);
    expect(runsIn('a', 3).count).toBe(1);
  });

  it('are words, and signs of Chinese and Japanese', () => {
    expect(runsOf('Merge PDF-files, v2.0!')).toEqual([
      ['word', 'Merge'],
      ['word', 'PDF'],
      ['word', 'files'],
      ['word', 'v2'],
      ['word', '0'],
    ]);
    expect(runsOf('合并PDF文件をマージ。データ')).toEqual([
      ['signs', '合并'],
      ['word', 'PDF'],
      ['signs', '文件をマージ'],
      ['signs', 'データ'],
    ]);
    expect(runsOf('')).toEqual([]);
    expect(runsOf(' \t…—.,;')).toEqual([]);
  });

  it('are the same after a text with half a character in it', () => {
    const [sign, half] = ['\u{20001}', '\u{20001}'.slice(0, 1)];
    expect(runsOf(`a ${half} b`)).toHaveLength(2);
    expect(runsIn(half).count).toBe(0);
    expect(runsOf(`${sign}字`)).toEqual([['signs', `${sign}字`]]);
  });

  it('keep the names of languages whole', () => {
    expect(runsOf('c++ C# a+b f#! x++++ #tag')).toEqual([
      ['word', 'c++'],
      ['word', 'C#'],
      ['word', 'a'],
      ['word', 'b'],
      ['word', 'f#'],
      ['word', 'x++'],
      ['word', 'tag'],
    ]);
  });

  it('mark the parts of camelCase words', () => {
    expect(runsOf('GitHub')).toEqual([['hump', 'GitHub']]);
    expect(runsOf('oauth2Token README Readme')).toEqual([
      ['hump', 'oauth2Token'],
      ['word', 'README'],
      ['word', 'Readme'],
    ]);
  });

  it('are of one form, however a text is written', () => {
    expect(runsOf('ＰＤＦ ﬁle ﾃﾞｰﾀ ㍿ ２')).toEqual([
      ['word', 'PDF'],
      ['word', 'file'],
      ['signs', 'データ'],
      ['signs', '株式会社'],
      ['word', '2'],
    ]);
  });

  it('see characters beyond the first plane as they are', () => {
    expect(runsOf('𠮷野家 😀a😀 𐌰𐌱')).toEqual([
      ['signs', '𠮷野家'],
      ['word', 'a'],
      ['word', '𐌰𐌱'],
    ]);
    expect(runsOf('\ud800a\udc00b')).toEqual([
      ['word', 'a'],
      ['word', 'b'],
    ]);
  });

  it('are what an expression finds, in any text', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        'a',
        'B',
        '7',
        '+',
        '#',
        ' ',
        '-',
        '数',
        'を',
        'カ',
        'ー',
        'é',
        'e\u0301',
        '한',
        'ไ',
        'ع',
        '😀',
        '𠮷',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (given) => {
        expect(runsOf(given).map(([, run]) => run)).toEqual(compatible(given).match(pattern) ?? []);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a compatible text', () => {
  it('is as NFKC has it, and well formed', () => {
    expect(compatible('plain')).toBe('plain');
    expect(compatible('\ud800x')).toBe('\ufffdx');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 700 }), (text) => {
        expect(compatible(text)).toBe(text.normalize('NFKC'));
      }),
    );
  });
});

describe('a word', () => {
  it.each([
    ['GitHub', ['Git', 'Hub']],
    ['parseJSON', ['parse', 'JSON']],
    ['JSONParser', ['JSONParser']],
    ['v2Beta', ['v2', 'Beta']],
    ['ÄrgerÜber', ['Ärger', 'Über']],
    ['plain', ['plain']],
    ['', ['']],
  ])('is split at the parts of camelCase: %s', (word, parts) => {
    expect(humpsOf(word)).toEqual(parts);
  });

  it.each([
    ['Über', 'uber'],
    ['ÉCOLE', 'ecole'],
    ['İstanbul', 'istanbul'],
    ['straße', 'straße'],
    ['Ёлка', 'елка'],
    ['한국', '한국'],
    ['C++', 'c++'],
  ])('is compared without case and diacritics: %s', (word, plain) => {
    expect(plainWord(word)).toBe(plain);
    expect(plainWord(word.normalize('NFD'))).toBe(plain);
    expect(plainWord(plain)).toBe(plain);
  });
});
