import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSync } from '../../core/time-slice.ts';
import { buildSegment } from '../index/build.ts';
import { documentOf, type IndexedText } from '../index/document.ts';
import { keyBytes } from '../index/key.ts';
import { openSegment, type Segment } from '../index/segment.ts';
import { askedWords } from '../text/asked.ts';
import { createLexicon } from '../text/lexicon.ts';
import { type Collection, collectionOf } from './collection.ts';
import { explainWords } from './explain.ts';
import { scoreWords as scoreInSteps } from './words.ts';

const scoreWords = (...given: Parameters<typeof scoreInSteps>) => runSync(scoreInSteps(...given));

function segmentOf(texts: readonly IndexedText[]): Segment {
  const lexicon = createLexicon();
  const documents = texts.map((text) => documentOf(new Uint8Array(keyBytes), text, null, lexicon));
  return openSegment(buildSegment(documents, lexicon, 0));
}

function collected(groups: readonly (readonly IndexedText[])[]): Collection {
  const count = groups.reduce((sum, { length }) => sum + length, 0);
  return collectionOf(groups.map(segmentOf), new Uint8Array(count).fill(1));
}

const word = fc.constantFrom(
  'merge',
  'merging',
  'PDF',
  'GitHub',
  'git',
  'hub',
  '合并',
  '合并文件',
  '데이터',
  'naïve',
  'migration',
  'migraton',
  'the',
);
const words = fc.array(word, { maxLength: 6 }).map((list) => list.join(' '));
const text: fc.Arbitrary<IndexedText> = fc.record({
  names: words,
  description: words,
  metadata: words,
  body: words,
  tools: words,
});
const texts = fc.array(text, { maxLength: 5 });

describe('the score of words', () => {
  it('does not depend on which segment a skill came to lie in', () => {
    fc.assert(
      fc.property(texts, texts, words, (one, two, query) => {
        const whole = scoreWords(collected([[...one, ...two]]), askedWords(query));
        const parted = scoreWords(collected([one, two]), askedWords(query));
        expect([...parted.scores]).toEqual([...whole.scores]);
        expect(parted.matches).toEqual(whole.matches);
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on skills that are gone', () => {
    fc.assert(
      fc.property(texts, texts, words, (stay, go, query) => {
        const lives = Uint8Array.from([...stay.map(() => 1), ...go.map(() => 0)]);
        const left = scoreWords(collectionOf([segmentOf([...stay, ...go])], lives), askedWords(query));
        const alone = scoreWords(collected([stay]), askedWords(query));
        expect([...left.scores.subarray(stay.length)].every((score) => score === 0)).toBe(true);
        // A term that only the dead hold may use up a place among the forms of a word; there are too few here for that.
        expect([...left.scores.subarray(0, stay.length)]).toEqual([...alone.scores]);
      }),
      { numRuns: 60 },
    );
  });

  it('is explained to the last part', () => {
    fc.assert(
      fc.property(texts, words, (given, query) => {
        const collection = collected([given]);
        const { scores, matches, whole } = scoreWords(collection, askedWords(query));
        for (const [document, one] of given.entries()) {
          const explained = explainWords(collection, one, matches, whole);
          const sum = explained
            .flatMap(({ fields }) => Object.values(fields))
            .reduce<number>((total, part) => total + (part ?? 0), 0);
          // Impacts are kept in eight bits in the index.
          expect(Math.abs(sum - (scores[document] as number))).toBeLessThan(0.01);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('prefers a word in the name to one in the description, and that to one in the text', () => {
    const filler = 'Several plain words follow here that nobody looks for at any time whatever happens.';
    const none = { names: 'x', description: `Something else. ${filler}`, metadata: '', body: filler, tools: '' };
    const [inName, inDescription, inBody, nowhere] = scoreWords(
      collected([
        [
          { ...none, names: 'migration' },
          { ...none, description: `A migration. ${filler}` },
          { ...none, body: `A migration. ${filler}` },
          none,
        ],
      ]),
      askedWords('migration'),
    ).scores as unknown as [number, number, number, number];
    expect(inName).toBeGreaterThan(inDescription);
    expect(inDescription).toBeGreaterThan(inBody);
    expect(inBody).toBeGreaterThan(nowhere);
    expect(nowhere).toBe(0);
  });

  it('is low for a stray word among many that nobody writes', () => {
    const given = [{ names: 'a', description: 'Deploy the service.', metadata: '', body: '', tools: '' }];
    const alone = scoreWords(collected([given]), askedWords('deploy')).scores[0] as number;
    const stray = scoreWords(collected([given]), askedWords('deploy wunderbare Kartoffelpuffer morgen')).scores[0];
    expect(stray).toBeLessThan(alone / 2);
  });
});
