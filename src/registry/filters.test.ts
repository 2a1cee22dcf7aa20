import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glob } from './filters.ts';

/** Matches a glob, written the slow and obvious way. */
function obvious(pattern: string, text: string): boolean {
  const [first, ...rest] = Array.from(pattern);
  if (first === undefined) return text === '';
  const letters = Array.from(text);
  if (first === '*')
    return (
      letters.some((_, index) => obvious(rest.join(''), letters.slice(index).join(''))) || obvious(rest.join(''), '')
    );
  return (
    letters.length > 0 && (first === '?' || first === letters[0]) && obvious(rest.join(''), letters.slice(1).join(''))
  );
}

describe('a glob', () => {
  it('matches what it obviously should', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab表*?.[]{0,8}$/), fc.stringMatching(/^[ab表.[]{0,8}$/), (pattern, text) => {
        expect(glob(pattern)(text)).toBe(obvious(pattern, text));
      }),
      { numRuns: 3000 },
    );
  });

  it('without signs matches the folded name and nothing else', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.+()[\]{}^$|\\-]{1,10}$/), (name) => {
        expect(glob(name)(name.toUpperCase())).toBe(true);
      }),
    );
    expect(glob('a.c')('abc')).toBe(false);
  });

  it('of many stars ends at once', () => {
    expect(glob(`${'*a'.repeat(200)}b`)('a'.repeat(20_000))).toBe(false);
  });
});
