import type { Budget } from './budget.ts';
import { Exhausted } from './budget.ts';
import { isList, type ObjectValue, type Value, written } from './value.ts';

/** Deeper than anything that is read, and shallow enough for one call within another. */
const deepest = 2000;

type Layout = 'compact' | 'pretty';

interface Writer {
  text: string;
  readonly budget: Budget | undefined;
  /** The keys of many objects are the same few. */
  readonly keys: Map<string, string>;
  readonly colon: string;
}

/** Compact: JSON on one line, without spaces. Pretty: indented by two spaces. */
export function writeJson(value: Value, layout: Layout = 'compact', budget?: Budget): string {
  const writer: Writer = { text: '', budget, keys: new Map(), colon: layout === 'pretty' ? ': ' : ':' };
  write(writer, value, layout === 'pretty' ? '\n' : null, 0);
  return writer.text;
}

function put(writer: Writer, piece: string): void {
  writer.budget?.spendText(piece.length + 4);
  writer.text += piece;
}

/** `line` is what a new line begins with: null where there are none. */
function write(writer: Writer, value: Value, line: string | null, depth: number): void {
  if (depth > deepest) throw new Exhausted(`makes values nested more than ${deepest} deep`);
  if (value === null || typeof value !== 'object') put(writer, scalar(value));
  else if (isList(value)) writeList(writer, value, line, depth);
  else writeObject(writer, value, line, depth);
}

function writeList(writer: Writer, list: readonly Value[], line: string | null, depth: number): void {
  if (list.length === 0) {
    put(writer, '[]');
    return;
  }
  const inner = line === null ? null : `${line}  `;
  let lead = `[${inner ?? ''}`;
  for (const item of list) {
    put(writer, lead);
    write(writer, item, inner, depth + 1);
    lead = `,${inner ?? ''}`;
  }
  put(writer, `${line ?? ''}]`);
}

function writeObject(writer: Writer, object: ObjectValue, line: string | null, depth: number): void {
  if (object.size === 0) {
    put(writer, '{}');
    return;
  }
  const inner = line === null ? null : `${line}  `;
  let lead = `{${inner ?? ''}`;
  for (const [key, held] of object) {
    put(writer, `${lead}${quotedKey(writer, key)}${writer.colon}`);
    write(writer, held, inner, depth + 1);
    lead = `,${inner ?? ''}`;
  }
  put(writer, `${line ?? ''}}`);
}

function quotedKey({ keys }: Writer, key: string): string {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const made = quoted(key);
  keys.set(key, made);
  return made;
}

function scalar(value: null | boolean | number | bigint | string): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(written(value));
  return String(value);
}

/** Nearly all texts need nothing but the quotes. */
const simple = /^[ !#-[\]-~]*$/;

/** A text in quotes. The one control character that JSON does not ask to be escaped would be lost on a reader. */
function quoted(text: string): string {
  if (simple.test(text)) return `"${text}"`;
  const json = JSON.stringify(text.toWellFormed());
  return json.includes('\u007f') ? json.replaceAll('\u007f', '\\u007f') : json;
}
