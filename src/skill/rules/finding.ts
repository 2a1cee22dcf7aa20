import type { DiagnosticCode, Position } from '../../core/diagnostics.ts';
import type { Json } from '../types.ts';

/** A finding of one rule. Its position counts from the start of the checked part, not of the file. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly remedy: string;
  readonly at: Position;
}

/** The number of characters as people count them, not as UTF-16 does. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** The kind of a value, as in "name is a number". */
export function kindOf(value: Json): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  const kinds: Readonly<Record<string, string>> = { string: 'text', number: 'a number', boolean: 'true or false' };
  return kinds[typeof value] ?? 'a map';
}
