import { isAscii } from '../../core/text/text.ts';
import { pieceEnd } from './folded.ts';
import { withRoom } from './numbers.ts';

/** Classes of characters: nothing, a letter in one of its forms, or an ideograph for a word or half of one. */
const nothing = 1;
const small = 2;
const capital = 3;
const caseless = 4;
const ideograph = 5;

/** Cache of classes, filled as characters turn up: nearly every text is made of the same few hundred. */
const classes = new Uint8Array(0x10000);
const isIdeograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const isCapital = /[\p{Lu}\p{Lt}]/u;
const isSmall = /[\p{Ll}\p{N}]/u;
const isCaseless = /[\p{L}\p{M}]/u;

function classify(character: string): number {
  if (isIdeograph.test(character)) return ideograph;
  if (isCapital.test(character)) return capital;
  if (isSmall.test(character)) return small;
  return isCaseless.test(character) ? caseless : nothing;
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return (classes[code] as number) || classOf(text, at, code);
}

function classOf(text: string, at: number, code: number): number {
  const point = text.codePointAt(at) as number;
  // Beyond the first plane a character takes two units; the second one alone gets the class of the first.
  if (point > 0xffff) return classify(String.fromCodePoint(point));
  if (code >= 0xd800 && code <= 0xdfff) {
    const whole = at > 0 ? (text.codePointAt(at - 1) as number) : 0;
    return whole > 0xffff ? classify(String.fromCodePoint(whole)) : nothing;
  }
  classes[code] = classify(text[at] as string);
  return classes[code] as number;
}

/** Tells whether a text begins with a character of Chinese or Japanese. */
export function beginsWithIdeograph(text: string): boolean {
  return text !== '' && classAt(text, 0) === ideograph;
}

/**
 * The runs of a text and its code units; valid until the next text. Lists of numbers and no calls for each run: there
 * are millions in a collection.
 */
export interface Runs {
  readonly units: Uint16Array;
  readonly count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly kinds: Uint8Array;
}

/** Kinds of runs: letters and digits in a row, and those with a capital behind a small letter somewhere inside. */
export const [wordRun, humpRun] = [0, 1];
/** Kind of a run of Chinese or Japanese characters, which have no blanks between words. */
export const signsRun = 2;

let room = new Uint16Array(1 << 16);
let roomBytes = Buffer.from(room.buffer);

/**
 * The code units of a text, valid until the next call. To read them from memory takes a fraction of asking a string for
 * each: there are tens of millions in a collection.
 */
export function unitsOf(text: string): Uint16Array {
  if (text.length > room.length) {
    room = new Uint16Array(2 ** Math.ceil(Math.log2(text.length)));
    roomBytes = Buffer.from(room.buffer);
  }
  roomBytes.write(text, 'utf16le');
  return room;
}

export function textOf(units: Uint16Array, from: number, to: number): string {
  // Three times as fast as spreading, which asks an iterator for each unit.
  return String.fromCharCode.apply(null, units.subarray(from, to) as unknown as number[]);
}

/** The end of the character that begins at a place of some units. */
export function signEnd(units: Uint16Array, at: number): number {
  const unit = units[at] as number;
  return at + (unit >= 0xd800 && unit <= 0xdbff ? 2 : 1);
}

let starts = new Int32Array(1 << 14);
let ends = new Int32Array(1 << 14);
let kinds = new Uint8Array(1 << 14);

/** Splits a text, which must be in the form NFKC, into runs, or the first ones; `c++` and `c#` are words as well. */
export function runsIn(text: string, most = Number.POSITIVE_INFINITY): Runs {
  const { length } = text;
  const units = unitsOf(text);
  let [at, count] = [0, 0];
  while (at < length && count < most) {
    const first = classIn(text, units, at);
    if (first === nothing) {
      at++;
      continue;
    }
    if (count === kinds.length) makeRoom();
    starts[count] = at;
    at = first === ideograph ? signsEnd(text, units, at, count) : wordEnd(text, units, at, first, count);
    ends[count++] = at;
  }
  return { units, count, starts, ends, kinds };
}

/** The end of a CJK run; records its kind. */
function signsEnd(text: string, units: Uint16Array, from: number, run: number): number {
  const { length } = text;
  let at = from + 1;
  while (at < length && classIn(text, units, at) === ideograph) at++;
  kinds[run] = signsRun;
  return at;
}

/** The end of a word; records its kind. */
function wordEnd(text: string, units: Uint16Array, from: number, first: number, run: number): number {
  const { length } = text;
  let at = from + 1;
  let kind = wordRun;
  for (let before = first; at < length; at++) {
    const now = classIn(text, units, at);
    if (now === nothing || now === ideograph) break;
    if (now === capital && before === small) kind = humpRun;
    before = now;
  }
  kinds[run] = kind;
  if (at + 1 < length && units[at] === plus && units[at + 1] === plus) return at + 2;
  return at < length && units[at] === hash ? at + 1 : at;
}

function makeRoom(): void {
  const size = kinds.length * 2;
  starts = withRoom(starts, new Int32Array(size));
  ends = withRoom(ends, new Int32Array(size));
  kinds = withRoom(kinds, new Uint8Array(size));
}

function classIn(text: string, units: Uint16Array, at: number): number {
  const code = units[at] as number;
  return (classes[code] as number) || classOf(text, at, code);
}

const [plus, hash] = [0x2b, 0x23];

/** The beginning of a word, of at most this number of units, and never half a character at its end. */
export function beginningOf(word: string, most: number): string {
  if (word.length <= most) return word;
  const code = word.charCodeAt(most);
  return word.slice(0, code >= 0xdc00 && code <= 0xdfff ? most - 1 : most);
}

/** Splits a word at each capital that follows a small letter or a digit. */
export function humpsOf(word: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 1; at < word.length; at++) {
    if (classAt(word, at) !== capital || classAt(word, at - 1) !== small) continue;
    parts.push(word.slice(from, at));
    from = at;
  }
  parts.push(word.slice(from));
  return parts;
}

const marks = /[\u0300-\u036f]/g;

/** Strips case and diacritics from a word. */
export function plainWord(word: string): string {
  const lower = word.toLowerCase();
  return isAscii(lower) ? lower : lower.normalize('NFD').replace(marks, '').normalize('NFC');
}

/** Normalises what looks alike: full-width letters, ligatures, half-width kana. In pieces, as folding is. */
export function compatible(text: string): string {
  if (isAscii(text)) return text;
  const whole = text.toWellFormed();
  let made = '';
  for (let [from, to] = [0, 0]; from < whole.length; from = to) {
    to = pieceEnd(whole, from);
    made += whole.slice(from, to).normalize('NFKC');
  }
  return made;
}
