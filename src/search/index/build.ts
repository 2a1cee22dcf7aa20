import type { Lexicon } from '../text/lexicon.ts';
import { quantize } from '../vectors/quantize.ts';
import type { IndexedDocument } from './document.ts';
import { gramBytes } from './grams.ts';
import { keyBytes } from './key.ts';
import { pack } from './layout.ts';
import { createTermWriter } from './term-writer.ts';

/** Builds a segment of documents, in their order. */
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

/** Writes the documents of each term, gathered in two rounds: how many there are, and then which. */
function writeTerms(documents: readonly IndexedDocument[], lexicon: Lexicon) {
  const counts = new Int32Array(lexicon.size);
  for (const { terms } of documents) for (const term of terms) counts[term] = (counts[term] as number) + 1;
  const used = lexicon.inOrder().filter((term) => counts[term] !== 0);
  // Start of each term's documents, term after term; as they are filled in, it becomes their end.
  const ends = counts;
  let sum = 0;
  for (const term of used) {
    const count = counts[term] as number;
    ends[term] = sum;
    sum += count;
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
  const writer = createTermWriter();
  let at = 0;
  for (const term of used) {
    writer.begin(lexicon.termOf(term));
    for (const end = ends[term] as number; at < end; at++) writer.posting(holders[at] as number, said[at] as number);
  }
  return { terms: used.length, parts: writer.end() };
}

export function bytesOf(array: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
