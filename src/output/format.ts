import { SkillError } from '../kernel/errors.ts';
import { type Jq, NotJson } from './jq.ts';
import { indented } from './json-text.ts';
import { bare, linesOf } from './lines.ts';
import type { OutputFormat } from './types.ts';

/** Output as text, or as the values that a filter has made of it, each as compact JSON. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'values'; readonly values: readonly string[] };

export interface Formatted {
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

/** Values one below the other, each as it is written. */
function stream(values: readonly string[], written: readonly string[]): Formatted {
  const text = written.join('\n');
  const [only] = values;
  return values.length === 1 && only !== undefined ? { text, json: only } : { text };
}

/** Indentation may make short texts of many levels as long as their square: so many characters for all of them together. */
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

/** Strings as they are. */
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

/** One JSON document, or lists and objects one after the other. `1 2 3` are words. */
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
