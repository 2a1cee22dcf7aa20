import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorsBetween } from '../../core/text/near.ts';
import { createLexicon } from '../text/lexicon.ts';
import { buildSegment } from './build.ts';
import { documentOf, type IndexedText } from './document.ts';
import { keyBytes } from './key.ts';
import { pack, type Section, unpack } from './layout.ts';
import { mergeSegments } from './merge.ts';
import { openSegment, type Segment } from './segment.ts';
import { createTermWriter } from './term-writer.ts';

interface Given {
  readonly text: IndexedText;
  readonly vector: Float32Array | null;
}

const dimensions = 16;

/** Builds a segment of these, each with its number for a key. */
function segmentOf(given: readonly Given[], first = 0): Segment {
  const lexicon = createLexicon();
  const documents = given.map(({ text, vector }, at) => documentOf(keyOf(first + at), text, vector, lexicon));
  return openSegment(buildSegment(documents, lexicon, dimensions));
}

function keyOf(number: number): Uint8Array {
  const key = Buffer.alloc(keyBytes);
  key.writeUInt32LE(number + 1, 0);
  return key;
}

function postingsOf(segment: Segment, term: number): [number, number][] {
  const { documents, impacts, count } = segment.postings(term);
  return Array.from({ length: count }, (_, at) => [documents[at] as number, impacts[at] as number]);
}

/** The whole content of a segment, in words. */
function contentOf(segment: Segment) {
  const terms = Array.from({ length: segment.terms }, (_, at) => {
    return [segment.termAt(at), postingsOf(segment, at)] as const;
  });
  const { keys, grams } = segment.parts;
  return {
    documents: segment.documents,
    terms,
    keys: Buffer.from(keys).toString('hex'),
    grams: Buffer.from(grams).toString('hex'),
    scales: [...segment.scales],
    vectors: [...segment.vectors],
  };
}

const word = fc.oneof(
  fc.constantFrom('merge', 'Merging', 'PDF', 'GitHub', 'the', '合并文件', '데이터', 'naïve', 'c++', '__proto__', '𐌰𐌱'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
);
const words = fc.array(word, { maxLength: 8 }).map((list) => list.join(' '));
const text: fc.Arbitrary<IndexedText> = fc.record({
  names: words,
  description: words,
  metadata: words,
  body: words,
  tools: words,
});
const vector = fc.option(
  fc
    .array(fc.integer({ min: -100, max: 100 }), { minLength: dimensions, maxLength: dimensions })
    .map((list) => Float32Array.from(list, (value) => value / 100)),
);
const skills = fc.array(fc.record({ text, vector }), { maxLength: 6 });

describe('segments that are merged', () => {
  it('equal one segment that was built from all documents at once', () => {
    fc.assert(
      fc.property(skills, skills, skills, (one, two, three) => {
        const parts = [segmentOf(one), segmentOf(two, one.length), segmentOf(three, one.length + two.length)];
        const whole = contentOf(segmentOf([...one, ...two, ...three]));
        expect(contentOf(openSegment(mergeSegments(parts.map((segment) => ({ segment })))))).toEqual(whole);
        const two2 = openSegment(mergeSegments(parts.slice(0, 2).map((segment) => ({ segment }))));
        const inSteps = mergeSegments([{ segment: two2 }, { segment: parts[2] as Segment }]);
        expect(contentOf(openSegment(inSteps))).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });

  it('lose removed documents, and every term that only they had', () => {
    fc.assert(
      fc.property(skills, skills, fc.integer({ min: 0, max: 2 ** 12 }), (one, two, bits) => {
        const stays = (at: number) => ((bits >> at) & 1) === 0;
        const all = [...one, ...two];
        const merged = mergeSegments([
          { segment: segmentOf(one), lives: stays },
          { segment: segmentOf(two, one.length), lives: (at) => stays(at + one.length) },
        ]);
        const { keys: _keys, ...content } = contentOf(openSegment(merged));
        const { keys: _others, ...expected } = contentOf(segmentOf(all.filter((_, at) => stays(at))));
        expect(content).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('may be none, or empty', () => {
    expect(openSegment(mergeSegments([])).documents).toBe(0);
    expect(contentOf(openSegment(mergeSegments([{ segment: segmentOf([]) }])))).toEqual(contentOf(segmentOf([])));
  });
});

describe('the terms of a segment', () => {
  const lists = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }), { maxLength: 30 });

  function segmentWith(terms: readonly string[]): Segment {
    const writer = createTermWriter();
    for (const term of terms) {
      writer.begin(term);
      writer.posting(0, 1);
    }
    const empty = { keys: new Uint8Array(keyBytes), scales: new Uint8Array(4), vectors: new Uint8Array() };
    const parts = { ...empty, grams: new Uint8Array(512), ...writer.end() };
    return openSegment(pack({ documents: 1, terms: terms.length, dimensions: 0 }, parts));
  }

  it('are found, each and no other', () => {
    fc.assert(
      fc.property(lists, fc.string({ unit: 'grapheme', maxLength: 3 }), (given, sought) => {
        const terms = given.map((term) => term.toWellFormed()).sort();
        const segment = segmentWith(terms);
        for (const [at, term] of terms.entries()) expect(segment.termIndex(term)).toBe(at);
        expect(segment.termIndex(sought)).toBe(terms.indexOf(sought));
        const longer = terms.filter((term) => term.startsWith(sought) && term !== sought);
        const lengthOf = (term: string) => Buffer.byteLength(term);
        expect([...segment.termsWithPrefix(sought)]).toEqual(longer.sort((a, b) => lengthOf(a) - lengthOf(b)));
      }),
    );
  });

  it('near a word are the same that comparing every term finds', () => {
    const few = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 7 }), { maxLength: 40 });
    fc.assert(
      fc.property(few, fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 7 }), (given, sought) => {
        const terms = given.toSorted();
        for (const most of [1, 2]) {
          const near = terms.map((term) => ({ term, errors: errorsBetween(sought, term, 9) }));
          const shortestFirst = near
            .filter(({ errors }) => errors <= most)
            .sort((a, b) => a.term.length - b.term.length);
          expect(segmentWith(terms).termsNear(sought, most)).toEqual(shortestFirst);
        }
      }),
    );
  });

  it('keep their documents, however far apart these are', () => {
    const documents = [0, 1, 127, 128, 255, 256, 16_383, 16_384, 32_767, 2_097_151, 2_097_152, 99_999_999];
    const gaps = fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 16_000, max: 3_000_000 })));
    fc.assert(
      fc.property(fc.array(gaps, { maxLength: 5 }), (given) => {
        const expected = [documents, ...given.map((list) => list.map((_, at) => sum(list.slice(0, at + 1))))];
        const writer = createTermWriter();
        for (const [term, places] of expected.entries()) {
          writer.begin(`term ${term}`);
          for (const place of places) writer.posting(place, (place % 255) + 1);
        }
        const empty = { keys: new Uint8Array(), scales: new Uint8Array(), vectors: new Uint8Array() };
        const counts = { documents: 0, terms: expected.length, dimensions: 0 };
        const segment = openSegment(pack(counts, { ...empty, grams: new Uint8Array(), ...writer.end() }));
        for (const [term, places] of expected.entries()) {
          expect(postingsOf(segment, term)).toEqual(places.map((place) => [place, (place % 255) + 1]));
        }
      }),
    );
  });
});

describe('a packed segment', () => {
  const parts = (size: (section: Section) => number) => {
    const names: Section[] = [
      'keys',
      'scales',
      'vectors',
      'grams',
      'termStarts',
      'marks',
      'postingStarts',
      'terms',
      'postings',
    ];
    return Object.fromEntries(names.map((name, at) => [name, new Uint8Array(size(name)).fill(at + 1)])) as Record<
      Section,
      Uint8Array
    >;
  };
  const sizes = { keys: 24, scales: 4, vectors: 16, grams: 512, termStarts: 12, marks: 8, postingStarts: 12 };
  const given = parts((section) => ({ ...sizes, terms: 5, postings: 7 })[section]);
  const counts = { documents: 1, terms: 2, dimensions: 16 };

  it('is unpacked to the same segment', () => {
    expect(unpack(pack(counts, given))).toEqual({ ...counts, parts: given });
  });

  it('is refused when any part of it is impossible', () => {
    const whole = pack(counts, given);
    for (let length = 0; length < whole.length - 16; length += 16) {
      expect(() => unpack(whole.slice(0, length)), `${length}`).toThrow();
    }
    for (const section of Object.keys(sizes) as Section[]) {
      const odd = { ...given, [section]: new Uint8Array(given[section].length + 4) };
      expect(() => unpack(pack(counts, odd)), section).toThrow('inconsistent');
    }
    for (const wrong of [{ documents: 2 }, { terms: 1 }, { dimensions: 32 }]) {
      expect(() => unpack(pack({ ...counts, ...wrong }, given))).toThrow('inconsistent');
    }
    for (const at of [0, 4]) {
      const other = whole.slice();
      other[at] = (other[at] as number) ^ 1;
      expect(() => unpack(other)).toThrow('layout');
    }
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
