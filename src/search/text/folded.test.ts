import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../core/text/text.ts';
import { foldText, writtenPlace } from './folded.ts';

/** Letters that grow, shrink, join or change places when they are folded. */
const odd = [
  'İ',
  'ß',
  'ﬁ',
  'Σ',
  'ς',
  'e\u0301',
  'a\u0316\u0301',
  'ᾳ',
  'ŉ',
  '한'.normalize('NFD'),
  '𐐀',
  '🇩🇪',
  '\ud800',
  ' ',
];
const unit = fc.oneof(fc.constantFrom(...odd), fc.constantFrom('a', 'B', '数', '\n'));
const long = fc.string({ unit, minLength: 200, maxLength: 900 });

const wholly = (text: string): string => fold(text).replace(/\p{Surrogate}/gu, '\ufffd');

describe('a folded text', () => {
  it('is what folding it at once gives', () => {
    fc.assert(
      fc.property(long, (written) => {
        expect(foldText(written).text).toBe(wholly(written));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (written) => {
        expect(foldText(written).text).toBe(wholly(written));
      }),
    );
  });

  it('knows where each of its places is written', () => {
    fc.assert(
      fc.property(long, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (written, share) => {
        const folded = foldText(written);
        const place = Math.floor(share * folded.text.length);
        const start = writtenPlace(folded, place);
        const before = wholly(written.slice(0, start));
        expect(folded.text.startsWith(before)).toBe(true);
        expect(before.length).toBeLessThanOrEqual(place);
        // Only one letter with its marks may stand there: little is left between.
        expect(place - before.length).toBeLessThan(8);
        expect(written.slice(start)).not.toMatch(/^\p{M}/u);
        expect((written.codePointAt(start - 1) ?? 0) > 0xffff).toBe(false);
      }),
    );
  });

  it('has a place for its end, and for the places of a plain text', () => {
    expect(writtenPlace(foldText('Plain Text'), 6)).toBe(6);
    expect(writtenPlace(foldText('ßßß'), 6)).toBe(3);
    expect(writtenPlace(foldText(''), 0)).toBe(0);
  });

  it('is made soon even of a letter under a million marks', () => {
    const { text } = foldText(`a${'\u0301\u0316'.repeat(500_000)}b`);
    expect([text[0], text.at(-1)]).toEqual(['á', 'b']);
  });
});
