import { stemmer } from 'stemmer';
import { beginningOf, humpsOf, plainWord } from './runs.ts';
import { stopWords } from './stop-words.ts';
import { createWordTable } from './word-table.ts';

/** Part of the key of every index: to be raised whenever a text could come out as other terms. */
export const termsVersion = 2;

/** A word longer than this is a line of data; its first part names it well enough. */
const longestTerm = 40;
/** Written without blanks between words, or with endings grown onto them, in signs of their own. */
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

/** As the table of directions has its words; but what can be written in two ways is one term. */
function termWord(word: string): string {
  return plainWord(word).replaceAll('ß', 'ss');
}

/** A word without its ending. */
export function stemmed(word: string): string {
  return stemmer(word);
}

/** Each sign of a run, and each two that stand together. */
export function signsOf(run: string): string[] {
  const signs = Array.from(run);
  return signs.flatMap((sign, at) => (at + 1 < signs.length ? [sign, sign + signs[at + 1]] : [sign]));
}

/** Words and their terms, by number. Most of a text is words that were seen already: cutting them up again would cost the most. */
export interface Lexicon {
  /** How many terms there are by now. */
  readonly size: number;
  /** The number of a word, by its place in the units of a text. */
  word(units: Uint16Array, from: number, to: number, hump: boolean): number;
  /** The numbers of the signs of a run, and of each two that stand together. */
  signs(units: Uint16Array, from: number, to: number, visit: (word: number) => void): void;
  /** The terms that a word stands for. */
  termsOf(word: number): readonly number[];
  termOf(number: number): string;
}

/** The terms of a word depend on so many units of it. */
const tellingUnits = longestTerm + 1;

export function createLexicon(): Lexicon {
  const numbers = new Map<string, number>();
  const terms: string[] = [];
  const termLists: (readonly number[])[] = [];
  const words = createWordTable();

  const numberOf = (term: string) => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, terms.length);
    return terms.push(term) - 1;
  };
  const sign = (units: Uint16Array, from: number, to: number): number => {
    const word = words.numberOf(units, from, to, 0);
    if (word === termLists.length) termLists.push([numberOf(textOf(units, from, to))]);
    return word;
  };

  return {
    get size() {
      return terms.length;
    },
    word(units, from, to, hump) {
      const end = Math.min(to, from + tellingUnits);
      const word = words.numberOf(units, from, end, hump ? 1 : 0);
      if (word === termLists.length) termLists.push(termsOfWord(textOf(units, from, end), hump).map(numberOf));
      return word;
    },
    signs(units, from, to, visit) {
      for (let [at, next] = [from, signEnd(units, from)]; at < to; [at, next] = [next, signEnd(units, next)]) {
        visit(sign(units, at, next));
        if (next < to) visit(sign(units, at, signEnd(units, next)));
      }
    },
    termsOf: (word) => termLists[word] as readonly number[],
    termOf: (number) => terms[number] as string,
  };
}

function textOf(units: Uint16Array, from: number, to: number): string {
  return String.fromCharCode(...units.subarray(from, to));
}

/** Where the character ends that begins at a place of some units. */
function signEnd(units: Uint16Array, at: number): number {
  const unit = units[at] as number;
  return at + (unit >= 0xd800 && unit <= 0xdbff ? 2 : 1);
}
