import { byText, fold } from './text.ts';

/** Names near the requested one, best first. */
export function suggest(asked: string, names: Iterable<string>, most = 5): string[] {
  const wanted = fold(asked).slice(0, 128);
  const tail = tailOf(wanted);
  const [whole, end] = [createRuler(wanted), createRuler(tail)];
  const best: Scored[] = [];
  for (const name of names) {
    const folded = fold(name);
    const short = tailOf(folded);
    const isPlain = tail === wanted && short === folded; // the second comparison would then see what the first one saw
    const score = Math.min(nearness(whole, folded), isPlain ? Number.POSITIVE_INFINITY : nearness(end, short) + 0.25);
    if (score < Number.POSITIVE_INFINITY) keepBest(best, { name, score }, most);
  }
  return best.map(({ name }) => name);
}

interface Scored {
  readonly name: string;
  readonly score: number;
}

/** Keeps only the few best in order: among ten thousand names thousands may share a word with the requested one. */
function keepBest(best: Scored[], one: Scored, most: number): void {
  const isBefore = (other: Scored): boolean => (one.score - other.score || byText(one.name, other.name)) < 0;
  const last = best[most - 1];
  if ((last !== undefined && !isBefore(last)) || best.some(({ name }) => name === one.name)) return;
  const at = best.findIndex(isBefore);
  best.splice(at === -1 ? best.length : at, 0, one);
  best.length = Math.min(best.length, most);
}

function tailOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** A requested name, prepared for comparison with very many names. */
interface Ruler {
  readonly asked: string;
  readonly parts: readonly string[];
  /** Number of typing errors up to which it is still the same word. */
  readonly allowed: number;
  /** Number of times each letter occurs. */
  readonly letters: Int16Array;
}

function createRuler(asked: string): Ruler {
  const letters = new Int16Array(letterKinds);
  for (let at = 0; at < asked.length; at++) tally(letters, asked, at, 1);
  const parts = asked.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= 3);
  return { asked, parts, allowed: asked.length <= 2 ? 1 : asked.length <= 5 ? 2 : 3, letters };
}

/** The distance of a name, lower being nearer: first typing errors, then names that contain the requested words. */
function nearness(ruler: Ruler, name: string): number {
  if (ruler.asked === '' || name === '') return Number.POSITIVE_INFINITY;
  return Math.min(typosBetween(ruler, name), wordsBetween(ruler, name));
}

function typosBetween(ruler: Ruler, name: string): number {
  const { asked, allowed } = ruler;
  if (Math.abs(asked.length - name.length) > allowed) return Number.POSITIVE_INFINITY;
  if (strayLetters(ruler, name) > allowed) return Number.POSITIVE_INFINITY;
  const typos = errorsBetween(asked, name, allowed);
  if (typos > allowed || !isAlike(asked, name, typos)) return Number.POSITIVE_INFINITY;
  return typos - (isTypingSlip(asked, name) ? 0.5 : 0);
}

/** Number of letter counters. A few letters share one, which makes the count too small, never too large. */
const letterKinds = 64;

/** Adds to the count of one letter and returns the sum. */
function tally(letters: Int16Array, text: string, at: number, by: 1 | -1): number {
  const kind = text.charCodeAt(at) % letterKinds;
  const count = (letters[kind] ?? 0) + by;
  letters[kind] = count;
  return count;
}

/**
 * Number of letters of the name that the requested one does not have: each costs an error, and counting them is quick.
 */
function strayLetters({ letters }: Ruler, name: string): number {
  let stray = 0;
  for (let at = 0; at < name.length; at++) if (tally(letters, name, at, -1) < 0) stray++;
  for (let at = 0; at < name.length; at++) tally(letters, name, at, 1);
  return stray;
}

function wordsBetween({ asked, parts }: Ruler, name: string): number {
  if (asked.length >= 3 && name.includes(asked)) return 4 + name.length / 1000;
  if (name.length >= 3 && asked.includes(name)) return 5 + asked.length / 1000;
  let shared = 0;
  for (const part of parts) if (name.includes(part)) shared++;
  return shared > 0 ? 7 - shared / parts.length : Number.POSITIVE_INFINITY;
}

/** Tells whether enough of the one is left in the other; of two letters, one. */
function isAlike(asked: string, name: string, typos: number): boolean {
  const longest = Math.max(asked.length, name.length);
  return longest > 2 ? typos < longest - 1 : Array.from(name).some((letter) => asked.includes(letter));
}

/**
 * Tells whether letters were swapped, doubled or left out, as fingers do; a different letter is more often a different
 * word.
 */
function isTypingSlip(asked: string, name: string): boolean {
  const sorted = (text: string): string => Array.from(text).sort(byText).join('');
  return asked.length !== name.length || sorted(asked) === sorted(name);
}

/** The known word that a mistyped one most likely means; null where none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const wanted = bare(word);
  let best: string | null = null;
  let least = Math.max(1, Math.min(3, Math.floor(wanted.length / 3))) + 0.5;
  for (const one of known) {
    const other = bare(one);
    const holds = wanted.length >= 4 && other.length >= 4 && (other.includes(wanted) || wanted.includes(other));
    const away = holds ? Math.min(1.5, errorsBetween(wanted, other, 3)) : errorsBetween(wanted, other, 3);
    if (away < least) [best, least] = [one, away];
  }
  return best;
}

/** The word without case, hyphens and underscores, which people get wrong most. */
function bare(word: string): string {
  return fold(word.slice(0, 64)).replace(/[-_\s]/g, '');
}

/**
 * Width of the table's three rows, which are reused for every pair of words: a search compares thousands for one query.
 */
const widest = 192;
let [before, last, now] = [new Uint8Array(widest), new Uint8Array(widest), new Uint8Array(widest)];

/**
 * Number of typing errors between two words, a swap of two letters counted as one; anything above `most` where there
 * are more.
 */
export function errorsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || b.length >= widest) return a === b ? 0 : most + 1;
  for (let column = 0; column <= b.length; column++) last[column] = column;
  for (let row = 1; row <= a.length; row++) {
    if (nextRow(a, b, row) > most) return most + 1;
    [before, last, now] = [last, now, before];
  }
  return last[b.length] as number;
}

/** Fills one row of the table and returns the smallest value in it. */
function nextRow(a: string, b: string, row: number): number {
  const letter = a.charCodeAt(row - 1);
  const earlier = row > 1 ? a.charCodeAt(row - 2) : -1;
  let least = row;
  now[0] = row;
  for (let column = 1; column <= b.length; column++) {
    const other = b.charCodeAt(column - 1);
    let errors = (last[column - 1] as number) + (letter === other ? 0 : 1);
    errors = Math.min(errors, (last[column] as number) + 1, (now[column - 1] as number) + 1);
    const isSwapped = column > 1 && earlier === other && letter === b.charCodeAt(column - 2);
    if (isSwapped) errors = Math.min(errors, (before[column - 2] as number) + 1);
    now[column] = errors;
    if (errors < least) least = errors;
  }
  return least;
}
