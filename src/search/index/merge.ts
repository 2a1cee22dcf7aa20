import { bytesOf } from './build.ts';
import { gramBytes } from './grams.ts';
import { keyBytes } from './key.ts';
import { pack } from './layout.ts';
import type { Segment } from './segment.ts';
import { createTermWriter } from './term-writer.ts';

/** A segment and the documents of it that are kept, by their place; all if not given. */
export interface Source {
  readonly segment: Segment;
  readonly lives?: ((document: number) => boolean) | undefined;
}

/** Merges segments that have the same dimensions into one, without the documents that are not wanted any more. */
export function mergeSegments(sources: readonly Source[]): Uint8Array {
  const dimensions = sources[0]?.segment.dimensions ?? 0;
  const { kept, total } = renumber(sources);
  const keys = new Uint8Array(total * keyBytes);
  const grams = new Uint8Array(total * gramBytes);
  const scales = new Float32Array(total);
  const vectors = new Int8Array(total * dimensions);
  sources.forEach(({ segment }, source) => {
    (kept[source] as Int32Array).forEach((to, from) => {
      if (to === -1) return;
      keys.set(segment.parts.keys.subarray(from * keyBytes, (from + 1) * keyBytes), to * keyBytes);
      grams.set(segment.parts.grams.subarray(from * gramBytes, (from + 1) * gramBytes), to * gramBytes);
      scales[to] = segment.scales[from] as number;
      vectors.set(segment.vectors.subarray(from * dimensions, (from + 1) * dimensions), to * dimensions);
    });
  });
  const { terms, parts } = mergeTerms(sources, kept);
  const counts = { documents: total, terms, dimensions };
  return pack(counts, { keys, grams, scales: bytesOf(scales), vectors: bytesOf(vectors), ...parts });
}

/** Assigns new places to documents, in the order of the old ones; −1 for those that are dropped. */
function renumber(sources: readonly Source[]): { kept: Int32Array[]; total: number } {
  let total = 0;
  const kept = sources.map(({ segment, lives }) =>
    Int32Array.from({ length: segment.documents }, (_, at) => (lives === undefined || lives(at) ? total++ : -1)),
  );
  return { kept, total };
}

/** A place in the terms of one segment. */
interface Cursor {
  readonly segment: Segment;
  /** New places of its documents. */
  readonly places: Int32Array;
  at: number;
  term: string | undefined;
}

/** Merges the terms of all segments in one pass, in their common order. */
function mergeTerms(sources: readonly Source[], kept: readonly Int32Array[]) {
  const writer = createTermWriter();
  const cursors = sources.map(({ segment }, source): Cursor => {
    const term = segment.terms > 0 ? segment.termAt(0) : undefined;
    return { segment, places: kept[source] as Int32Array, at: 0, term };
  });
  let terms = 0;
  for (let term = leastOf(cursors); term !== undefined; term = leastOf(cursors)) {
    let isBegun = false;
    for (const cursor of cursors) {
      if (cursor.term !== term) continue;
      eachKept(cursor, (place, impact) => {
        if (!isBegun) writer.begin(term);
        isBegun = true;
        writer.posting(place, impact);
      });
      advance(cursor);
    }
    if (isBegun) terms++;
  }
  return { terms, parts: writer.end() };
}

/** Visits the new places of the documents that hold the term under a cursor. */
function eachKept({ segment, places, at: term }: Cursor, visit: (place: number, impact: number) => void): void {
  const { documents, impacts, count } = segment.postings(term);
  for (let at = 0; at < count; at++) {
    const place = places[documents[at] as number] as number;
    if (place !== -1) visit(place, impacts[at] as number);
  }
}

function advance(cursor: Cursor): void {
  cursor.at++;
  cursor.term = cursor.at < cursor.segment.terms ? cursor.segment.termAt(cursor.at) : undefined;
}

function leastOf(cursors: readonly Cursor[]): string | undefined {
  let least: string | undefined;
  for (const { term } of cursors) if (term !== undefined && (least === undefined || term < least)) least = term;
  return least;
}
