import { stemmer } from 'stemmer';
import { createNumbers } from './numbers.ts';
import { beginningOf, humpsOf, plainWord, signEnd, textOf } from './runs.ts';
import { createWordTable } from './word-table.ts';

/** English words that say nothing about what is sought. Those of other languages are rare enough to do no harm. */
const words =
  'a about above after again all also am an and any are as at be because been before being below between both but by ' +
  'can cannot could did do does doing down during each few for from further get had has have having he her here hers ' +
  'him his how i if in into is it its itself just let me more most my myself no nor not of off on once only or other ' +
  'our ours out over own please same she should so some such than that the their theirs them then there these they ' +
  'this those through to too under until up us very was we were what when where which while who whom why will with ' +
  'would you your yours s t d m ll re ve don need want help using use used way';

const stopWords: ReadonlySet<string> = new Set(words.split(' '));

/** Version of the terms, part of the key of every index: to be raised whenever a text could come out as other terms. */
export const termsVersion = 2;

/** Code units of a term: a longer word is a line of data, and its first part names it well enough. */
const longestTerm = 40;
/** Scripts of their own that are written without blanks between words, or with endings grown onto them. */
const unspaced = /[\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The terms that a word stands for: its stem first, then those of its parts. None for a word that says nothing. */
export function termsOfWord(raw: string, hump: boolean): string[] {
  const short = beginningOf(raw, longestTerm);
  const whole = termWord(short);
  // "GitHub" is asked for as "github" and as "git hub".
  const words = hump ? [whole, ...humpsOf(short).map(termWord)] : [whole];
  const telling = words.filter((word) => !stopWords.has(word));
  return telling.flatMap((word) => (unspaced.test(word) ? [word, ...signsOf(word)] : [stemmed(word)]));
}

/** Normalises a word as the embedding table does, but makes one term of what can be written in two ways. */
function termWord(word: string): string {
  return plainWord(word).replaceAll('ß', 'ss');
}

/** Strips the ending of a word. */
export function stemmed(word: string): string {
  return stemmer(word);
}

/** The characters of a run, and each two that stand together. */
export function signsOf(run: string): string[] {
  const signs = Array.from(run);
  return signs.flatMap((sign, at) => (at + 1 < signs.length ? [sign, sign + signs[at + 1]] : [sign]));
}

/** Words and their terms, by number. Most words of a text were seen already: splitting them again would cost the most. */
export interface Lexicon {
  /** Number of terms so far. */
  readonly size: number;
  /** The number of a word, by its place in the units of a text. */
  word(units: Uint16Array, from: number, to: number, hump: boolean): number;
  /** Visits the numbers of the characters of a run, and of each two that stand together. */
  signs(units: Uint16Array, from: number, to: number, visit: (word: number) => void): void;
  /** The terms of all words, valid until another word is asked for. */
  wordTerms(): WordTerms;
  /** The terms that a word stands for. */
  termsOf(word: number): readonly number[];
  termOf(number: number): string;
  /** The numbers of all terms, in the order of the terms. */
  inOrder(): Int32Array;
}

/** The terms of all words in a row: those of a word begin at its start, and end where the next one's begin. */
interface WordTerms {
  readonly starts: Int32Array;
  readonly terms: Int32Array;
}

/** Code units of a word that its terms depend on. */
const tellingUnits = longestTerm + 1;

const signBits = 16;
const signSlots = 2 ** signBits;

export function createLexicon(): Lexicon {
  const numbers = new Map<string, number>();
  const terms: string[] = [];
  const words = createWordTable();
  const starts = createNumbers();
  const wordTerms = createNumbers();
  starts.push(0);
  let order: Int32Array = new Int32Array(0);

  const numberOf = (term: string) => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, terms.length);
    return terms.push(term) - 1;
  };
  const isNew = (word: number) => word === starts.length - 1;
  const learn = (its: readonly string[]) => {
    for (const term of its) wordTerms.push(numberOf(term));
    starts.push(wordTerms.length);
  };
  // Cache by code units of the CJK words that came up last: a text without blanks has two words for each character.
  const signKeys = new Int32Array(signSlots);
  const signWords = new Int32Array(signSlots);
  const sign = (units: Uint16Array, from: number, to: number): number => {
    const key = ((units[from] as number) << 16) | (to - from > 1 ? (units[from + 1] as number) : 0);
    const slot = Math.imul(key, 0x9e3779b1) >>> (32 - signBits);
    if (signKeys[slot] === key && to - from <= 2) return signWords[slot] as number;
    const word = words.numberOf(units, from, to, 0);
    if (isNew(word)) learn([textOf(units, from, to)]);
    if (to - from > 2) return word;
    signKeys[slot] = key;
    signWords[slot] = word;
    return word;
  };

  return {
    get size() {
      return terms.length;
    },
    word(units, from, to, hump) {
      const end = Math.min(to, from + tellingUnits);
      const word = words.numberOf(units, from, end, hump ? 1 : 0);
      if (isNew(word)) learn(termsOfWord(textOf(units, from, end), hump));
      return word;
    },
    signs(units, from, to, visit) {
      for (let [at, next] = [from, signEnd(units, from)]; at < to; [at, next] = [next, signEnd(units, next)]) {
        visit(sign(units, at, next));
        if (next < to) visit(sign(units, at, signEnd(units, next)));
      }
    },
    wordTerms: () => ({ starts: starts.values, terms: wordTerms.values }),
    termsOf: (word) => Array.from(wordTerms.values.subarray(starts.values[word], starts.values[word + 1])),
    termOf: (number) => terms[number] as string,
    inOrder() {
      if (order.length < terms.length) order = withOthers(order, terms);
      return order;
    },
  };
}

/** Merges the terms that are new into the order. Most are in it: to sort all of them again would cost the most. */
function withOthers(order: Int32Array, terms: readonly string[]): Int32Array {
  const others = Array.from({ length: terms.length - order.length }, (_, at) => order.length + at);
  others.sort((a, b) => ((terms[a] as string) < (terms[b] as string) ? -1 : 1));
  const whole = new Int32Array(terms.length);
  let from = 0;
  others.forEach((other, before) => {
    const to = placeIn(order, terms, terms[other] as string, from);
    whole.set(order.subarray(from, to), from + before);
    whole[to + before] = other;
    from = to;
  });
  whole.set(order.subarray(from), from + others.length);
  return whole;
}

/** The first place in an order, from one on, that is behind a term. */
function placeIn(order: Int32Array, terms: readonly string[], term: string, from: number): number {
  let [low, high] = [from, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[order[middle] as number] as string) < term) low = middle + 1;
    else high = middle;
  }
  return low;
}
