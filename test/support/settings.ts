import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { editText, valueIn } from '../../src/agents/setup/edit/edit.ts';
import type { Format, Json, Path } from '../../src/agents/setup/edit/values.ts';
import { remember, restored } from '../../src/agents/setup/plan/perform.ts';
import { hostEnvironment } from '../../src/core/environment.ts';

const home = mkdtempSync(join(tmpdir(), 'settings-'));
const environment = hostEnvironment({ home, cwd: home, env: {} });
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The text after an edit that must be possible. */
export function edited(format: Format, text: string, at: Path, value: Json | undefined): string {
  const result = editText(format, text, [{ at, value }]);
  if (!result.ok) throw new Error(`line ${result.line}: ${result.reason}\n${text}`);
  return result.text;
}

/** The text of a file, which said something else before, without an entry. */
export function withoutEntry(format: Format, before: string, now: string, at: Path): string {
  const change = { file: '/settings', format, before: now, after: edited(format, now, at, undefined) };
  remember(environment, { kind: 'add', file: change.file, before, after: now });
  const text = restored(environment, change);
  remember(environment, { kind: 'remove', file: change.file, before: now, after: text });
  return text ?? '';
}

/** Adds an entry, adds it again, and removes it: the second changes nothing, the third gives back every byte. */
export function roundTrip(format: Format, text: string, at: Path, value: Json): string {
  const once = edited(format, text, at, value);
  expect(valueIn(format, once, at)).toEqual({ ok: true, value });
  expect(edited(format, once, at, value)).toBe(once);
  expect(withoutEntry(format, text, once, at)).toBe(text);
  return once;
}

/** Line ends and marks that a text may have, whatever is in it. */
export function dresses(text: string): string[] {
  return ['\n', '\r\n'].flatMap((end) => ['', '\ufeff'].map((mark) => mark + text.replaceAll('\n', end)));
}
