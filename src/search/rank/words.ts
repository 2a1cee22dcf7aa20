import type { SlicedTask } from '../../core/time-slice.ts';
import { k1 } from '../index/document.ts';
import type { Postings } from '../index/segment.ts';
import type { AskedWord } from '../text/asked.ts';
import { type Collection, holdersOf } from './collection.ts';
import { type Candidate, candidatesFor } from './expand.ts';

/** A word of the query and the terms it was found as. */
export interface WordMatch {
  readonly word: string;
  /** The word as the query has it, but for letter case. */
  readonly written: string;
  /** Worth of the word: the rarer, the more. */
  readonly worth: number;
  readonly found: readonly Candidate[];
}

export interface WordScores {
  /** Scores by document; 1 for a skill that is all about the strongest words of the query. */
  readonly scores: Float32Array;
  readonly matches: readonly WordMatch[];
  /** Divisor of all scores. */
  readonly whole: number;
}

/** Number of words that decide what a full score is: a long task must not be out of reach for every skill. */
const strongest = 6;
/** Words of a query that are scored: one of ten thousand is a document, and its first ones say what is sought. */
const mostWords = 256;
/** Number of words that are checked for typing errors, which goes through all terms there are. */
const mostTypos = 12;

/** Scores all words of the query by BM25F. */
export function* scoreWords(collection: Collection, asked: readonly AskedWord[]): SlicedTask<WordScores> {
  const scores = new Float32Array(collection.documents);
  const matches: WordMatch[] = [];
  const best = new Float32Array(collection.documents);
  const budget = { typos: mostTypos };
  for (const { term, written, parts } of asked.slice(0, mostWords)) {
    const isWritten = parts.length === 0 || holdersOf(collection, term).count > 0;
    const words = isWritten ? [{ term, written }] : parts.map((part) => ({ term: part, written: part }));
    for (const word of words) {
      matches.push(scoreWord(collection, word, scores, best, budget));
      yield;
    }
  }
  const worths = matches.map(({ worth }) => worth).sort((a, b) => b - a);
  const whole = worths.slice(0, strongest).reduce((sum, worth) => sum + worth, 0);
  if (whole > 0) for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] as number) / whole;
  return { scores, matches, whole };
}

/** Scores each document by the best of the forms in which it holds the word. */
function scoreWord(
  collection: Collection,
  { term: word, written }: { readonly term: string; readonly written: string },
  scores: Float32Array,
  best: Float32Array,
  budget: { typos: number },
): WordMatch {
  const own = holdersOf(collection, word);
  const found = candidatesFor(collection, { word, written, holders: own.count }, budget);
  const lists = found.map(({ term }) => (term === word ? own : holdersOf(collection, term)));
  found.forEach(({ share }, at) => {
    const list = lists[at] as Postings;
    const rarity = idfOf(collection, list.count);
    raise(best, list, share * rarity * (k1 + 1), leastSaid(collection, rarity));
  });
  for (const list of lists) move(best, list, scores);
  // A word that nobody writes counts in full: matching on nothing but a stray other word is a poor match.
  return { word, written, worth: (k1 + 1) * idfOf(collection, own.count), found };
}

/**
 * The value of a mention by its impact: somewhat more than in proportion, so that a skill that has every word of a
 * question in its text is not far behind one that has a single word in its name.
 */
export function saidBy(impact: number): number {
  return impact ** 0.75;
}
const said = Float32Array.from({ length: 256 }, (_, impact) => saidBy(impact / 255));

/** Impact that a word has at least, wherever it stands, if one skill alone has it; less, the more skills have it. */
const rareShare = 0.3;
const rareSteepness = 4;

/** The least that a mention of a term says, from 0 to 1: a rare word is seldom there by accident. */
export function leastSaid(collection: Collection, rarity: number): number {
  return saidBy(rareShare * (rarity / idfOf(collection, 1)) ** rareSteepness);
}

/** The inverse document frequency (idf), by the documents that are there at present. */
export function idfOf({ living }: Collection, holders: number): number {
  return Math.log(1 + (living - holders + 0.5) / (holders + 0.5));
}

/** Raises scores to what each mention is worth, where that is more. A plain loop: a call for each would cost more. */
function raise(scores: Float32Array, { documents, impacts, count }: Postings, worth: number, least: number): void {
  for (let at = 0; at < count; at++) {
    const document = documents[at] as number;
    const score = worth * Math.max(said[impacts[at] as number] as number, least);
    if (score > (scores[document] as number)) scores[document] = score;
  }
}

/** Adds the scores of some documents to those in another list, and leaves zeros behind. */
function move(from: Float32Array, { documents, count }: Postings, to: Float32Array): void {
  for (let at = 0; at < count; at++) {
    const document = documents[at] as number;
    to[document] = (to[document] as number) + (from[document] as number);
    from[document] = 0;
  }
}
