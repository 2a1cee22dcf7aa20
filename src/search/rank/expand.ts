import { stemmed } from '../text/lexicon.ts';
import { beginsWithIdeograph } from '../text/runs.ts';
import { type Collection, isAlive } from './collection.ts';

/** A term that a word of the query may stand for. */
export interface Candidate {
  readonly term: string;
  readonly by: 'word' | 'beginning' | 'typo';
  /** Share of its worth that a match by this form gets. */
  readonly share: number;
}

/**
 * Shares by kind of match, found by trying on real skills. A guess at a typing error counts half: words of other
 * languages are not typing errors.
 */
const shares = { known: 0.3, unknown: 0.6, typo: 0.5, typos: 0.3 } as const;
const most = { beginnings: 16, typos: 8 } as const;
const shortest = { beginning: 3, oneTypo: 4, twoTypos: 8, slip: 6 } as const;
const longestSlip = 24;

/**
 * The candidates for a word: itself, longer ones that begin like it, and, where nobody writes it, what it may be a slip
 * of.
 */
export function candidatesFor(
  collection: Collection,
  { word, written, holders }: { readonly word: string; readonly written: string; readonly holders: number },
  budget: { typos: number },
): Candidate[] {
  const itself: Candidate[] = holders > 0 ? [{ term: word, by: 'word', share: 1 }] : [];
  if (beginsWithIdeograph(word)) return itself;
  const found = new Map<string, Candidate>(itself.map((one) => [one.term, one]));
  const add = (one: Candidate) => {
    if ((found.get(one.term)?.share ?? 0) < one.share) found.set(one.term, one);
  };
  if (word.length >= shortest.beginning) {
    const share = holders > 0 ? shares.known : shares.unknown;
    for (const term of beginningsIn(collection, word))
      add({ term, by: 'beginning', share: (share * word.length) / term.length });
  }
  if (holders === 0 && word.length >= shortest.oneTypo && budget.typos-- > 0) {
    for (const { term, errors } of typosIn(collection, word, written))
      add({ term, by: 'typo', share: errors === 1 ? shares.typo : shares.typos });
  }
  return [...found.values()];
}

/** The shortest terms that begin like the word: those closest to it. */
function beginningsIn(collection: Collection, word: string): string[] {
  const terms = new Set(
    collection.parts.flatMap(({ segment }) => firstLiving(collection, segment.termsWithPrefix(word), most.beginnings)),
  );
  return [...terms].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, most.beginnings);
}

/**
 * The first terms of an index that living skills have: those of skills that are gone or hidden must not take the place
 * of others.
 */
function firstLiving(collection: Collection, terms: Iterable<string>, count: number): string[] {
  const areAll = collection.living === collection.documents;
  const living: string[] = [];
  for (const term of terms) {
    if (living.length === count) break;
    if (areAll || isAlive(collection, term)) living.push(term);
  }
  return living;
}

function typosIn(collection: Collection, word: string, written: string) {
  const errors = word.length >= shortest.twoTypos ? 2 : 1;
  const near = collection.parts.flatMap(({ segment }) => segment.termsNear(word, errors));
  const corrections = correctionsOf(written)
    .filter((term) => isAlive(collection, term))
    .map((term) => ({ term, errors: 1 }));
  const least = new Map(
    [...near, ...corrections].sort((a, b) => b.errors - a.errors).map((one) => [one.term, one.errors]),
  );
  const sorted = [...least.keys()].sort((a, b) => errorsIn(a) - errorsIn(b) || (a < b ? -1 : 1));
  return firstLiving(collection, sorted, most.typos).map((term) => ({ term, errors: errorsIn(term) }));

  function errorsIn(term: string): number {
    return least.get(term) as number;
  }
}

/**
 * The stems of what somebody may have meant who swapped two letters or hit one too many. A slip in the ending of a word
 * changes its stem beyond recognition: so the typing errors are undone first.
 */
function correctionsOf(word: string): string[] {
  if (!/^[a-z]+$/.test(word) || word.length < shortest.slip || word.length > longestSlip) return [];
  const corrections = new Set<string>();
  for (let at = 0; at < word.length; at++) {
    corrections.add(stemmed(word.slice(0, at) + word.slice(at + 1)));
    if (at > 0) corrections.add(stemmed(word.slice(0, at - 1) + word[at] + word[at - 1] + word.slice(at + 1)));
  }
  return [...corrections];
}
