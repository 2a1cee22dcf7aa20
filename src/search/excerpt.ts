import { fold, isAscii, printable } from '../kernel/text.ts';

const length = 160;
/** More than an excerpt can need on either side, even of characters that take many units: only this much is cut up. */
const margin = 32 * length;

/** About 160 characters around the first place where a token stands, cut between characters and, where it can, words. */
export function excerptOf(text: string, tokens: readonly string[]): string {
  const match = firstMatch(text, tokens);
  const window = { from: Math.max(0, match - margin), to: match + margin };
  // What stands at the very edge of the window may be part of a character.
  const before = charactersOf(text.slice(window.from, match)).slice(window.from > 0 ? 1 : 0);
  const after = charactersOf(text.slice(match, window.to)).slice(0, window.to < text.length ? -1 : undefined);
  const characters = [...before, ...after];
  const start = Math.max(0, Math.min(before.length - length / 4, characters.length - length));
  const from = wordStart(characters, start, before.length);
  const to = wordEnd(characters, Math.min(characters.length, start + length), before.length);
  const isCutBefore = from > 0 || window.from > 0;
  const isCutAfter = to < characters.length || window.to < text.length;
  const cut = characters.slice(from, to).join('').trim();
  return printable(`${isCutBefore ? '… ' : ''}${cut}${isCutAfter ? ' …' : ''}`);
}

/** What a reader sees as one character each, with every run of blanks made one. */
function charactersOf(text: string): string[] {
  return [...new Intl.Segmenter().segment(text.replace(/\s+/gu, ' '))].map(({ segment }) => segment);
}

/** Where the first of the tokens starts. Folding may lengthen or shorten a text, so the place is traced back. */
function firstMatch(text: string, tokens: readonly string[]): number {
  const folded = fold(text);
  const places = tokens.map((token) => folded.indexOf(token)).filter((place) => place !== -1);
  const place = places.length === 0 ? 0 : Math.min(...places);
  return isAscii(text) ? place : unfoldedPlace(text, place);
}

/** The place in a text that a place in its folded form stands for: the line first, then the character. */
function unfoldedPlace(text: string, place: number): number {
  let [start, left] = [0, place];
  for (;;) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    const line = text.slice(start, end);
    const length = fold(line).length;
    if (left < length || end === text.length) return start + placeInLine(line, left);
    [start, left] = [end, left - length];
  }
}

function placeInLine(line: string, place: number): number {
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fold(line.slice(0, middle)).length <= place) low = middle;
    else high = middle - 1;
  }
  return isLowSurrogate(line.charCodeAt(low)) ? low - 1 : low;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The last word border, unless that would cut the match or leave little. */
function wordEnd(characters: readonly string[], end: number, match: number): number {
  if (end === characters.length || characters[end] === ' ') return end;
  const blank = characters.lastIndexOf(' ', end);
  return blank > match && blank > end - length / 4 ? blank : end;
}

/** The next word border, unless it is far or would skip the match. */
function wordStart(characters: readonly string[], start: number, match: number): number {
  if (start === 0) return 0;
  const blank = characters.indexOf(' ', start);
  return blank === -1 || blank >= match || blank - start > length / 8 ? start : blank + 1;
}
