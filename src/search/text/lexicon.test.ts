import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedWords } from './asked.ts';
import { createLexicon, type Lexicon, signsOf, termsOfWord } from './lexicon.ts';
import { unitsOf } from './runs.ts';

describe('the terms of a word', () => {
  it('are its stem', () => {
    expect(termsOfWord('Queries', false)).toEqual(['queri']);
    expect(termsOfWord('query', false)).toEqual(['queri']);
    expect(termsOfWord('Größen', false)).toEqual(termsOfWord('größen', false));
  });

  it('are those of its parts as well', () => {
    expect(termsOfWord('GitHub', true)).toEqual(['github', 'git', 'hub']);
    expect(termsOfWord('parseTheJSON', true)).toEqual(['parsethejson', 'pars', 'json']);
  });

  it('are none for a word that says nothing', () => {
    for (const word of ['the', 'The', 'WITH', 'please']) expect(termsOfWord(word, false), word).toEqual([]);
  });

  it('are signs and pairs for scripts that write words together', () => {
    expect(termsOfWord('데이터', false)).toEqual(['데이터', '데', '데이', '이', '이터', '터']);
    expect(signsOf('数据库')).toEqual(['数', '数据', '据', '据库', '库']);
    expect(signsOf('𠮷野')).toEqual(['𠮷', '𠮷野', '野']);
    expect(signsOf('')).toEqual([]);
  });

  it('are not longer than a word can be', () => {
    const [term] = termsOfWord('a'.repeat(100_000), false);
    expect(term?.length).toBeLessThanOrEqual(40);
  });
});

describe('the words of a query', () => {
  it('come once each, in order, without those that say nothing', () => {
    expect(askedWords('how to merge the PDF, merging pdf').map(({ term }) => term)).toEqual(['merg', 'pdf']);
  });

  it('bring their parts along, for where nobody writes them in one', () => {
    expect(askedWords('GitHub')).toEqual([{ term: 'github', written: 'github', parts: ['git', 'hub'] }]);
  });

  it('are pairs where signs stand together, and a sign where it stands alone', () => {
    expect(askedWords('合并文件').map(({ term }) => term)).toEqual(['合并', '并文', '文件']);
    expect(askedWords('图').map(({ term }) => term)).toEqual(['图']);
  });

  it('are words, whatever they mean to an engine', () => {
    const words = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'];
    for (const word of words) expect(askedWords(word).length, word).toBe(1);
  });
});

const termsIn = (lexicon: Lexicon, word: string) => lexicon.termsOf(lexicon.word(unitsOf(word), 0, word.length, false));

describe('a lexicon', () => {
  it('numbers signs and pairs as it does words, and tells long words apart by their beginning', () => {
    const lexicon = createLexicon();
    const found: string[] = [];
    const add = (word: number) => found.push(...lexicon.termsOf(word).map((term) => lexicon.termOf(term)));
    for (const run of ['数据库', '𠮷野', '数据', '']) lexicon.signs(unitsOf(run), 0, run.length, add);
    expect(found).toEqual(['数据库', '𠮷野', '数据', ''].flatMap(signsOf));
    expect(lexicon.size).toBe(new Set(found).size);
    const [long, other] = ['a'.repeat(100_000), `${'a'.repeat(40)}b`];
    expect(termsIn(lexicon, long)).toEqual(termsIn(lexicon, other));
  });

  it('numbers terms from 0 on and knows them again', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })), (words) => {
        const lexicon = createLexicon();
        const first = words.map((word) => termsIn(lexicon, word));
        expect(words.map((word) => termsIn(lexicon, word))).toEqual(first);
        expect(words.map((word) => termsIn(createLexicon(), word).length)).toEqual(first.map(({ length }) => length));
        for (const [at, word] of words.entries()) {
          expect(first[at]?.map((number) => lexicon.termOf(number))).toEqual(termsOfWord(word, false));
        }
        expect(new Set(first.flat()).size).toBe(lexicon.size);
      }),
    );
  });

  it('keeps its terms in order, however many come later', () => {
    const word = fc.string({
      unit: fc.constantFrom(...Array.from('abzé数\u{20bb7}\uffff')),
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 8 }), (rounds) => {
        const lexicon = createLexicon();
        const seen = new Set<string>();
        for (const words of rounds) {
          for (const one of words) for (const term of termsIn(lexicon, one)) seen.add(lexicon.termOf(term));
          const inOrder = Array.from(lexicon.inOrder(), (term) => lexicon.termOf(term));
          expect(inOrder).toEqual([...seen].sort());
        }
      }),
    );
  });
});
