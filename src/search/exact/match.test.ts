import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../core/text/text.ts';
import { runSync } from '../../core/time-slice.ts';
import { createAutomaton } from '../passage/automaton.ts';
import { excerptOf } from './excerpt.ts';
import { foldParts, type Match, matchAll, type Searchable, tokensOf } from './match.ts';

const nothing: Searchable = { names: '', description: '', metadata: '', body: '' };

function look(query: string, skill: Partial<Searchable>): { match: Match | null; excerpt: string } {
  const tokens = createAutomaton(tokensOf(query));
  const parts = runSync(foldParts({ ...nothing, ...skill }));
  return { match: runSync(matchAll(tokens, parts)), excerpt: runSync(excerptOf(tokens, parts)) };
}

const words = [
  'alpha',
  'Beta',
  'GAMMA',
  'al',
  'straße',
  'ﬁn',
  'İz',
  'ὈΔΥΣΣΕΎΣ',
  'é'.normalize('NFD'),
  '数据',
  '😀',
  'שלום',
  '.*',
  'c++',
];
const prose = fc
  .array(fc.constantFrom(...words, 'x', 'filler', '\n'), { maxLength: 120 })
  .map((list) => list.join(' '));
const parts = fc.record({ names: prose, description: prose, metadata: prose, body: prose });
const query = fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((list) => list.join(' '));

/** The number of tokens that stand together in the best stretch of about `length` characters. */
function mostTogether(text: string, tokens: readonly string[], length: number): number {
  const folded = fold(text);
  const places = tokens.flatMap((token) => [...folded.matchAll(wordsLike(token))].map(({ index }) => index));
  const held = places.map((from) => {
    const stretch = folded.slice(from, from + length);
    return tokens.filter((token) => stretch.includes(token)).length;
  });
  return Math.max(0, ...held);
}

function wordsLike(token: string): RegExp {
  return new RegExp(token.replace(/[.*+]/g, '\\$&'), 'gu');
}

describe('a match', () => {
  it('needs every token of the query to occur somewhere', () => {
    fc.assert(
      fc.property(parts, query, (skill, asked) => {
        const tokens = tokensOf(asked);
        const texts = Object.values(skill).map(fold);
        const isThere = tokens.every((token) => texts.some((text) => text.includes(token)));
        expect(look(asked, skill).match?.score ?? 0).toBe(isThere ? tokens.length : 0);
      }),
    );
  });

  it('weighs names over descriptions over metadata over text, and whole words over parts', () => {
    const relevance = (skill: Partial<Searchable>) => look('csv', skill).match?.relevance ?? 0;
    const ordered = [
      relevance({ names: 'csv tools' }),
      relevance({ names: 'csvtools' }),
      relevance({ description: 'csv' }),
      relevance({ metadata: 'csv' }),
      relevance({ body: 'csv csv csv' }),
      relevance({ body: 'csv' }),
      relevance({ body: 'xcsvx' }),
    ];
    expect(ordered).toEqual(ordered.toSorted((a, b) => b - a));
    expect(new Set(ordered).size).toBe(ordered.length);
  });

  it('counts repeated words up to a limit', () => {
    const often = look('csv', { body: 'csv '.repeat(100) }).match?.relevance;
    expect(look('csv', { body: 'csv '.repeat(100_000) }).match?.relevance).toBe(often);
    const far = `csv ${'x'.repeat(70_000)} `;
    expect(look('csv', { body: `${far}${'csv '.repeat(50)}` }).match?.relevance).toBeCloseTo(1.5 * 1.25);
  });
});

describe('the excerpt of a match', () => {
  it('holds as many of its different words as stand together anywhere', () => {
    fc.assert(
      fc.property(parts, query, (skill, asked) => {
        const tokens = tokensOf(asked);
        const { excerpt } = look(asked, skill);
        const held = tokens.filter((token) => fold(excerpt).includes(token)).length;
        const best = Math.max(...Object.values(skill).map((text) => mostTogether(text, tokens, 160)));
        expect(held).toBeGreaterThanOrEqual(best);
        expect([...new Intl.Segmenter().segment(excerpt)].length).toBeLessThanOrEqual(164);
      }),
      { numRuns: 300 },
    );
  });

  it('is of the description, the text, the metadata or the names, in this order where they hold equally much', () => {
    const skill = { names: 'one two n', description: 'one two d', metadata: 'one two m', body: 'one two b' };
    expect(look('one two', skill).excerpt).toBe('one two d');
    expect(look('one two', { ...skill, description: 'one' }).excerpt).toBe('one two b');
    expect(look('one two', { ...skill, description: 'one', body: '' }).excerpt).toBe('one two m');
    expect(look('one two', { ...skill, description: 'one', body: 'two', metadata: '' }).excerpt).toBe('one two n');
    expect(look('one two', { ...nothing, description: 'one', body: 'two' }).excerpt).toBe('one');
  });

  it('is the description if there is nothing else to say', () => {
    expect(look('nowhere', { description: 'Something else.' }).excerpt).toBe('Something else.');
  });
});
