const rounds = [1, 2, 5, 10] as const;

/** Round numbers from 0 to at least the most there is, evenly apart: where the lines of a chart of counts stand. */
export function ticksUpTo(most: number, lines = 4): readonly number[] {
  const top = Number.isFinite(most) ? Math.max(1, most) : 1;
  const step = roundUp(top / lines);
  const count = Math.ceil(top / step);
  return Array.from({ length: count + 1 }, (_, place) => place * step);
}

/** The next number that is 1, 2 or 5 with zeros behind it; nothing less than 1, since half a run is none. */
function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (rounds.find((round) => round * power >= value) ?? 10) * power;
}

/** How much of the most a value is, in percent. What is there at all can be seen. */
export function shareOf(value: number, most: number, least = 1): number {
  if (!(value > 0) || !(most > 0)) return 0;
  return Math.min(100, Math.max(least, (value / most) * 100));
}

/** Many fit into little room: `950`, `12k`, `3.4M`. */
export function shortNumber(value: number): string {
  return value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 });
}
