import { isAscii } from '../../core/text.ts';
import { signsOf } from '../text/lexicon.ts';
import { compatible, humpRun, humpsOf, plainWord, runsIn, signsRun } from '../text/runs.ts';

/** The table was made for texts of so many tokens at most. */
export const mostTokens = 256;
const longestWord = 128;

/** A word as the table has it. Most words are plain, and need not be asked about their marks. */
function tableWord(word: string): string {
  const plain = plainWord(word);
  return isAscii(plain) ? plain : plain.normalize('NFD');
}

/** The tokens that the embedding table knows rows for: whole words, and the signs and pairs of signs of CJK text. */
export function modelTokens(given: string): string[] {
  const text = compatible(given);
  const tokens: string[] = [];
  const { count, starts, ends, kinds } = runsIn(text, mostTokens);
  for (let run = 0; run < count && tokens.length < mostTokens; run++) {
    const from = starts[run] as number;
    if (kinds[run] === signsRun) {
      // A sign takes two units at most, and the first signs are enough.
      tokens.push(...signsOf(text.slice(from, Math.min(ends[run] as number, from + 2 * mostTokens))));
      continue;
    }
    // No word is that long; what is, is data, and its beginning has to do.
    const raw = text.slice(from, Math.min(ends[run] as number, from + longestWord));
    if (kinds[run] === humpRun) tokens.push(...humpsOf(raw).map(tableWord));
    else tokens.push(tableWord(raw));
  }
  if (tokens.length > mostTokens) tokens.length = mostTokens;
  return tokens;
}
