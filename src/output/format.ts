import { SkillError } from '../kernel/errors.ts';
import { NotJson, runJq } from './jq.ts';
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

type Format = (content: Content) => Formatted | Promise<Formatted>;

const formats: Readonly<Record<OutputFormat | 'none', Format>> = {
  none: (content) => (content.kind === 'text' ? content : stream(content.values, pretty)),
  text: (content) => (content.kind === 'text' ? content : { text: content.values.map(raw).join('\n') }),
  json: async (content) => {
    const values = await documentsIn(content);
    if (values === null) return { text: textOf(content), note: 'The output is not JSON, and is shown as it is.' };
    const [only] = values;
    const json = values.length === 1 && only !== undefined ? only : `[${values.join(',')}]`;
    return { text: pretty(json), json };
  },
  lines: async (content) => {
    const items = await itemsIn(content);
    return { text: items === null ? textOf(content) : items.map(onOneLine).join('\n') };
  },
  count: async (content) => {
    const text = String((await itemsIn(content))?.length ?? linesOf(textOf(content)).length);
    return { text, json: text };
  },
  compact: async (content) => {
    const values = await documentsIn(content);
    return values === null ? { text: withoutGaps(textOf(content)) } : stream(values, (json) => json);
  },
};

export async function format(content: Content, wanted: OutputFormat | undefined): Promise<Formatted> {
  return formats[wanted ?? 'none'](content);
}

function stream(values: readonly string[], write: (json: string) => string): Formatted {
  const text = values.map(write).join('\n');
  const [only] = values;
  return values.length === 1 && only !== undefined ? { text, json: only } : { text };
}

/** Indentation may make a short text of many levels as long as its square. */
const longest = (json: string) => 4_000_000 + 4 * json.length;

function pretty(json: string): string {
  const text = indented(json, longest(json));
  if (text !== undefined) return text;
  throw new SkillError('usage', 'The output would be far too long in this form', {
    hint: 'Ask for less of it with jq, for example with limit(100; …), or count it with format: count',
  });
}

function textOf(content: Content): string {
  return content.kind === 'text' ? content.text : '';
}

/** A string as it is. */
function raw(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : pretty(json);
}

function onOneLine(json: string): string {
  return json.startsWith('"') && !/\\[nr]/.test(json) ? raw(json) : json;
}

/** The items of a list, or the values if there are several. Null for text that is neither. */
async function itemsIn(content: Content): Promise<readonly string[] | null> {
  const values = await documentsIn(content);
  const [only] = values ?? [];
  if (values?.length !== 1 || only === undefined) return values;
  if (only.startsWith('[')) return runJq('.[]', only);
  return content.kind === 'values' ? values : null;
}

/** One JSON document, or lists and objects one after the other. `1 2 3` are words. */
async function documentsIn(content: Content): Promise<readonly string[] | null> {
  if (content.kind === 'values') return content.values;
  if (!/^\s*[[{"\-\dtfn]/.test(content.text)) return null;
  try {
    const values = await runJq('.', content.text);
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
