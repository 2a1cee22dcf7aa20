import { memoized } from '../../core/maps.ts';
import type { Postings, Segment } from '../index/segment.ts';
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

interface Part {
  readonly segment: Segment;
  /** Number of its first document. */
  readonly first: number;
  /** Scanner of its vectors, made for the first question about meaning. */
  readonly scanner: Scanner;
}

/** The scanner of a segment, kept as long as it: segments are few and never change. */
const scannerOf = memoized(({ vectors, dimensions }: Segment) => createScanner(vectors, dimensions));

export function collectionOf(segments: readonly Segment[], lives: Uint8Array): Collection {
  let documents = 0;
  const parts = segments.map((segment) => {
    const first = documents;
    documents += segment.documents;
    return {
      segment,
      first,
      get scanner() {
        return scannerOf(segment);
      },
    };
  });
  let living = 0;
  for (const life of lives) living += life;
  return { parts, documents, lives, living };
}

/** The living documents that hold a term, numbered through all segments. */
export function holdersOf({ parts, lives, living, documents: all }: Collection, term: string): Postings {
  const lists: Postings[] = [];
  for (const { segment, first } of parts) {
    const index = segment.termIndex(term);
    if (index === -1) continue;
    const list = segment.postings(index);
    lists.push(first === 0 && living === all ? list : onlyLiving(list, first, lives));
  }
  const [only] = lists;
  return lists.length === 1 && only !== undefined ? only : joined(lists);
}

function onlyLiving({ documents, impacts, count }: Postings, first: number, lives: Uint8Array): Postings {
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const document = (documents[at] as number) + first;
    if (lives[document] !== 1) continue;
    documents[kept] = document;
    impacts[kept++] = impacts[at] as number;
  }
  return { documents, impacts, count: kept };
}

function joined(lists: readonly Postings[]): Postings {
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  const [documents, impacts] = [new Int32Array(count), new Uint8Array(count)];
  let at = 0;
  for (const list of lists) {
    documents.set(list.documents.subarray(0, list.count), at);
    impacts.set(list.impacts.subarray(0, list.count), at);
    at += list.count;
  }
  return { documents, impacts, count };
}

/** Tells whether any living document holds a term. */
export function isAlive(collection: Collection, term: string): boolean {
  const { parts, living, documents } = collection;
  if (living === documents) return parts.some(({ segment }) => segment.termIndex(term) !== -1);
  return holdersOf(collection, term).count > 0;
}
