import { byText, fold } from '../kernel/text.ts';

/** Names near the one asked for, best first. */
export function suggest(asked: string, names: Iterable<string>, most = 5): string[] {
  const wanted = fold(asked).slice(0, 128);
  const tail = wanted.slice(wanted.lastIndexOf(':') + 1);
  const scored = new Map<string, number>();
  for (const name of names) {
    const folded = fold(name);
    const short = folded.slice(folded.lastIndexOf(':') + 1);
    const score = Math.min(nearness(wanted, folded), nearness(tail, short) + 0.25);
    if (score < Number.POSITIVE_INFINITY) scored.set(name, Math.min(score, scored.get(name) ?? score));
  }
  return [...scored]
    .sort(([a, x], [b, y]) => x - y || byText(a, b))
    .slice(0, most)
    .map(([name]) => name);
}

/** Lower is nearer: first typing slips, then names that hold the words asked for. */
function nearness(asked: string, name: string): number {
  if (asked === '' || name === '') return Number.POSITIVE_INFINITY;
  return Math.min(slipsBetween(asked, name), wordsBetween(asked, name));
}

function slipsBetween(asked: string, name: string): number {
  const allowed = asked.length <= 2 ? 1 : asked.length <= 5 ? 2 : 3;
  if (Math.abs(asked.length - name.length) > allowed) return Number.POSITIVE_INFINITY;
  const slips = editDistance(asked, name, allowed);
  if (slips > allowed || !isAlike(asked, name, slips)) return Number.POSITIVE_INFINITY;
  return slips - (isTypingSlip(asked, name) ? 0.5 : 0);
}

function wordsBetween(asked: string, name: string): number {
  if (asked.length >= 3 && name.includes(asked)) return 4 + name.length / 1000;
  if (name.length >= 3 && asked.includes(name)) return 5 + asked.length / 1000;
  const parts = asked.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= 3);
  const shared = parts.filter((part) => name.includes(part)).length;
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
