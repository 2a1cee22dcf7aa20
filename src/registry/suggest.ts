import { byText, fold } from '../kernel/text.ts';

/** Names near the one asked for, best first. */
export function suggest(asked: string, names: Iterable<string>, most = 5): string[] {
  const wanted = fold(asked).slice(0, 128);
  const tail = tailOf(wanted);
  const [whole, end] = [createRuler(wanted), createRuler(tail)];
  const best: Scored[] = [];
  for (const name of names) {
    const folded = fold(name);
    const short = tailOf(folded);
    const isPlain = tail === wanted && short === folded; // then the second look would see what the first one saw
    const score = Math.min(nearness(whole, folded), isPlain ? Number.POSITIVE_INFINITY : nearness(end, short) + 0.25);
    if (score < Number.POSITIVE_INFINITY) keepBest(best, { name, score }, most);
  }
  return best.map(({ name }) => name);
}

interface Scored {
  readonly name: string;
  readonly score: number;
}

/** Among ten thousand names thousands may share a word with the one asked for: only the few best are put in order. */
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

/** What is asked for, ready to be compared with very many names. */
interface Ruler {
  readonly asked: string;
  readonly parts: readonly string[];
  /** How many slips are still the same word. */
  readonly allowed: number;
  /** How often each letter occurs. */
  readonly letters: Int16Array;
}

function createRuler(asked: string): Ruler {
  const letters = new Int16Array(letterKinds);
  for (let at = 0; at < asked.length; at++) tally(letters, asked, at, 1);
  const parts = asked.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= 3);
  return { asked, parts, allowed: asked.length <= 2 ? 1 : asked.length <= 5 ? 2 : 3, letters };
}

/** Lower is nearer: first typing slips, then names that hold the words asked for. */
function nearness(ruler: Ruler, name: string): number {
  if (ruler.asked === '' || name === '') return Number.POSITIVE_INFINITY;
  return Math.min(slipsBetween(ruler, name), wordsBetween(ruler, name));
}

function slipsBetween(ruler: Ruler, name: string): number {
  const { asked, allowed } = ruler;
  if (Math.abs(asked.length - name.length) > allowed) return Number.POSITIVE_INFINITY;
  if (strayLetters(ruler, name) > allowed) return Number.POSITIVE_INFINITY;
  const slips = editDistance(asked, name, allowed);
  if (slips > allowed || !isAlike(asked, name, slips)) return Number.POSITIVE_INFINITY;
  return slips - (isTypingSlip(asked, name) ? 0.5 : 0);
}

/** Kinds of letters told apart when counting: a few share one, which makes the count too small, never too large. */
const letterKinds = 64;

/** Adds to the count of one letter, and tells what it comes to. */
function tally(letters: Int16Array, text: string, at: number, by: 1 | -1): number {
  const kind = text.charCodeAt(at) % letterKinds;
  const count = (letters[kind] ?? 0) + by;
  letters[kind] = count;
  return count;
}

/** Letters of the name that the one asked for does not have: each takes a slip, and counting them is quick. */
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

/** Whether enough is left of the one in the other; of two letters, one. */
function isAlike(asked: string, name: string, slips: number): boolean {
  const longest = Math.max(asked.length, name.length);
  return longest > 2 ? slips < longest - 1 : Array.from(name).some((letter) => asked.includes(letter));
}

/** Letters swapped, doubled or left out are what fingers do; another letter is more often another word. */
function isTypingSlip(asked: string, name: string): boolean {
  const sorted = (text: string): string => Array.from(text).sort(byText).join('');
  return asked.length !== name.length || sorted(asked) === sorted(name);
}

/** Insertions, deletions, changes and swaps of neighbours; gives up above the limit. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow(a, b, i, last, beforeLast);
    if (Math.min(...row) > limit) return limit + 1;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** The distances of the first `i` letters of `a` to every beginning of `b`, from the two rows before. */
function nextRow(a: string, b: string, i: number, last: readonly number[], beforeLast: readonly number[]): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j++) {
    const change = a[i - 1] === b[j - 1] ? 0 : 1;
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
    row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change, swapped));
  }
  return row;
}
