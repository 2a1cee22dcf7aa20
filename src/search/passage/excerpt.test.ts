import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptAround, excerptLength } from './excerpt.ts';

const segmentsOf = (text: string): string[] => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
const collapsed = (text: string): string => text.replace(/\s+/gu, ' ').trim();
const bare = (excerpt: string): string => excerpt.replace(/^… /, '').replace(/ …$/, '');

const characters = [
  'a',
  'b',
  'ß',
  '数',
  '😀',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  'é'.normalize('NFD'),
  'ש',
  'نص',
  'นี้',
  '한'.normalize('NFD'),
];
const unit = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...characters) },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\n', '\r\n', '\t  ') },
);
const text = fc.string({ unit, maxLength: 700 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** A stretch of whole characters in a text. */
function stretchIn(where: string, at: number, size: number): { from: number; to: number } {
  const borders = [...new Intl.Segmenter().segment(where)].map(({ index }) => index).concat(where.length);
  const first = Math.floor(at * (borders.length - 1));
  const last = Math.min(borders.length - 1, first + Math.floor(size * excerptLength));
  return { from: borders[first] ?? 0, to: borders[last] ?? 0 };
}

describe('an excerpt', () => {
  it('holds what it is about, whole, in no more than its length', () => {
    fc.assert(
      fc.property(text, share, share, (where, at, size) => {
        const { from, to } = stretchIn(where, at, size);
        const excerpt = excerptAround(where, from, to);
        expect(excerpt).toContain(collapsed(where.slice(from, to)));
        expect(collapsed(where)).toContain(bare(excerpt));
        expect(segmentsOf(bare(excerpt)).length).toBeLessThanOrEqual(excerptLength);
        expect(excerpt).not.toMatch(/[\n\r\t]| {2}/);
      }),
      { numRuns: 500 },
    );
  });

  it('never cuts a character, wherever it is asked for', () => {
    fc.assert(
      fc.property(text, share, share, (where, at, size) => {
        const [from, to] = [Math.floor(at * where.length), Math.floor((at + size) * where.length)];
        const excerpt = bare(excerptAround(where, from, to));
        const known = new Set(segmentsOf(collapsed(where)));
        expect(segmentsOf(excerpt).filter((one) => !known.has(one))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('fills its length where there is text enough', () => {
    const where = 'lorem ipsum dolor '.repeat(100);
    for (const from of [0, 1, 40, 900, where.length - 4]) {
      const shown = bare(excerptAround(where, from, from + 3));
      expect(shown.length).toBeGreaterThan(130);
      expect(shown).toMatch(/^(lorem|ipsum|dolor) .* (lorem|ipsum|dolor)$/);
    }
  });

  it('cuts between words at both ends, however little it is about', () => {
    const where = 'lorem ipsum dolorsitamet '.repeat(100);
    for (let from = 0; from < 60; from++) {
      for (const place of [from, 1000 + from, where.length - 160 - from]) {
        const shown = bare(excerptAround(where, place, place));
        expect(shown, `${place}`).toMatch(/^(lorem|ipsum|dolorsitamet)\b.*\b(lorem|ipsum|dolorsitamet)$/);
        expect(shown.length).toBeLessThanOrEqual(excerptLength);
      }
    }
  });

  it('stays short and whole on text that is no text', () => {
    const marks = `a${'\u0301\u0316'.repeat(100_000)}b`;
    for (const from of [0, 1, 50_000, marks.length - 1]) {
      expect(excerptAround(marks, from, from + 1).length).toBeLessThan(200);
    }
    const flags = '🇩🇪'.repeat(50_000);
    expect(new Set(segmentsOf(bare(excerptAround(flags, 120_002, 120_004))))).toEqual(new Set(['🇩🇪']));
    const blanks = `${' '.repeat(100_000)}x${'\n'.repeat(100_000)}`;
    expect(excerptAround(blanks, 100_000, 100_001)).toBe('… x …');
    expect(excerptAround('', 0, 0)).toBe('');
  });

  it('has nothing in it that cannot be written or printed', () => {
    expect(excerptAround('a \ud800 b \udc00 \u001b[31m \u202e c', 0, 1)).toBe('a \ufffd b \ufffd \ufffd[31m \ufffd c');
  });
});
