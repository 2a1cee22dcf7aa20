import { charactersOf, startNear } from '../passage/characters.ts';
import { cutsFrom } from './cuts.ts';
import { blockBreak, type Cut } from './reader.ts';

/** A stretch of a text, in code units. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A part of a Markdown text as a reader sees it. */
export interface Plain extends Range {
  readonly text: string;
  /** Whether the whole text has more before and after it. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** Code units to read on either side: enough for an excerpt with long addresses in it. */
const reach = 768;
/** Code units, more than any character has. */
const longestCharacter = 128;
/** Code units to read back for what is still open at a place: code, a comment. */
const lookBack = 1 << 15;
/** Separator between two blocks of which the first does not end like a sentence. */
const separator = '·';
const endsItself = /[.!?:;,…·。！？：；，、]/;

/**
 * Returns the text around a place of a Markdown text, without its marks. A mark that is part of a search result stays.
 * Only the neighbourhood is read, so that a passage costs the same in a file of any length.
 */
export function plainAround(text: string, { from, to }: Range, kept: readonly Range[]): Plain {
  const start = lineStart(text, from);
  const end = lineEnd(text, Math.max(from, to));
  const offset = Math.max(0, start - lookBack);
  const near = text.slice(offset, end);
  const cuts = cutsFrom(near, start - offset, 'kept').filter(
    (cut) => !kept.some((range) => cut.from + offset < range.to && cut.to + offset > range.from),
  );
  const { text: plain, placeOf } = without(near, start - offset, cuts);
  return {
    text: plain,
    from: placeOf(from - offset),
    to: placeOf(to - offset),
    isCutBefore: start > 0,
    isCutAfter: end < text.length,
  };
}

/** Strips the marks and the blocks of code from a Markdown text. For short texts. */
export function proseIn(text: string): string {
  return without(text, 0, cutsFrom(text, 0, 'cut')).text;
}

/** The start of a line, or of a character if there is none. */
function lineStart(text: string, place: number): number {
  if (place <= reach) return 0;
  const least = place - reach;
  const end = text.slice(least, place).indexOf('\n');
  if (end !== -1) return least + end + 1;
  // Character borders are found reliably only from some way before them.
  const offset = startNear(text, least - longestCharacter);
  return offset + charactersOf(text.slice(offset, place)).before(least - offset + 1);
}

function lineEnd(text: string, place: number): number {
  if (place + reach >= text.length) return text.length;
  const after = text.slice(place, place + reach);
  const end = after.lastIndexOf('\n');
  return place + (end === -1 ? charactersOf(after).before(reach) : end);
}

interface Piece extends Range {
  /** Start of the piece in the plain text. */
  readonly plain: number;
}

function without(text: string, start: number, cuts: readonly Cut[]) {
  const pieces: Piece[] = [];
  let plain = '';
  let last = '';
  let isBroken = false;
  const write = (some: string) => {
    const end = some.trimEnd().at(-1);
    if (end === undefined) {
      plain += some;
      return;
    }
    if (isBroken && last !== '') plain += endsItself.test(last) ? ' ' : ` ${separator} `;
    [isBroken, last] = [false, end];
    plain += some;
  };
  let from = start;
  for (const cut of [...cuts, { from: text.length, to: text.length, as: '' }]) {
    if (cut.from > from) {
      const some = text.slice(from, cut.from);
      write(some);
      pieces.push({ from, to: cut.from, plain: plain.length - some.length });
    }
    if (cut.as === blockBreak) isBroken = true;
    else write(cut.as as string);
    from = Math.max(from, cut.to);
  }
  /** Maps a place to the plain text; one that was cut, to the next that was not. */
  const placeOf = (place: number): number => {
    const piece = pieces.find((one) => place <= one.to);
    return piece === undefined ? plain.length : piece.plain + Math.max(0, place - piece.from);
  };
  return { text: plain, placeOf };
}
