import { SkillError } from '../../core/errors.ts';
import { type Jq, NotJson } from './jq.ts';
import { bare, linesOf } from './lines.ts';
import type { OutputFormat } from './types.ts';

/** Output as text, or as the values that a filter has made of it, each as compact JSON. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'values'; readonly values: readonly string[] };

interface Formatted {
  readonly text: string;
  /** The text as compact JSON, where it is one JSON value. */
  readonly json?: string;
  readonly note?: string;
}

type Format = (content: Content, jq: Jq) => Formatted;

const formats: Readonly<Record<OutputFormat | 'none', Format>> = {
  none: (content) => (content.kind === 'text' ? content : stream(content.values, indentedAll(content.values))),
  text: (content) => (content.kind === 'text' ? content : { text: rawAll(content.values).join('\n') }),
  json: (content, jq) => {
    const values = documentsIn(content, jq);
    if (values === null) return { text: textOf(content), note: 'The output is not JSON, and is shown as it is.' };
    const [only] = values;
    const json = values.length === 1 && only !== undefined ? only : `[${values.join(',')}]`;
    return { text: indentedAll([json]).join(), json };
  },
  lines: (content, jq) => {
    const items = itemsIn(content, jq);
    return { text: items === null ? textOf(content) : items.map(onOneLine).join('\n') };
  },
  count: (content, jq) => {
    const text = String(itemsIn(content, jq)?.length ?? linesOf(textOf(content)).length);
    return { text, json: text };
  },
  compact: (content, jq) => {
    const values = documentsIn(content, jq);
    return values === null ? { text: withoutGaps(textOf(content)) } : stream(values, values);
  },
};

export function format(content: Content, wanted: OutputFormat | undefined, jq: Jq): Formatted {
  return formats[wanted ?? 'none'](content, jq);
}

/** Joins values one below the other, each as it is written. */
function stream(values: readonly string[], written: readonly string[]): Formatted {
  const text = written.join('\n');
  const [only] = values;
  return values.length === 1 && only !== undefined ? { text, json: only } : { text };
}

/** The most characters of all values: indentation may make short texts of many levels as long as their square. */
function roomFor(values: readonly string[]): number {
  const all = values.reduce((sum, { length }) => sum + length, 0);
  return Math.min(4_000_000 + 4 * all, 100_000_000);
}

function indentedAll(values: readonly string[], write = indented): readonly string[] {
  let room = roomFor(values);
  return values.map((json) => {
    const text = write(json, room);
    if (text === undefined) throw tooLong();
    room -= text.length;
    return text;
  });
}

/** Writes strings as they are, and other values indented. */
function rawAll(values: readonly string[]): readonly string[] {
  return indentedAll(values, (json, room) => (isText(json) ? raw(json) : indented(json, room)));
}

function tooLong(): SkillError {
  return new SkillError('usage', 'The output would be far too long in this form', {
    hint: 'Ask for less of it with jq, for example with limit(100; …), or count it with format: count',
  });
}

function textOf(content: Content): string {
  return content.kind === 'text' ? content.text : '';
}

function isText(json: string): boolean {
  return json.startsWith('"');
}

function raw(json: string): string {
  return String(JSON.parse(json));
}

function onOneLine(json: string): string {
  return isText(json) && !/\\[nr]/.test(json) ? raw(json) : json;
}

/** The items of a list, or the values if there are several. Null for text that is neither. */
function itemsIn(content: Content, jq: Jq): readonly string[] | null {
  const values = documentsIn(content, jq);
  const [only] = values ?? [];
  if (values?.length !== 1 || only === undefined) return values;
  if (only.startsWith('[')) return jq('.[]', only);
  return content.kind === 'values' ? values : null;
}

/** The JSON documents in a text: one, or lists and objects one after the other. `1 2 3` are words. */
function documentsIn(content: Content, jq: Jq): readonly string[] | null {
  if (content.kind === 'values') return content.values;
  if (!/^\s*[[{"\-\dtfn]/.test(content.text)) return null;
  try {
    const values = jq('.', content.text);
    return values.length === 1 || values.every((json) => /^[[{]/.test(json)) ? values : null;
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

function withoutGaps(text: string): string {
  const lines = linesOf(text).map((line) => bare(line).trimEnd());
  return lines.filter((line) => line !== '').join('\n');
}

/**
 * Yields the tokens of JSON handled as text, which keeps every digit of large numbers and needs no recursion. The texts
 * have been read as JSON before. Scanned by hand, because a regular expression overflows its stack on a long string
 * full of escapes.
 */
function* tokensOf(json: string): Generator<string> {
  for (let at = 0; at < json.length; ) {
    const from = at;
    const first = json[at++] as string;
    if (blanks.has(first)) continue;
    if (first === '"') at = endOfString(json, at);
    else if (pairs.has(json.slice(from, at + 1))) at++;
    else if (!marks.has(first)) while (at < json.length && !ends.has(json[at] as string)) at++;
    yield json.slice(from, at);
  }
}

const blanks = new Set(' \t\r\n');
const marks = new Set('[]{},:');
const ends = new Set([...blanks, ...marks]);
const pairs = new Set(['[]', '{}']);

function endOfString(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * Levels of the deepest text that is written: writers of JSON call themselves for each level, and overflow the stack
 * long before a reader does.
 */
const deepest = 1000;

/** Whether a text is nested so deeply that its value could not be written again. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  for (const mark of tokensOf(json)) {
    if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
    if (depth > deepest) return true;
  }
  return false;
}

/** Whether JSON has whole numbers that a program does not read exactly, or numbers that it cannot read at all. */
export function hasLargeNumber(json: string): boolean {
  for (const one of tokensOf(json)) if (isLarge(one)) return true;
  return false;
}

function isLarge(token: string): boolean {
  if (!/^-?\d/.test(token)) return false;
  const value = Number(token);
  return !Number.isFinite(value) || (/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(value));
}

/** A character outside of the first 65,536 as two escapes; one of the two alone; any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\[\s\S]/g;

/**
 * Replaces lone surrogates, which JSON may hold as escapes and no text can: jq takes them for a mistake, and so do many
 * programs that read JSON.
 */
export function withoutLoneSurrogates(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json;
  return json.replace(escapes, (found: string, half?: string) => (half === undefined ? found : '\\ufffd'));
}

/** Writes compact JSON over several lines, indented by two blanks. Undefined where that is longer than allowed. */
export function indented(json: string, longest: number): string | undefined {
  let [text, depth] = ['', 0];
  const newLine = () => `\n${'  '.repeat(depth)}`;
  const written: Readonly<Record<string, (one: string) => string>> = {
    ',': () => `,${newLine()}`,
    ':': () => ': ',
    '[': opened,
    '{': opened,
    ']': closed,
    '}': closed,
  };
  function opened(one: string): string {
    depth++;
    return one + newLine();
  }
  function closed(one: string): string {
    depth--;
    return newLine() + one;
  }
  for (const one of tokensOf(json)) {
    text += Object.hasOwn(written, one) ? written[one]?.(one) : one;
    if (text.length > longest) return undefined;
  }
  return text;
}
