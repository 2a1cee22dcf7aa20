import { parse, TomlError } from 'smol-toml';
import type { Position } from '../diagnostics.ts';
import { isTooDeep, tooDeep } from './depth.ts';
import type { JsonObject } from './documents.ts';
import { placeOfKey } from './toml-lines.ts';

/** The value of a text in TOML, or the position at which it stops being TOML. */
export type TomlResult =
  | { readonly kind: 'value'; readonly value: JsonObject; readonly text: string }
  | { readonly kind: 'invalid'; readonly message: string; readonly at: Position };

export function parseToml(text: string): TomlResult {
  try {
    const value = parse(text);
    const deep = Object.keys(value).find((key) => isTooDeep(value[key]));
    if (deep === undefined) return { kind: 'value', value, text };
    return { kind: 'invalid', message: tooDeep, at: placeOfKey(text, [deep]) ?? { line: 1, column: 1 } };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'unreadable';
    return { kind: 'invalid', message: `not valid TOML: ${message}`, at: { line: error.line, column: error.column } };
  }
}
