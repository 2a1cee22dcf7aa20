import type { Piece } from './state.ts';

/** A stretch of a piece: plain, or a match with its number. */
export interface Segment {
  readonly text: string;
  readonly match: number | null;
}

/** Matches of a text in output, also over the borders of pieces. */
export interface Matches {
  readonly count: number;
  /** Segments of each piece that has a match in it, by its number. */
  readonly segments: ReadonlyMap<number, readonly Segment[]>;
}

/** Number of matches that are marked: more cannot be gone through. */
export const mostMatches = 1000;

const noMatches: Matches = { count: 0, segments: new Map() };

/** Finds a text, in capitals or not. */
export function matchesIn(pieces: readonly Piece[], wanted: string): Matches {
  if (wanted === '') return noMatches;
  const whole = pieces.map(({ text }) => text).join('');
  const places = placesOf(whole, wanted);
  if (places.length === 0) return noMatches;
  const segments = new Map<number, readonly Segment[]>();
  let [start, next] = [0, 0];
  for (const { number, text } of pieces) {
    const end = start + text.length;
    const spans: Span[] = [];
    for (let match = next; match < places.length && (places[match] ?? 0) < end; match++) {
      const place = (places[match] ?? 0) - start;
      spans.push({ from: Math.max(0, place), to: Math.min(text.length, place + wanted.length), match });
      if (place + wanted.length <= text.length) next = match + 1; // else it goes on in the next piece
    }
    if (spans.length > 0) segments.set(number, cutAt(text, spans));
    start = end;
  }
  return { count: places.length, segments };
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly match: number;
}

function cutAt(text: string, spans: readonly Span[]): readonly Segment[] {
  let at = 0;
  const segments = spans.flatMap(({ from, to, match }): Segment[] => {
    const before = { text: text.slice(at, from), match: null };
    at = to;
    return [before, { text: text.slice(from, to), match }];
  });
  return [...segments, { text: text.slice(at), match: null }];
}

/** The places of a text. Folding must not move any, so that only letters of one character each are folded. */
function placesOf(whole: string, wanted: string): number[] {
  const pattern = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`), 'gi');
  const places: number[] = [];
  for (const { index } of whole.matchAll(pattern)) {
    if (places.length >= mostMatches) break;
    places.push(index);
  }
  return places;
}
