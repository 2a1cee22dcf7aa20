import { stemmer } from 'stemmer';
import { beginningOf, humpsOf, plainWord } from './runs.ts';
import { stopWords } from './stop-words.ts';

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

/** Terms by number. Most of a text is words that were seen already: cutting them up again would cost the most. */
export interface Lexicon {
  /** How many terms there are by now. */
  readonly size: number;
  /** The terms of a word that stands in a text. */
  word(text: string, from: number, to: number, hump: boolean): readonly number[];
  signs(run: string): readonly number[];
  termOf(number: number): string;
}

/** A word as it was written, and its terms. */
interface KnownWord {
  readonly raw: string;
  readonly hash: number;
  readonly terms: readonly number[];
}

export function createLexicon(): Lexicon {
  const numbers = new Map<string, number>();
  const terms: string[] = [];
  const words: KnownWord[] = [];
  // A table of our own: the language's would want each word cut out of the text only to find that it is known.
  let slots = new Int32Array(1 << 14).fill(-1);
  // Nobody can know which words would fall into one place.
  const seed = Math.floor(Math.random() * 2 ** 32);

  const numberOf = (term: string) => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, terms.length);
    return terms.push(term) - 1;
  };

  const grow = () => {
    slots = new Int32Array(slots.length * 4).fill(-1);
    words.forEach(({ hash }, at) => {
      slots[freeSlot(slots, hash)] = at;
    });
  };

  const learn = (raw: string, hash: number, hump: boolean): readonly number[] => {
    const found = termsOfWord(raw, hump).map(numberOf);
    if (words.length * 2 > slots.length) grow();
    slots[freeSlot(slots, hash)] = words.length;
    words.push({ raw, hash, terms: found });
    return found;
  };

  return {
    get size() {
      return terms.length;
    },
    word(text, from, to, hump) {
      const hash = hashOf(text, from, to, seed);
      const mask = slots.length - 1;
      for (let slot = hash & mask; slots[slot] !== -1; slot = (slot + 1) & mask) {
        const known = words[slots[slot] as number] as KnownWord;
        const isSame = known.hash === hash && known.raw.length === to - from && text.startsWith(known.raw, from);
        if (isSame) return known.terms;
      }
      return learn(text.slice(from, to), hash, hump);
    },
    signs: (run) => signsOf(run).map(numberOf),
    termOf: (number) => terms[number] as string,
  };
}

function hashOf(text: string, from: number, to: number, seed: number): number {
  let value = seed;
  for (let at = from; at < to; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

function freeSlot(slots: Int32Array, hash: number): number {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== -1) slot = (slot + 1) & mask;
  return slot;
}
