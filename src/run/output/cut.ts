export interface Cut {
  readonly text: string;
  /** Number of characters that are missing. */
  readonly missing: number;
}

export type Kept = 'head' | 'tail' | 'middle';

/** Cuts a text to so many characters, however they are counted: no more units, so no more of anything made of them. */
export function cutTo(text: string, most: number, kept: Kept): Cut {
  if (text.length <= most) return { text, missing: 0 };
  const longest = remark(text.length).length + 2;
  // A remark in the text is worth its place only where it leaves most of it to the text.
  const isRemarked = most >= 4 * longest;
  const room = isRemarked ? most - longest : most;
  const [before, after] = ends(text, room, kept);
  const missing = text.length - before.length - after.length;
  if (!isRemarked) return { text: before + after, missing };
  const parts = [before, remark(missing), after].filter((part) => part !== '');
  return { text: parts.join('\n'), missing };
}

function remark(missing: number): string {
  return `[… ${missing} characters left out …]`;
}

function ends(text: string, room: number, kept: Kept): [string, string] {
  const whole = findPlaces(text);
  const forHead = kept === 'head' ? room : kept === 'tail' ? 0 : Math.ceil(room / 2);
  const head = text.slice(0, whole(forHead, 'before'));
  const from = text.length - (room - forHead);
  return [head, kept === 'head' ? '' : text.slice(whole(from, 'after'))];
}

type Side = 'before' | 'after';

/** Most rounds to find a place; no text of this world is so entangled. */
const mostRounds = 64;

/**
 * Makes a function that finds the place nearest to another at which nothing is cut in half: no character, and no escape
 * sequence.
 */
function findPlaces(text: string): (at: number, side: Side) => number {
  const outOf = (at: number, side: Side, from: number, to: number): number =>
    from < at && at < to ? (side === 'before' ? from : to) : at;
  return (start, side) => {
    let at = start;
    for (let round = 0; round < mostRounds; round++) {
      if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length);
      const whole = outOf(at, side, ...characterAround(text, at));
      const [first, last] = spanAround(text, whole);
      const next = outOf(whole, side, first, last);
      if (next === at) return at;
      at = next;
    }
    return side === 'before' ? 0 : text.length;
  };
}

const segmenter = new Intl.Segmenter('en');

/** The beginning and the end of the character that a place is in. Of a long text, only what is near is examined. */
function characterAround(text: string, at: number): [number, number] {
  let [from, to] = [at, at];
  while (from > 0 && !isBetweenPlain(text, from)) from--;
  while (to < text.length && (to === at || !isBetweenPlain(text, to))) to++;
  const character = segmenter.segment(text.slice(from, to)).containing(at - from);
  const start = from + (character?.index ?? at - from);
  return [start, start + (character?.segment.length ?? 0)];
}

/** Whether a place is between two of the characters of ASCII, which are never parts of another. */
function isBetweenPlain(text: string, at: number): boolean {
  return isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at));
}

function isPlain(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}

/**
 * Characters of the longest escape that is looked for on either side: two halves of a character in JSON. Those of
 * terminals are shorter.
 */
const reach = 32;

/**
 * Sequences that stand for something else as a whole: `\n`, `\u00e9`, two such halves of one character, a colour of a
 * terminal.
 */
const sequence =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[^[]/g;

/** The beginning and the end of the escape sequence that a place is inside of; the place itself if there is none. */
function spanAround(text: string, at: number): [number, number] {
  const start = beginning(text, Math.max(0, at - reach));
  for (const found of text.slice(start, at + reach).matchAll(sequence)) {
    const from = start + found.index;
    const to = from + found[0].length;
    if (from >= at) break;
    if (to > at) return [from, to];
  }
  return [at, at];
}

/** A place near this one that is not behind half a pair of backslashes. */
function beginning(text: string, at: number): number {
  let run = at;
  while (run > 0 && text[run - 1] === '\\') run--;
  return at - ((at - run) % 2);
}
