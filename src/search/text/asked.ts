import { signsOf, termsOfWord } from './lexicon.ts';
import { compatible, humpRun, runsIn, signsRun } from './runs.ts';

/** A word of the query: searched by itself or, if nobody writes it in one, by its parts. */
export interface AskedWord {
  readonly term: string;
  /** The word as it was written, but for letter case. */
  readonly written: string;
  readonly parts: readonly string[];
}

/** The words of a query, each once. */
export function askedWords(given: string): AskedWord[] {
  const words = new Map<string, AskedWord>();
  const text = compatible(given);
  const add = (term: string, written: string, parts: readonly string[] = []) => {
    if (!words.has(term)) words.set(term, { term, written, parts });
  };
  const { count, starts, ends, kinds } = runsIn(text);
  for (let run = 0; run < count; run++) {
    const raw = text.slice(starts[run], ends[run]);
    if (kinds[run] === signsRun) {
      const signs = signsOf(raw);
      for (const term of signs) if (signs.length === 1 || Array.from(term).length > 1) add(term, term);
      continue;
    }
    const [term, ...parts] = termsOfWord(raw, kinds[run] === humpRun);
    if (term === undefined) continue;
    // A CJK character alone is in every other text of its language; the words that are meant are pairs.
    const telling = parts.filter((part) => part.length > 1);
    add(term, raw.toLowerCase(), telling);
  }
  return [...words.values()];
}
