import { writeText } from '../index/bytes.ts';
import type { Table } from './table.ts';

const [firstLetter, lastLetter] = [0x61, 0x7a];
/** Words that may be typing errors: shorter ones are too near to too many others. */
const plainWord = /^[a-z]{5,24}$/;

/** Buffer for one spelling after another. */
const spelling = Buffer.alloc(32);

/**
 * The word that another one is most likely a slip of: the commonest in the table that is one error away, but not in its
 * first letter, which hardly anybody gets wrong. `undefined` for a word that the table knows, or that is near to none.
 */
export function correction(table: Pick<Table, 'placeOf' | 'placeOfBytes'>, written: string): string | undefined {
  const word = written.toLowerCase();
  if (!plainWord.test(word) || table.placeOf(word) !== -1) return undefined;
  let best = Number.POSITIVE_INFINITY;
  let meant: string | undefined;

  function check(length: number): void {
    const place = table.placeOfBytes(spelling, length);
    if (place === -1 || place >= best) return;
    best = place;
    meant = spelling.toString('latin1', 0, length);
  }

  /** Checks a spelling with every letter at a place. */
  function checkLetters(text: string, at: number): void {
    const length = writeText(spelling, text);
    for (let letter = firstLetter; letter <= lastLetter; letter++) {
      spelling[at] = letter;
      check(length);
    }
  }

  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    checkLetters(`${before}?${word.slice(at)}`, at);
    if (at === word.length) break;
    checkLetters(word, at);
    check(writeText(spelling, before + after));
    if (at > 1) check(writeText(spelling, before.slice(0, -1) + word[at] + before.at(-1) + after));
  }
  return meant;
}
