import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorsBetween } from '../../core/text/near.ts';
import { areNear, markOf } from './marks.ts';

/** Edit distance by definition: a letter more, less or other, or two neighbours swapped that are not touched again. */
function naive(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const known = memory.get(`${a}|${b}`);
  if (known !== undefined) return known;
  const [shorterA, shorterB] = [a.slice(0, -1), b.slice(0, -1)];
  const isSwapped = a.length > 1 && b.length > 1 && a.slice(-2) === `${b.at(-1)}${b.at(-2)}`;
  const errors = Math.min(
    naive(shorterA, b) + 1,
    naive(a, shorterB) + 1,
    naive(shorterA, shorterB) + (a.at(-1) === b.at(-1) ? 0 : 1),
    isSwapped ? naive(a.slice(0, -2), b.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY,
  );
  memory.set(`${a}|${b}`, errors);
  return errors;
}

const memory = new Map<string, number>();

/** Words of few letters, so that they are often near one another; some long, some of other scripts. */
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '7', 'é', '数', '한', '\u{1f600}'), maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 28, maxLength: 40 }),
);
/** A word and the result of typing errors in it. */
const slip = fc.tuple(
  word,
  fc.array(fc.tuple(fc.nat(3), fc.nat(40), fc.constantFrom('a', 'z', 'ß')), { maxLength: 2 }),
);

function withSlips([word, slips]: readonly [string, readonly (readonly [number, number, string])[]]): string {
  return slips.reduce((text, [kind, place, letter]) => {
    const at = text.length === 0 ? 0 : place % text.length;
    const rest = text.slice(at + 1);
    if (kind === 0) return text.slice(0, at) + letter + text.slice(at);
    if (kind === 1) return text.slice(0, at) + rest;
    if (kind === 2) return text.slice(0, at) + letter + rest;
    return text.slice(0, at) + rest.slice(0, 1) + text.slice(at, at + 1) + rest.slice(1);
  }, word);
}

describe('the typing errors between two words', () => {
  it.each([
    ['migration', 'migration', 0],
    ['migration', 'migraton', 1],
    ['migration', 'migratoin', 1],
    ['migration', 'mgratoin', 2],
    ['ca', 'abc', 3],
    ['', 'ab', 2],
    ['kubernetes', 'kubernetse', 1],
  ])('are counted: %s, %s', (one, other, errors) => {
    expect([errorsBetween(one, other, 3), errorsBetween(other, one, 3)]).toEqual([errors, errors]);
  });

  it('are the edit distance, or more than the maximum asked for', () => {
    fc.assert(
      fc.property(word, slip, fc.integer({ min: 0, max: 3 }), (one, slipped, most) => {
        for (const [a, b] of [
          [one, withSlips(slipped)],
          [slipped[0], withSlips(slipped)],
        ] as const) {
          const errors = naive(a, b);
          const found = errorsBetween(a, b, most);
          if (errors <= most) expect(found).toBe(errors);
          else expect(found).toBeGreaterThan(most);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the marks of words', () => {
  it('never exclude a word within the edit distance', () => {
    fc.assert(
      fc.property(word, slip, (one, slipped) => {
        for (const [a, b] of [
          [one, withSlips(slipped)],
          [slipped[0], withSlips(slipped)],
        ] as const) {
          const errors = naive(a, b);
          for (const most of [1, 2]) {
            if (errors <= most) expect(areNear(markOf(a), markOf(b), most), `${a} ${b}`).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('exclude most other words', () => {
    const words = ['deploy', 'invoice', 'kubernetes', 'migration', 'spreadsheet', 'calendar', 'translate', 'database'];
    const near = words.filter((one) => areNear(markOf('migratoin'), markOf(one), 2));
    expect(near).toEqual(['migration']);
  });
});
