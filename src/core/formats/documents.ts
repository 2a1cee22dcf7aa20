import { realpathSync, statSync } from 'node:fs';
import { type Position, positionAt } from '../diagnostics.ts';
import { isAbsent, readRegularFile } from '../disk/files.ts';
import { isInside } from '../disk/paths.ts';
import { reasonOf } from '../errors.ts';
import { isTooDeep, tooDeep } from './depth.ts';

/**
 * A third party's settings or manifest file: its value, its absence, or why it cannot be used. The bytes are those that
 * were read, for callers that check later whether the file still says the same.
 */
export type DocumentResult = { readonly bytes?: Uint8Array | undefined } & (
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid'; readonly message: string; readonly at?: Position }
);

export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field of a document, if the document is an object that has it. */
export function fieldOf(read: DocumentResult, key: string): unknown {
  return read.kind === 'value' && isObject(read.value) ? read.value[key] : undefined;
}

/** The field of a document that should be an object; anything else counts as an empty one. */
export function objectOf(read: DocumentResult, key: string): JsonObject {
  const value = fieldOf(read, key);
  return isObject(value) ? value : {};
}

/** A text, unless it is blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

const byteLimit = 2 * 1024 * 1024;
/** Characters up to which the place of a JSON error is searched for: the search parses the text many times over. */
const searchLimit = 64 * 1024;

function readText(file: string, container?: string): { text: string; bytes: Uint8Array } | DocumentResult {
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' };
    const target = realpathSync.native(file);
    if (container !== undefined && !isInside(container, target)) {
      return { kind: 'invalid', message: 'a link that leads outside; it is not read' };
    }
    const read = readRegularFile(target, byteLimit);
    if (!read.ok) return { kind: 'invalid', message: `cannot be read (${read.reason})` };
    const { bytes } = read.value;
    return { text: bytes.toString('utf8').replace(/^\ufeff/, ''), bytes };
  } catch (error) {
    // A file where a folder would be, as in a home of /dev/null, holds no files either.
    const reason = reasonOf(error);
    return isAbsent(reason) ? { kind: 'absent' } : { kind: 'invalid', message: `cannot be read (${reason})` };
  }
}

/** Reads JSON; where a container is given, only if the file really lies in that real folder. */
export function readJson(file: string, container?: string): DocumentResult {
  const read = readText(file, container);
  if (!('text' in read)) return read;
  try {
    const value: unknown = JSON.parse(read.text);
    if (isTooDeep(value)) return { kind: 'invalid', message: tooDeep };
    return { kind: 'value', value, text: read.text };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = /position (\d+)/.exec(message)?.[1];
    const place = offset === undefined && read.text.length <= searchLimit ? failureIn(read.text) : Number(offset ?? 0);
    const at = positionAt(read.text, place);
    // The parser's quotation of the text is left out: the file may be a third party's link to a secret.
    const said = message.replace(/,? *(?:\.\.\.)?".*$/s, '').replace(/ in JSON at position.*$/, '');
    return { kind: 'invalid', message: `not valid JSON (${said})`, at };
  }
}

/**
 * Finds where a text stops being JSON when the parser does not say: a text cut off before that place fails only for its
 * end.
 */
function failureIn(text: string): number {
  let [good, bad] = [0, text.length];
  while (good < bad) {
    const middle = (good + bad) >> 1;
    if (failsByToken(text.slice(0, middle + 1))) bad = middle;
    else good = middle + 1;
  }
  return good;
}

function failsByToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token');
  }
}

/** Reads TOML. Its parser is loaded only when a file is really there, which is rare. */
export async function readToml(file: string, container?: string): Promise<DocumentResult> {
  const read = readText(file, container);
  if (!('text' in read)) return read;
  const { parseToml } = await import('./parsed-toml.ts');
  return { ...parseToml(read.text), bytes: read.bytes };
}
