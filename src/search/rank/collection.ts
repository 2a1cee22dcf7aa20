import type { Segment } from '../index/segment.ts';
import { createScanner, type Scanner } from '../vectors/scan.ts';

/** Segments side by side, their documents numbered through, and which of them are there at present. */
export interface Collection {
  readonly parts: readonly Part[];
  /** Number of all documents, the dead ones as well. */
  readonly documents: number;
  /** Flag by document: 1 for each that a skill stands for. */
  readonly lives: Uint8Array;
  readonly living: number;
}

export interface Part {
  readonly segment: Segment;
  /** Number of its first document. */
  readonly first: number;
  /** Scanner of its vectors, made for the first question about meaning. */
  readonly scanner: Scanner;
}

/** Cache of scanners: segments are few and never change, so a scanner is kept as long as its segment. */
const scanners = new WeakMap<Segment, Scanner>();

export function collectionOf(segments: readonly Segment[], lives: Uint8Array): Collection {
  let documents = 0;
  const parts = segments.map((segment) => {
    const first = documents;
    documents += segment.documents;
    return {
      segment,
      first,
      get scanner() {
        const known = scanners.get(segment) ?? createScanner(segment.vectors, segment.dimensions);
        scanners.set(segment, known);
        return known;
      },
    };
  });
  let living = 0;
  for (const life of lives) living += life;
  return { parts, documents, lives, living };
}
