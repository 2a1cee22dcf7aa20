import { parseToml } from '../../kernel/parsed-toml.ts';
import { endOfValue, keyAt } from '../../kernel/toml-lines.ts';
import type { Box, Member } from './box.ts';
import { lineEnd, lineStart } from './splice.ts';
import { type Json, type JsonMap, type Path, Refusal } from './types.ts';

/** `[table]`, `[[item of a list]]` or `key = value`: all that a file in TOML is made of. */
export interface Statement {
  readonly kind: 'header' | 'entry';
  /** What it is about, from the outside. */
  readonly path: Path;
  /** The table that an entry stands in; of a header, its own path. */
  readonly table: Path;
  /** From the start of its first line to the end of its last one. */
  readonly from: number;
  readonly to: number;
  /** Where the value of an entry begins and ends. */
  readonly value: readonly [from: number, to: number];
}

export interface TomlMember extends Member {
  readonly path: Path;
  readonly value: readonly [from: number, to: number];
}

export const tomlComment = /#[^\r\n]*/y;

const blank = /(?:\s|#[^\n]*)*/y;

export function readTomlText(text: string): JsonMap {
  const result = parseToml(text);
  if (result.kind === 'invalid') throw new Refusal(`it is ${result.message}`, result.at.line);
  return jsonOf(result.value) as JsonMap;
}

/** Dates, which JSON does not have, as text. */
function jsonOf(value: unknown): Json {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item)]));
}

/** The statements of a text that has been read before. */
export function statementsIn(text: string): Statement[] {
  const statements: Statement[] = [];
  let table: Path = [];
  for (let at = skip(text, 0, blank); at < text.length; at = skip(text, at, blank)) {
    const isHeader = text[at] === '[';
    const key = keyAt(text, isHeader ? skip(text, at, /\[+/y) : at);
    if (isHeader) table = key.keys;
    const from = isHeader ? key.to : skip(text, key.to, /=[ \t]*/y);
    const to = isHeader ? key.to : endOfValue(text, from);
    const path = isHeader ? table : [...table, ...key.keys];
    const end = lineEnd(text, to);
    const kind = isHeader ? 'header' : 'entry';
    statements.push({ kind, path, table, from: lineStart(text, at), to: end, value: [from, to] });
    at = Math.max(end, at + 1);
  }
  return statements;
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** What is inside `{ a = 1, b = 2 }`; null where another kind of value stands. */
export function inlineTable(text: string, [from, to]: readonly [number, number]): Box<TomlMember> | null {
  if (text[from] !== '{') return null;
  const members: TomlMember[] = [];
  for (let at = skip(text, from + 1, blank); at < to - 1; at = skip(text, at, blank)) {
    const key = keyAt(text, at);
    const start = skip(text, key.to, /=[ \t]*/y);
    const end = endOfValue(text, start);
    const behind = skip(text, end, blank);
    const comma = text[behind] === ',' ? behind : null;
    members.push({ key: key.keys.join('.'), path: key.keys, from: at, to: end, value: [start, end], comma });
    at = Math.max((comma ?? behind - 1) + 1, at + 1);
  }
  return { open: from + 1, close: to - 1, members };
}
