import type { Lexicon } from '../text/lexicon.ts';
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

function writeTerms(documents: readonly IndexedDocument[], lexicon: Lexicon) {
  const places = new Map<number, number[]>();
  documents.forEach(({ terms, impacts }, document) => {
    terms.forEach((term, at) => {
      const list = places.get(term);
      if (list === undefined) places.set(term, [document, impacts[at] as number]);
      else list.push(document, impacts[at] as number);
    });
  });
  const writer = createTermWriter();
  const sorted = new Map([...places.keys()].map((term) => [lexicon.termOf(term), term]));
  for (const name of [...sorted.keys()].sort()) {
    writer.begin(name);
    const list = places.get(sorted.get(name) as number) as number[];
    for (let at = 0; at < list.length; at += 2) writer.posting(list[at] as number, list[at + 1] as number);
  }
  return { terms: places.size, parts: writer.end() };
}

/** Writes a vector as whole numbers from −127 to 127; returns what each of them is worth. */
export function quantize(vector: Float32Array, into: Int8Array, at: number): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return 0;
  const scale = largest / 127;
  vector.forEach((value, index) => {
    into[at + index] = Math.round(value / scale);
  });
  return scale;
}

export function bytesOf(array: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
