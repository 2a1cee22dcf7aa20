import { count, grouped } from '../../core/text/text.ts';
import { format, hasLargeNumber, isNestedTooDeeply, withoutLoneSurrogates } from './format.ts';
import type { Jq } from './jq.ts';
import { grep, linesOf, type Prepared, prepareLines } from './lines.ts';
import type { Shaping } from './types.ts';

/** Output, and the shaping to apply to it. */
export interface ShapeCall {
  readonly output: string;
  readonly shaping: Shaping;
  /** The form in which the tool says that it prints. */
  readonly form: 'text' | 'json';
}

export interface ShapedText {
  readonly text: string;
  /** The text as JSON that can be read, where it is JSON. */
  readonly json?: string | undefined;
  readonly notes: readonly string[];
}

/** The means to shape a text, which are not the same on every thread. */
export interface Means {
  readonly jq: Jq;
  /** Does work that might take for ever, for as long as it is allowed to. */
  readonly bounded: <T>(work: () => T) => T;
}

/**
 * Characters of the longest text that is read as a value. Data is read and written where everybody waits: a mebibyte of
 * `[],[],…` would keep them for a tenth of a second.
 */
const longestValue = 250_000;

/** Cuts output down to what was asked for, and notes what was left out. */
export function shapeText({ output, shaping, form }: ShapeCall, { jq, bounded }: Means): ShapedText {
  const prepared = prepareLines(shaping);
  const { text, notes } =
    prepared.pattern === null ? chooseLines(output, prepared) : bounded(() => chooseLines(output, prepared));
  const whole: Jq = (filter, input) => jq(filter, withoutLoneSurrogates(input));
  const formatted = format(
    shaping.jq === undefined ? { kind: 'text', text } : { kind: 'values', values: whole(shaping.jq, text) },
    shaping.format,
    whole,
  );
  const cut = cutTo(formatted.text, shaping.maxOutput ?? Number.POSITIVE_INFINITY, shaping.truncate ?? 'middle');
  const isWhole = cut.missing === 0 && cut.text.length <= longestValue;
  const json = isWhole ? (formatted.json ?? (form === 'json' ? jsonIn(cut.text) : undefined)) : undefined;
  const further: readonly (readonly [string | undefined, boolean])[] = [
    [formatted.note, true],
    [roundedNumbers, json !== undefined && hasLargeNumber(json)],
    [replacedSurrogates, (json ?? shaping.jq) !== undefined && withoutLoneSurrogates(text) !== text],
    [leftOut(cut.missing, formatted.text.length, shaping), cut.missing > 0],
  ];
  return {
    text: cut.text,
    json: json === undefined || isNestedTooDeeply(json) ? undefined : json,
    notes: [...notes, ...further.flatMap(([note, isSo]) => (isSo && note !== undefined ? [note] : []))],
  };
}

/** The text, if it is one JSON value. */
function jsonIn(text: string): string | undefined {
  if (isNestedTooDeeply(text)) return undefined;
  try {
    JSON.parse(text);
    return withoutLoneSurrogates(text);
  } catch {
    return undefined;
  }
}

const roundedNumbers = 'Some numbers are too large for a program to read exactly: take them from the text.';
const replacedSurrogates = 'Halves of characters, such as \\ud800, are read as \ufffd.';

const parts = { head: 'at the end', tail: 'at the beginning', middle: 'in the middle' } as const;

function leftOut(missing: number, all: number, { truncate = 'middle' }: Shaping): string {
  const what = `${grouped(missing)} of ${count(all, 'character')} were left out ${parts[truncate]}`;
  return `${what}: ask for more with max_output, or for less with grep, head, tail or jq.`;
}

interface Chosen {
  readonly text: string;
  readonly notes: readonly string[];
}

function chooseLines(text: string, { shaping, pattern }: Prepared): Chosen {
  const { head, tail } = shaping;
  if (pattern === null && head === undefined && tail === undefined) return { text, notes: [] };
  const all = linesOf(text);
  const matching = pattern === null ? all : grep(all, pattern, shaping.grepInvert === true ? 'others' : 'matching');
  const first = head === undefined ? matching : matching.slice(0, head);
  const last = tail === undefined ? first : first.slice(Math.max(0, first.length - tail));
  return {
    text: last.length === all.length ? text : last.join(''),
    notes: [...note('grep', matching, all), ...note('head', first, matching), ...note('tail', last, first)],
  };
}

function note(name: string, kept: readonly string[], from: readonly string[]): string[] {
  return kept.length === from.length ? [] : [`${name} kept ${grouped(kept.length)} of ${count(from.length, 'line')}.`];
}

interface Cut {
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
