import { count, grouped } from '../../core/text/text.ts';
import { cutTo } from './cut.ts';
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
