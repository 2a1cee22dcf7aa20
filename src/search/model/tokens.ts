import { isAscii } from '../../core/text/text.ts';
import { compatible, humpRun, humpsOf, plainWord, runsIn, signEnd, signsRun, textOf } from '../text/runs.ts';

/** Tokens that a text may have at most: the table was made for that number. */
export const mostTokens = 256;
const longestWord = 128;

/** A word as the table has it. Most words are ASCII, and need no check for diacritics. */
function tableWord(word: string): string {
  const plain = plainWord(word);
  return isAscii(plain) ? plain : plain.normalize('NFD');
}

/** Visits a token where it stands in the units of a text: a word, or characters of CJK text, which are left as they are. */
export type VisitToken = (units: Uint16Array, from: number, to: number, isSigns: boolean) => void;

/**
 * Visits the tokens that the embedding table knows rows for: whole words, and the characters and pairs of characters of
 * CJK text. None of them is cut out of the text, since most need not be.
 */
export function eachToken(given: string, visit: VisitToken): void {
  const text = compatible(given);
  const { units, count, starts, ends, kinds } = runsIn(text, mostTokens);
  let left = mostTokens;
  const visitOne = (from: number, to: number, isSigns: boolean) => {
    if (left-- > 0) visit(units, from, to, isSigns);
  };
  for (let run = 0; run < count && left > 0; run++) {
    const [from, to] = [starts[run] as number, ends[run] as number];
    // Data, not a word, if it is that long: its beginning has to do.
    const end = Math.min(to, from + longestWord);
    if (kinds[run] === signsRun) eachSigns(units, from, to, visitOne);
    else if (kinds[run] === humpRun) eachHump(text.slice(from, end), from, visitOne);
    else visitOne(from, end, false);
  }
}

function eachSigns(
  units: Uint16Array,
  from: number,
  to: number,
  visit: (from: number, to: number, isSigns: true) => void,
) {
  // The first characters are enough.
  for (let [at, next, left] = [from, signEnd(units, from), mostTokens]; at < to && left > 0; left--) {
    visit(at, next, true);
    const after = signEnd(units, next);
    if (next < to) visit(at, after, true);
    [at, next] = [next, after];
  }
}

function eachHump(word: string, start: number, visit: (from: number, to: number, isSigns: false) => void): void {
  let from = start;
  for (const { length } of humpsOf(word)) {
    visit(from, from + length, false);
    from += length;
  }
}

/** A token as the table has it. */
export function tokenOf(units: Uint16Array, from: number, to: number, isSigns: boolean): string {
  const text = textOf(units, from, to);
  return isSigns ? text : tableWord(text);
}

/** The tokens of a text. */
export function modelTokens(text: string): string[] {
  const tokens: string[] = [];
  eachToken(text, (units, from, to, isSigns) => tokens.push(tokenOf(units, from, to, isSigns)));
  return tokens;
}
