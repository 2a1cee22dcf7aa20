import { fold } from '../kernel/text.ts';

/** The one of some known words that a mistyped one is most likely to mean; null where none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const wanted = bare(word);
  let best: string | null = null;
  let least = Math.min(3, Math.floor(wanted.length / 3) + 1) + 0.5;
  for (const one of known) {
    const other = bare(one);
    const holds = wanted.length >= 4 && other.length >= 4 && (other.includes(wanted) || wanted.includes(other));
    const away = holds ? Math.min(1.5, slips(wanted, other)) : slips(wanted, other);
    if (away < least) [best, least] = [one, away];
  }
  return best;
}

/** Case, hyphens and underlines are what people get wrong most. */
function bare(word: string): string {
  return fold(word.slice(0, 64)).replace(/[-_\s]/g, '');
}

/** Letters to add, take away or change. */
function slips(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    last = row;
  }
  return last[b.length] ?? 0;
}
