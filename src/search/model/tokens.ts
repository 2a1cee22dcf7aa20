import { isAscii } from '../../kernel/text.ts';
import { compatible, eachRun, humpsOf, plainWord } from '../text/runs.ts';

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
  const add = (token: string) => {
    if (tokens.length < mostTokens) tokens.push(token);
  };
  eachRun(text, {
    word(from, to, hump) {
      // No word is that long; what is, is data, and its beginning has to do.
      const raw = text.slice(from, Math.min(to, from + longestWord));
      for (const part of hump ? humpsOf(raw) : [raw]) add(tableWord(part));
    },
    ideographs(from, to) {
      const signs = Array.from(text.slice(from, to));
      signs.forEach((sign, at) => {
        add(sign);
        const next = signs[at + 1];
        if (next !== undefined) add(sign + next);
      });
    },
  });
  return tokens;
}
