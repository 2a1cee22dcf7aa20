import { errorsBetween } from '../../core/text/near.ts';
import { isAt, writeText } from './bytes.ts';
import { keyTable } from './key.ts';
import { type Parts, unpack } from './layout.ts';
import { byLength, markOf, type TermLengths } from './marks.ts';

/** A part of an index that never changes: some skills, the terms they hold, and their embeddings. */
export interface Segment {
  readonly bytes: Uint8Array;
  readonly documents: number;
  readonly terms: number;
  readonly dimensions: number;
  readonly parts: Parts;
  readonly scales: Float32Array;
  readonly vectors: Int8Array;
  /** The document with this key, or −1. */
  find(key: Uint8Array, at: number): number;
  termAt(index: number): string;
  /** The place of a term, or −1. */
  termIndex(term: string): number;
  /** The longer terms that begin with the prefix, shortest first. */
  termsWithPrefix(prefix: string): Generator<string>;
  /** The terms that are at most `errors` typing errors away, shortest first. */
  termsNear(term: string, errors: number): { readonly term: string; readonly errors: number }[];
  /** The documents that hold a term, in ascending order. */
  postings(termIndex: number): Postings;
}

/** The documents that hold a term, and its weight for each, from 1 to 255. */
export interface Postings {
  readonly documents: Int32Array;
  readonly impacts: Uint8Array;
  readonly count: number;
}

/** Number of terms whose places are cached. */
const mostPlaces = 4096;

/** Opens the bytes of a segment in place; throws if they are none. */
export function openSegment(bytes: Uint8Array): Segment {
  const { documents, terms, dimensions, parts } = unpack(bytes);
  const text = Buffer.from(parts.terms.buffer, parts.terms.byteOffset, parts.terms.length);
  const [termStarts, postingStarts, marks] = [parts.termStarts, parts.postingStarts, parts.marks].map(numbersIn) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const { postings } = parts;
  let documentOf: Segment['find'] | undefined;

  const termAt = (index: number) => text.toString('utf8', termStarts[index], termStarts[index + 1]);

  /** The place of the first term that is not before the sought one. No term is cut out of the text to be compared. */
  function placeOf(length: number): number {
    let [low, high] = [0, terms];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(text, termStarts[middle] as number, termStarts[middle + 1] as number, length)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Cache of the places of terms: a term that was found is looked up again, and so is one that nobody says. */
  const places = new Map<string, number>();
  const remember = (term: string, place: number) => {
    if (places.size === mostPlaces) places.clear();
    places.set(term, place);
    return place;
  };

  function find(term: string): number {
    const length = seek(term);
    const place = placeOf(length);
    const isThere =
      place < terms && isAt(text, termStarts[place] as number, termStarts[place + 1] as number, sought, length);
    return isThere ? place : -1;
  }

  /** Terms by length, in which near ones hardly differ. Made for the first word that is misspelt. */
  let lengths: TermLengths | undefined;

  return {
    bytes,
    documents,
    terms,
    dimensions,
    parts,
    scales: new Float32Array(parts.scales.buffer, parts.scales.byteOffset, documents),
    vectors: new Int8Array(parts.vectors.buffer, parts.vectors.byteOffset, parts.vectors.length),
    find(key, at) {
      documentOf ??= keyTable(parts.keys);
      return documentOf(key, at);
    },
    termAt,
    termIndex: (term) => places.get(term) ?? remember(term, find(term)),
    *termsWithPrefix(prefix) {
      // Sorted by length first, which is known without reading a term: there may be thousands, and few are wanted.
      const byLength: number[][] = [];
      const end = placeOf(seek(`${prefix}\uffff`));
      for (let at = placeOf(seek(prefix)); at < end; at++) {
        const length = (termStarts[at + 1] as number) - (termStarts[at] as number);
        const same = byLength[length];
        if (same === undefined) byLength[length] = [at];
        else same.push(at);
      }
      for (const same of byLength) {
        for (const at of same ?? []) {
          const term = termAt(at);
          remember(term, at);
          if (term !== prefix) yield term;
        }
      }
    },
    termsNear(term, errors) {
      lengths ??= byLength(marks);
      const found: { term: string; errors: number }[] = [];
      for (const place of lengths.near(markOf(term), errors)) {
        const other = termAt(place);
        const between = errorsBetween(term, other, errors);
        if (between <= errors) found.push({ term: other, errors: between });
      }
      return found;
    },
    postings(index) {
      let at = postingStarts[index] as number;
      const end = postingStarts[index + 1] as number;
      // Each posting takes two bytes at least.
      const documents = new Int32Array((end - at) >> 1);
      const impacts = new Uint8Array(documents.length);
      let [document, count] = [0, 0];
      while (at < end) {
        let byte = postings[at++] as number;
        let value = byte & 127;
        for (let shift = 7; byte > 127 && at < end; shift += 7) {
          byte = postings[at++] as number;
          value |= (byte & 127) << shift;
        }
        document += value;
        documents[count] = document;
        impacts[count++] = postings[at++] as number;
      }
      return { documents, impacts, count };
    },
  };
}

/** Buffer for the term that is sought, which is used again for every one; a longer one gets a larger buffer. */
let sought = Buffer.alloc(256);

/** Writes the term that is sought from now on, and returns how many bytes it has. */
function seek(term: string): number {
  if (term.length * 3 > sought.length) sought = Buffer.alloc(term.length * 3);
  return writeText(sought, term);
}

/**
 * Tells whether some bytes of a text come before the sought ones, in the order of the UTF-16 code units that they stand for.
 * Bytes have the same order, but for characters beyond the first plane: their units come before the last ones of it.
 */
function isBefore(text: Buffer, from: number, to: number, length: number): boolean {
  const common = Math.min(to - from, length);
  for (let at = 0; at < common; at++) {
    const one = text[from + at] as number;
    const two = sought[at] as number;
    if (one === two) continue;
    return one >= 0xee && two >= 0xee && one >= 0xf0 !== two >= 0xf0 ? one > two : one < two;
  }
  return to - from < length;
}

function numbersIn(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
