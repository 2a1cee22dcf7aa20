import type { Lexicon } from '../text/lexicon.ts';
import { quantize } from '../vectors/quantize.ts';
import type { IndexedDocument } from './document.ts';
import { gramBytes } from './grams.ts';
import { keyBytes } from './key.ts';
import { pack } from './layout.ts';
import { createTermWriter } from './term-writer.ts';

/** Makes a segment of documents, in their order. */
export function buildSegment(documents: readonly IndexedDocument[], lexicon: Lexicon, dimensions: number): Uint8Array {
  const count = documents.length;
  const keys = new Uint8Array(count * keyBytes);
  const grams = new Uint8Array(count * gramBytes);
  const scales = new Float32Array(count);
  const vectors = new Int8Array(count * dimensions);
  documents.forEach(({ key, grams: map, vector }, at) => {
    keys.set(key, at * keyBytes);
    grams.set(map, at * gramBytes);
    if (vector !== null) scales[at] = quantize(vector, vectors, at * dimensions);
  });
  const { terms, ...written } = writeTerms(documents, lexicon);
  const counts = { documents: count, terms, dimensions };
  return pack(counts, { keys, grams, scales: bytesOf(scales), vectors: bytesOf(vectors), ...written.parts });
}

/** The documents of each term, gathered in two rounds over all: how many there are, and then which. */
function writeTerms(documents: readonly IndexedDocument[], lexicon: Lexicon) {
  const ends = new Int32Array(lexicon.size + 1);
  const used: number[] = [];
  for (const { terms } of documents) {
    for (const term of terms) {
      const before = ends[term] as number;
      if (before === 0) used.push(term);
      ends[term] = before + 1;
    }
  }
  let sum = 0;
  for (const term of used) {
    sum += ends[term] as number;
    ends[term] = sum - (ends[term] as number);
  }
  const [holders, said] = [new Int32Array(sum), new Uint8Array(sum)];
  documents.forEach(({ terms, impacts }, document) => {
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number;
      const place = ends[term] as number;
      holders[place] = document;
      said[place] = impacts[at] as number;
      ends[term] = place + 1;
    }
  });
  const starts = new Map(used.map((term, at) => [term, at === 0 ? 0 : (ends[used[at - 1] as number] as number)]));
  const names = used.map((term) => ({ name: lexicon.termOf(term), term }));
  names.sort((a, b) => (a.name < b.name ? -1 : 1));
  const writer = createTermWriter();
  for (const { name, term } of names) {
    writer.begin(name);
    for (let at = starts.get(term) as number; at < (ends[term] as number); at++)
      writer.posting(holders[at] as number, said[at] as number);
  }
  return { terms: used.length, parts: writer.end() };
}

export function bytesOf(array: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
