import { SkillError } from '../kernel/errors.ts';
import { createBudget, Exhausted } from './jq/values/budget.ts';
import { NotJson, readValues } from './jq/values/read.ts';
import { isList, type Value } from './jq/values/value.ts';
import { writeJson } from './jq/values/write.ts';
import { bare, linesOf } from './lines.ts';
import type { OutputFormat } from './types.ts';

/** Output as text, or as the values that a filter has made of it. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'values'; readonly values: readonly Value[] };

export interface Formatted {
  readonly text: string;
  /** Where the text is one JSON value. */
  readonly value?: Value;
  readonly note?: string;
}

type Layout = 'compact' | 'pretty';
type Write = (value: Value, layout: Layout) => string;
type Format = (content: Content, write: Write) => Formatted;

const formats: Readonly<Record<OutputFormat | 'none', Format>> = {
  none: (content, write) => (content.kind === 'text' ? content : stream(content.values, 'pretty', write)),
  text: (content, write) =>
    content.kind === 'text' ? content : { text: content.values.map((value) => raw(value, write)).join('\n') },
  json: (content, write) => {
    const values = documentsIn(content);
    if (values === null) return { text: textOf(content), note: 'The output is not JSON, and is shown as it is.' };
    const [only] = values;
    const value = values.length === 1 && only !== undefined ? only : values;
    return { text: write(value, 'pretty'), value };
  },
  lines: (content, write) => {
    const items = itemsIn(content);
    return items === null
      ? { text: textOf(content) }
      : { text: items.map((item) => onOneLine(item, write)).join('\n') };
  },
  count: (content) => {
    const number = itemsIn(content)?.length ?? linesOf(textOf(content)).length;
    return { text: String(number), value: number };
  },
  compact: (content, write) => {
    const values = documentsIn(content);
    return values === null ? { text: withoutGaps(textOf(content)) } : stream(values, 'compact', write);
  },
};

/** So much may be written in any case, and so much more for each character that there was. */
const stepsForText = 4_000_000;
const stepsPerCharacter = 2;

/** The size is that of the output before anything was done to it. */
export function format(content: Content, wanted: OutputFormat | undefined, size: number): Formatted {
  const budget = createBudget(stepsForText + stepsPerCharacter * size);
  try {
    return formats[wanted ?? 'none'](content, (value, layout) => writeJson(value, layout, budget));
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
    throw new SkillError('usage', 'The output would be far too long in this form', {
      hint: 'Ask for less of it with jq, for example with limit(100; …), or count it with format: count',
      cause: error,
    });
  }
}

function stream(values: readonly Value[], layout: Layout, write: Write): Formatted {
  const text = values.map((value) => write(value, layout)).join('\n');
  const [only] = values;
  return values.length === 1 && only !== undefined ? { text, value: only } : { text };
}

function textOf(content: Content): string {
  return content.kind === 'text' ? content.text : '';
}

/** A text as it is. */
function raw(value: Value, write: Write): string {
  return typeof value === 'string' ? value : write(value, 'pretty');
}

function onOneLine(value: Value, write: Write): string {
  return typeof value === 'string' && !/[\r\n]/.test(value) ? value : write(value, 'compact');
}

/** The items of a list, or the values if there are several. Null for text that is neither. */
function itemsIn(content: Content): readonly Value[] | null {
  const values = documentsIn(content);
  const [only] = values ?? [];
  if (values?.length === 1 && only !== undefined) {
    return isList(only) ? only : content.kind === 'values' ? values : null;
  }
  return values;
}

/** One JSON document, or lists and objects one after the other. `1 2 3` are words. */
function documentsIn(content: Content): readonly Value[] | null {
  if (content.kind === 'values') return content.values;
  if (!/^\s*[[{"\-\dtfn]/.test(content.text)) return null;
  try {
    const values = readValues(content.text);
    const isDocument = values.length === 1 || values.every((value) => value !== null && typeof value === 'object');
    return isDocument ? values : null;
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

function withoutGaps(text: string): string {
  const lines = linesOf(text).map((line) => bare(line).trimEnd());
  return lines.filter((line) => line !== '').join('\n');
}
