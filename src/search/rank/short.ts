import { termsOfField } from '../index/document.ts';
import { createLexicon } from '../text/lexicon.ts';
import type { WordMatch } from './words.ts';

/** Tells how much of what was asked for stands in a short text, from 0 to 1. */
export function createShortMatcher(matches: readonly WordMatch[], whole: number): (text: string) => number {
  const lexicon = createLexicon();
  return (text) => {
    if (whole === 0) return 0;
    const terms = new Set(termsOfField('tools', text, lexicon).terms.map((number) => lexicon.termOf(number)));
    let sum = 0;
    for (const { worth, found } of matches) {
      const shares = found.filter(({ term }) => terms.has(term)).map(({ share }) => share);
      sum += worth * Math.max(0, ...shares);
    }
    return Math.min(1, sum / whole);
  };
}
