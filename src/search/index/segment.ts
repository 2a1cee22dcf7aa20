import { keyTable } from './key.ts';
import { type Parts, unpack } from './layout.ts';
import { areNear, errorsBetween, markOf } from './marks.ts';

/** A part of an index that never changes: some skills, the terms they hold, and their directions. */
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
  /** The terms that begin so, and are longer; the shortest first. */
  termsWithPrefix(prefix: string): Generator<string>;
  /** The terms that are at most so many typing errors away. */
  termsNear(term: string, errors: number): { readonly term: string; readonly errors: number }[];
  /** The documents that hold a term, in ascending order. */
  postings(termIndex: number): Postings;
}

/** Documents, and from 1 to 255 how much a term says about each. */
export interface Postings {
  readonly documents: Int32Array;
  readonly impacts: Uint8Array;
  readonly count: number;
}

/** Opens the bytes of a segment where they lie; throws if they are none. */
export function openSegment(bytes: Uint8Array): Segment {
  const { documents, terms, dimensions, parts } = unpack(bytes);
  const text = Buffer.from(parts.terms.buffer, parts.terms.byteOffset, parts.terms.length);
  const [termStarts, postingStarts, marks] = [parts.termStarts, parts.postingStarts, parts.marks].map(numbersIn) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const { postings } = parts;
  let find: Segment['find'] | undefined;

  const termAt = (index: number) => text.toString('utf8', termStarts[index], termStarts[index + 1]);

  /** The first term that is not before this one. */
  function placeOf(term: string): number {
    let [low, high] = [0, terms];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (termAt(middle) < term) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    bytes,
    documents,
    terms,
    dimensions,
    parts,
    scales: new Float32Array(parts.scales.buffer, parts.scales.byteOffset, documents),
    vectors: new Int8Array(parts.vectors.buffer, parts.vectors.byteOffset, parts.vectors.length),
    find(key, at) {
      find ??= keyTable(parts.keys);
      return find(key, at);
    },
    termAt,
    termIndex(term) {
      const place = placeOf(term);
      return place < terms && termAt(place) === term ? place : -1;
    },
    *termsWithPrefix(prefix) {
      // By length first, which is known without looking at a term: there may be thousands, and few are wanted.
      const byLength: number[][] = [];
      const end = placeOf(`${prefix}\uffff`);
      for (let at = placeOf(prefix); at < end; at++) {
        const length = (termStarts[at + 1] as number) - (termStarts[at] as number);
        const same = byLength[length];
        if (same === undefined) byLength[length] = [at];
        else same.push(at);
      }
      for (const same of byLength) {
        for (const at of same ?? []) {
          const term = termAt(at);
          if (term !== prefix) yield term;
        }
      }
    },
    termsNear(term, errors) {
      const mark = markOf(term);
      const found: { term: string; errors: number }[] = [];
      for (let at = 0; at < terms; at++) {
        if (!areNear(mark, marks[at] as number, errors)) continue;
        const other = termAt(at);
        const between = errorsBetween(term, other, errors);
        if (between <= errors) found.push({ term: other, errors: between });
      }
      return found;
    },
    postings(index) {
      let at = postingStarts[index] as number;
      const end = postingStarts[index + 1] as number;
      // Each takes two bytes at least.
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

function numbersIn(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
