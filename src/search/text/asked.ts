import { signsOf, termsOfWord } from './lexicon.ts';
import { compatible, eachRun } from './runs.ts';

/** A word that is asked for: by itself, or if nobody writes it in one, by its parts. */
export interface AskedWord {
  readonly term: string;
  /** As it was written, but for letter case. */
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
  eachRun(text, {
    word(from, to, hump) {
      const raw = text.slice(from, to);
      const [term, ...parts] = termsOfWord(raw, hump);
      // A sign alone is in every other text of its language; what is meant are the words that pairs stand for.
      if (term !== undefined)
        add(
          term,
          raw.toLowerCase(),
          parts.filter((part) => part.length > 1),
        );
    },
    ideographs(from, to) {
      const signs = signsOf(text.slice(from, to));
      for (const term of signs) if (signs.length === 1 || Array.from(term).length > 1) add(term, term);
    },
  });
  return [...words.values()];
}
