import { fold, isAscii } from '../../core/text/text.ts';
import { runSync, type SlicedTask } from '../../core/time-slice.ts';

/** A text folded for comparison, with the way back to how it is written. */
export interface Folded {
  readonly written: string;
  readonly text: string;
  /** Starts of its pieces, in both texts; none where both run alike. */
  readonly pieces: readonly Piece[];
}

interface Piece {
  readonly written: number;
  readonly folded: number;
}

/**
 * Code units of a piece: marks are put in order when a text is folded, and a thousand on one letter take a million
 * steps.
 */
const pieceLength = 256;
/** Marks on one letter: no script has that many. Where a letter has, it is cut between them. */
const mostMarks = 64;
const piecesInStep = 64;

const surrogates = /\p{Surrogate}/gu;

/**
 * Folds a text in steps, with the result of folding it at once; a lone surrogate is replaced, so that it is not found
 * in a whole character.
 */
export function* foldInSteps(written: string): SlicedTask<Folded> {
  if (isAscii(written)) return { written, text: written.toLowerCase(), pieces: [] };
  const pieces: Piece[] = [];
  const texts: string[] = [];
  for (let [from, to, folded] = [0, 0, 0]; from < written.length; from = to) {
    to = pieceEnd(written, from);
    const whole = fold(written.slice(from, to));
    const text = whole.isWellFormed() ? whole : whole.replace(surrogates, '\ufffd');
    pieces.push({ written: from, folded });
    texts.push(text);
    folded += text.length;
    if (pieces.length % piecesInStep === 0) yield;
  }
  return { written, text: texts.join(''), pieces };
}

/** The end of the piece that begins here: between two characters, and not too far. */
export function pieceEnd(text: string, from: number): number {
  return borderAfter(text, from + pieceLength);
}

export function foldText(written: string): Folded {
  return runSync(foldInSteps(written));
}

/** The place of the written character that a place in the folded text belongs to. */
export function writtenPlace({ written, text, pieces }: Folded, place: number): number {
  if (pieces.length === 0 || place >= text.length) return Math.min(place, written.length);
  const index = pieceAt(pieces, place);
  const piece = pieces[index] ?? { written: 0, folded: 0 };
  const end = pieces[index + 1]?.written ?? written.length;
  let [from, folded] = [piece.written, piece.folded];
  for (;;) {
    const to = Math.min(end, borderAfter(written, from + 1));
    folded += fold(written.slice(from, to)).length;
    if (folded > place || to >= end) return from;
    from = to;
  }
}

function pieceAt(pieces: readonly Piece[], place: number): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.folded ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Marks join the letter before them, and so do the later parts of a Korean syllable.
const joins = /^[\p{M}\u1160-\u11ff\ud7b0-\ud7ff]/u;

/** The next place, from this one on, where nothing joins what stands before. */
function borderAfter(text: string, place: number): number {
  let border = isInsidePair(text, place) ? place + 1 : place;
  for (let marks = 0; marks < mostMarks && border < text.length; marks++) {
    const character = String.fromCodePoint(text.codePointAt(border) ?? 0);
    if (!joins.test(character)) return border;
    border += character.length;
  }
  return Math.min(border, text.length);
}

function isInsidePair(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff;
}
