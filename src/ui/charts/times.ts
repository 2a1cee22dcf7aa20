/** Where and in which language times are read; the browser's own, unless said. */
export interface Place {
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
