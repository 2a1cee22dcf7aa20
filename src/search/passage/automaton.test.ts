import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runSync } from '../../core/time-slice.ts';
import { createAutomaton, scan } from './automaton.ts';

function placesOf(words: readonly string[], text: string): string[] {
  const found: string[] = [];
  runSync(
    scan(createAutomaton(words), text, (word, end) => {
      found.push(`${end} ${words[word]}`);
      return 'more';
    }),
  );
  return found;
}

function placesOneByOne(words: readonly string[], text: string): string[] {
  const ends = Array.from({ length: text.length }, (_, index) => index + 1);
  return ends.flatMap((end) => words.filter((word) => text.endsWith(word, end)).map((word) => `${end} ${word}`));
}

const alphabet = fc.constantFrom('a', 'b', 'é', '数', '\ud83d', '\ude00');
const word = fc.string({ unit: alphabet, minLength: 1, maxLength: 5 });
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 8 });
const text = fc.string({ unit: alphabet, maxLength: 60 });

it('the search for places finds every place of every word, however they overlap', () => {
  fc.assert(
    fc.property(words, text, (asked, where) => {
      expect(placesOf(asked, where).sort()).toEqual(placesOneByOne(asked, where).sort());
    }),
  );
});

it('the search for places stops at the limit of one word, and still finds the others', () => {
  fc.assert(
    fc.property(words, text, (asked, where) => {
      const found = new Set<string>();
      const visits: string[] = [];
      const visit = (index: number) => {
        visits.push(asked[index] ?? '');
        found.add(asked[index] ?? '');
        return 'enough' as const;
      };
      runSync(scan(createAutomaton(asked), where, visit));
      expect([...found].sort()).toEqual(asked.filter((one) => where.includes(one)).sort());
      expect(visits).toHaveLength(found.size);
    }),
  );
});

it('the search for places never finds an empty word', () => {
  expect(placesOf(['', 'b'], 'abab')).toEqual(['2 b', '4 b']);
  expect(placesOf([], 'abab')).toEqual([]);
});

it('the search for places yields often in a long text, and where there is much to find', () => {
  const stops = (words: readonly string[], text: string) =>
    [...scan(createAutomaton(words), text, () => 'more')].length;
  expect(stops(['x'], 'a'.repeat(1_000_000))).toBeGreaterThan(20);
  const nested = Array.from({ length: 500 }, (_, index) => 'a'.repeat(index + 1));
  expect(stops(nested, 'a'.repeat(10_000))).toBeGreaterThan(100);
});

it('the search for places takes linear time on a text and a word made to take long', () => {
  expect(placesOf([`abcb${'ab'.repeat(50_000)}`], `${'ab'.repeat(1_000_000)}cccc`)).toEqual([]);
});
