import { isAscii } from '../../core/text/text.ts';
import { signsOf } from '../text/lexicon.ts';
import { compatible, humpRun, humpsOf, plainWord, runsIn, signsRun } from '../text/runs.ts';

/** Tokens that a text may have at most: the table was made for that number. */
export const mostTokens = 256;
const longestWord = 128;

/** A word as the table has it. Most words are ASCII, and need no check for diacritics. */
function tableWord(word: string): string {
  const plain = plainWord(word);
  return isAscii(plain) ? plain : plain.normalize('NFD');
}

/**
 * The tokens that the embedding table knows rows for: whole words, and the characters and pairs of characters of CJK
 * text.
 */
export function modelTokens(given: string): string[] {
  const text = compatible(given);
  const tokens: string[] = [];
  const { count, starts, ends, kinds } = runsIn(text, mostTokens);
  for (let run = 0; run < count && tokens.length < mostTokens; run++) {
    const from = starts[run] as number;
    if (kinds[run] === signsRun) {
      // A character takes two code units at most, and the first characters are enough.
      tokens.push(...signsOf(text.slice(from, Math.min(ends[run] as number, from + 2 * mostTokens))));
      continue;
    }
    // Data, not a word, if it is that long: its beginning has to do.
    const raw = text.slice(from, Math.min(ends[run] as number, from + longestWord));
    if (kinds[run] === humpRun) tokens.push(...humpsOf(raw).map(tableWord));
    else tokens.push(tableWord(raw));
  }
  if (tokens.length > mostTokens) tokens.length = mostTokens;
  return tokens;
}
