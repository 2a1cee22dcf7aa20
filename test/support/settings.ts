import { expect } from 'vitest';
import { editText, valueIn } from '../../src/setup/edit/edit.ts';
import type { Format, Json, Path } from '../../src/setup/edit/types.ts';

/** The text after an edit that must be possible. */
export function edited(format: Format, text: string, at: Path, value: Json | undefined): string {
  const result = editText(format, text, [{ at, value }]);
  if (!result.ok) throw new Error(`line ${result.line}: ${result.reason}\n${text}`);
  return result.text;
}

/** Adds an entry, adds it again, and removes it: the second changes nothing, the third gives back every byte. */
export function roundTrip(format: Format, text: string, at: Path, value: Json): string {
  const once = edited(format, text, at, value);
  expect(valueIn(format, once, at)).toEqual({ ok: true, value });
  expect(edited(format, once, at, value)).toBe(once);
  expect(edited(format, once, at, undefined)).toBe(text);
  return once;
}

/** Line ends and marks that a text may have, whatever is in it. */
export function dresses(text: string): string[] {
  return ['\n', '\r\n'].flatMap((end) => ['', '\ufeff'].map((mark) => mark + text.replaceAll('\n', end)));
}
