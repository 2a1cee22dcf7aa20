const rounds = [1, 2, 5, 10] as const;

/** Round numbers from 0 to at least the maximum, evenly spaced: the grid lines of a chart of counts. */
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

/** The share of a value in the maximum, in percent. Any value above zero stays visible. */
export function shareOf(value: number, most: number, least = 1): number {
  if (!(value > 0) || !(most > 0)) return 0;
  return Math.min(100, Math.max(least, (value / most) * 100));
}

/** Formats a number briefly: `950`, `12k`, `3.4M`. */
export function shortNumber(value: number): string {
  return value.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 });
}

/** A piece of a column: its start below the top of the chart, and its height. */
interface Piece {
  readonly y: number;
  readonly height: number;
}

/** The least height of a piece, so that one denial among thousands of runs is seen. */
const least = 2;

/** Stacks values, the first at the bottom, in a chart of this height that reaches up to `top`. */
export function stackOf(values: readonly number[], top: number, height: number): readonly Piece[] {
  const tall = heightsOf(values, top, height);
  let y = height;
  return tall.map((one) => {
    y -= one;
    return { y, height: one };
  });
}

function heightsOf(values: readonly number[], top: number, height: number): readonly number[] {
  const tall = values.map((value) => (value > 0 && top > 0 ? Math.max(least, (value / top) * height) : 0));
  const over = sumOf(tall) - height;
  if (over <= 0) return tall;
  // The tallest gives up the height that was added to the smallest, so that nothing sticks out of the chart.
  const tallest = tall.indexOf(Math.max(...tall));
  return tall.map((one, place) => (place === tallest ? Math.max(0, one - over) : one));
}

/** The position of a column in a chart of `count` columns, in percent of the chart's width from its left edge. */
export function columnOf(place: number, count: number): { readonly x: number; readonly width: number } {
  const room = 100 / Math.max(1, count);
  // One or two columns would be blocks rather than bars.
  const width = Math.min(room * 0.8, 12);
  return { x: place * room + (room - width) / 2, width };
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Time zone and language of the reader; the browser's own by default. */
interface Place {
  readonly locale?: string;
  readonly timeZone?: string;
}

const dayMs = 86_400_000;
const day = { day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;

/**
 * The place for a bucket size. Days are counted in UTC, as the server does: a local day would be parts of two of them.
 */
function placeFor(bucketMs: number, place: Place): Place {
  return bucketMs >= dayMs ? { ...place, timeZone: 'UTC' } : place;
}

/** The time that a bucket covers: `15 Nov (UTC)`, or `15 Nov, 13:00 – 14:00`. */
export function bucketLabel(from: string, bucketMs: number, reader: Place = {}): string {
  const place = placeFor(bucketMs, reader);
  const start = new Date(from);
  const date = written(start, day, place);
  if (bucketMs >= dayMs) {
    const last = written(new Date(start.getTime() + bucketMs - 1), day, place);
    return last === date ? `${date} (UTC)` : `${date} – ${last} (UTC)`;
  }
  const end = new Date(start.getTime() + bucketMs);
  return `${date}, ${written(start, clock, place)} – ${written(end, clock, place)}`;
}

export interface AxisLabel {
  /** The bucket that the label stands below. */
  readonly at: number;
  readonly text: string;
  /** Rank; the higher, the sooner the label is left out where there is little room. */
  readonly rank: 0 | 1 | 2;
}

/** Labels below the buckets: few enough to be read, days where there are several, and times otherwise. */
export function axisLabels(froms: readonly string[], bucketMs: number, most = 8, reader: Place = {}): AxisLabel[] {
  const place = placeFor(bucketMs, reader);
  const isLong = froms.length * bucketMs > 1.5 * dayMs;
  const texts = froms.map((from) => written(new Date(from), isLong ? day : clock, place));
  // Several buckets of a day share one label, below the first that is wholly of that day.
  const firsts = texts.flatMap((text, at) => (at > 0 && text === texts[at - 1] ? [] : [at]));
  const places = isLong && bucketMs < dayMs ? firsts.slice(1) : firsts;
  const every = Math.max(1, Math.ceil(places.length / most));
  const kept = places.filter((_, index) => index % every === 0);
  return kept.map((at, index) => ({ at, text: texts[at] ?? '', rank: rankOf(index) }));
}

/** The rank of a label, such that half of them can go, and half of the rest. */
function rankOf(index: number): AxisLabel['rank'] {
  if (index % 2 === 1) return 2;
  return index % 4 === 2 ? 1 : 0;
}

function written(date: Date, options: Intl.DateTimeFormatOptions, { locale, timeZone }: Place): string {
  return date.toLocaleString(locale, timeZone === undefined ? options : { ...options, timeZone });
}
