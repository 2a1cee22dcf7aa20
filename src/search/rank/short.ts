import { termsOfField } from '../index/document.ts';
import type { Lexicon } from '../text/lexicon.ts';
import type { Ranking } from './fuse.ts';

/** The terms of a short text. */
export function termsIn(text: string, lexicon: Lexicon): ReadonlySet<string> {
  return new Set(termsOfField('tools', text, lexicon).terms.map((number) => lexicon.termOf(number)));
}

/** The share of the question that a short text says, from 0 to 1, given how surely each term stands in it. */
export function coverage({ matches, whole }: Ranking, said: (term: string) => number): number {
  if (whole === 0) return 0;
  let sum = 0;
  for (const { worth, found } of matches) {
    let best = 0;
    for (const { term, share } of found) best = Math.max(best, share * said(term));
    sum += worth * best;
  }
  return Math.min(1, sum / whole);
}
