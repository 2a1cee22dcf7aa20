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

/** A piece of a column: where it begins below the top of the chart, and how tall it is. */
interface Piece {
  readonly y: number;
  readonly height: number;
}

/** Whatever is there is at least so tall, so that one denial among thousands of runs is seen. */
const least = 2;

/** Values on top of each other, the first at the bottom, in a chart of this height that reaches up to `top`. */
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
  // The tallest gives what the smallest were given, so that nothing stands out of the chart.
  const tallest = tall.indexOf(Math.max(...tall));
  return tall.map((one, place) => (place === tallest ? Math.max(0, one - over) : one));
}

/** A column of a chart of so many, from its left edge, in percent of the chart's width. */
export function columnOf(place: number, count: number): { readonly x: number; readonly width: number } {
  const room = 100 / Math.max(1, count);
  // One or two columns would be blocks rather than bars.
  const width = Math.min(room * 0.8, 12);
  return { x: place * room + (room - width) / 2, width };
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Where and in which language times are read; the browser's own, unless said. */
interface Place {
  readonly locale?: string;
  readonly timeZone?: string;
}

const dayMs = 86_400_000;
const day = { day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;

/** Days are counted as the server does, by universal time: a day of elsewhere would be parts of two of them. */
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
  /** The bucket it stands below. */
  readonly at: number;
  readonly text: string;
  /** The higher, the sooner it is left out where there is little room. */
  readonly rank: 0 | 1 | 2;
}

/** What to write below the buckets: few enough to be read, days where there are several, and times otherwise. */
export function axisLabels(froms: readonly string[], bucketMs: number, most = 8, reader: Place = {}): AxisLabel[] {
  const place = placeFor(bucketMs, reader);
  const isLong = froms.length * bucketMs > 1.5 * dayMs;
  const texts = froms.map((from) => written(new Date(from), isLong ? day : clock, place));
  // Several buckets of a day share one label, below the first that is whole of that day.
  const firsts = texts.flatMap((text, at) => (at > 0 && text === texts[at - 1] ? [] : [at]));
  const places = isLong && bucketMs < dayMs ? firsts.slice(1) : firsts;
  const every = Math.max(1, Math.ceil(places.length / most));
  const kept = places.filter((_, index) => index % every === 0);
  return kept.map((at, index) => ({ at, text: texts[at] ?? '', rank: rankOf(index) }));
}

/** Half of them can go, and half of the rest. */
function rankOf(index: number): AxisLabel['rank'] {
  if (index % 2 === 1) return 2;
  return index % 4 === 2 ? 1 : 0;
}

function written(date: Date, options: Intl.DateTimeFormatOptions, { locale, timeZone }: Place): string {
  return date.toLocaleString(locale, timeZone === undefined ? options : { ...options, timeZone });
}
