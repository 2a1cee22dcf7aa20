/** Iterates over characters as a reader sees them, from any place of a text in both directions. */
export interface Characters {
  /** The end of the character that starts at a place. */
  readonly after: (place: number) => number;
  /** The start of the character that the unit before a place belongs to. */
  readonly before: (place: number) => number;
}

/** Code units of the longest character: nobody could see more as one, such as a letter under a thousand marks. */
const longest = 64;

let segmenter: Intl.Segmenter | undefined;

/**
 * Letters of Europe, punctuation, arrows, symbols, kana and ideographs: between two of them a character ends. A
 * segmenter takes long to say so, and is asked only about the rest.
 */
const plain =
  /[\0-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u27bf\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uff01-\uff60]/;
/** Cache by code unit: 0 if not asked yet, 1 for plain ones, 2 for others. */
const kinds = new Uint8Array(0x10000);

function isPlain(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  if (kinds[code] === 0) kinds[code] = plain.test(text[place] as string) ? 1 : 2;
  return kinds[code] === 1;
}

/** Tells whether each unit of a stretch is a character by itself. */
export function areAllPlain(text: string, from: number, to: number): boolean {
  const end = Math.min(to, text.length);
  for (let place = Math.max(0, from); place < end; place++) if (!isPlain(text, place)) return false;
  return true;
}

export function charactersOf(text: string): Characters {
  let segments: Intl.Segments | undefined;
  const segmentAt = (place: number) => {
    segmenter ??= new Intl.Segmenter();
    segments ??= segmenter.segment(text);
    const found = segments.containing(place);
    return found === undefined || found.segment.length > longest ? codePointAt(text, place) : found;
  };
  /** Tells whether a character ends at this place beyond doubt. */
  const isBorder = (place: number) =>
    place <= 0 || place >= text.length || (isPlain(text, place - 1) && isPlain(text, place));
  return {
    after(place) {
      if (place >= text.length) return text.length;
      if (isPlain(text, place) && isBorder(place + 1)) return place + 1;
      const { index, segment } = segmentAt(place);
      return index + segment.length;
    },
    before(place) {
      if (place <= 0) return 0;
      return isPlain(text, place - 1) && isBorder(place - 1) ? place - 1 : segmentAt(place - 1).index;
    },
  };
}

function codePointAt(text: string, place: number): { readonly index: number; readonly segment: string } {
  const index = place > 0 && (text.codePointAt(place - 1) ?? 0) > 0xffff ? place - 1 : place;
  return { index, segment: String.fromCodePoint(text.codePointAt(index) ?? 0) };
}

/**
 * The place, at this one or a little before it, from which characters can be told apart. Flags are pairs of letters, so
 * in a row of them it matters where the row began; everything else falls into place by itself after a few characters.
 */
export function startNear(text: string, place: number): number {
  const start = codePointAt(text, Math.max(0, place)).index;
  let letters = 0;
  while (isFlagLetter(text.codePointAt(start - 2 * letters - 2))) letters++;
  return letters % 2 === 0 ? start : start - 2;
}

function isFlagLetter(code: number | undefined): boolean {
  return code !== undefined && code >= 0x1f1e6 && code <= 0x1f1ff;
}
