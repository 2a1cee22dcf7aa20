import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../text/folded.ts';
import { gramsOf, gramsOfToken } from './grams.ts';

function mayHold(map: Uint8Array, token: string): boolean {
  return gramsOfToken(token).every((bit) => ((map[bit >> 3] as number) & (1 << (bit & 7))) !== 0);
}

describe('the trigram filter of a text', () => {
  it('never excludes a token that the text contains', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', 'B', ' ', 'ß', 'ﬁ', 'é', 'e\u0301', '数', '한', '\ud800'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), fc.nat(), fc.nat(40), (text, place, length) => {
        const folded = foldText(text).text;
        const at = folded.length === 0 ? 0 : place % folded.length;
        expect(mayHold(gramsOf(['before', text]), folded.slice(at, at + length))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('excludes most tokens that the text does not contain', () => {
    const map = gramsOf(['Merge and split documents.', 'Use qpdf for it.']);
    const tokens = ['kubernetes', 'invoice', 'spreadsheet', 'migration', 'calendar', 'database', 'translate'];
    expect(tokens.filter((token) => mayHold(map, token))).toEqual([]);
  });

  it('decides nothing about tokens of one or two characters, nor across two texts', () => {
    const map = gramsOf(['ab', 'cd']);
    expect([mayHold(map, 'zz'), mayHold(map, ''), mayHold(map, 'abcd')]).toEqual([true, true, false]);
  });
});
