import { fold } from '../kernel/text.ts';

/** What is searched of one skill, in order of weight. */
export interface Searchable {
  readonly names: string;
  readonly description: string;
  readonly metadata: string;
  readonly body: string;
}

export interface Match {
  /** The number of tokens that occur: all of them, or there is no match. */
  readonly score: number;
  /** Orders matches of one score: where the tokens stand, and how often. */
  readonly relevance: number;
}

const weights = { names: 8, description: 4, metadata: 2, body: 1 } as const;

/** Exact: every token must occur somewhere. Nothing is guessed. */
export function matchAll(tokens: readonly string[], skill: Searchable): Match | null {
  const parts = (Object.keys(weights) as (keyof Searchable)[]).map((part) => ({
    text: fold(skill[part]),
    weight: weights[part],
  }));
  let relevance = 0;
  for (const token of tokens) {
    let best = 0;
    for (const { text, weight } of parts) {
      const found = occurrences(token, text);
      if (found === 0) continue;
      // A name that is the word outweighs one that merely holds it; a hundredth mention says little more than a tenth.
      const whole = hasWord(token, text) ? 1.5 : 1;
      best += weight * whole * (1 + Math.log2(found) / 4);
    }
    if (best === 0) return null;
    relevance += best;
  }
  return { score: tokens.length, relevance };
}

function occurrences(token: string, text: string): number {
  let found = 0;
  for (let at = text.indexOf(token); at !== -1 && found < 100; at = text.indexOf(token, at + token.length)) found++;
  return found;
}

const letter = /[\p{L}\p{N}]/u;

function hasWord(token: string, text: string): boolean {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + token.length)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + token.length] ?? ' '];
    if (!letter.test(before) && !letter.test(after)) return true;
  }
  return false;
}
