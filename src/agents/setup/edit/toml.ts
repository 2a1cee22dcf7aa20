import { parseToml } from '../../../core/formats/parsed-toml.ts';
import { endOfValue, keyAt } from '../../../core/formats/toml-lines.ts';
import {
  added,
  type Box,
  commentsBelow,
  insertAt,
  lineEnd,
  lineStart,
  type Member,
  newlineOf,
  removed,
  type Splice,
  spliced,
  withoutLines,
} from './splice.ts';
import { type Editor, isMap, type Json, type JsonMap, type Path, Refusal, valueAt, wrapped } from './values.ts';

export const tomlEditor: Editor = {
  read: readTomlText,
  put,
  drop: (text, at) => spliced(text, dropFrom(text, at)),
};

function put(text: string, at: Path, value: Json): string {
  const statements = statementsIn(text);
  const holder = holderOf(statements, at);
  if (holder !== undefined) return spliced(text, putInline(text, holder, at.slice(holder.path.length), value));
  if (statements.some(({ path }) => startsWith(path, at))) return put(spliced(text, dropFrom(text, at)), at, value);
  refuseOthers(text, at);
  return spliced(text, [placed(text, statements, at, value)]);
}

function startsWith(path: Path, start: Path): boolean {
  return path.length >= start.length && start.every((key, index) => path[index] === key);
}

/** The entry whose value holds the path: `a.b = …` for `a.b`, and for `a.b.c` if it is an inline table. */
function holderOf(statements: readonly Statement[], at: Path): Statement | undefined {
  return statements.find(({ kind, path }) => kind === 'entry' && startsWith(at, path));
}

/** Refuses a path in a list of tables, which has no names, and so no place for one more. */
function refuseOthers(text: string, at: Path): void {
  const value = readTomlText(text);
  at.forEach((_, index) => {
    const outer = valueAt(value, at.slice(0, index));
    if (outer !== undefined && !isMap(outer)) throw new Refusal(`${writeKey(at.slice(0, index))} is not a table`);
  });
}

/** Places a new entry or table where it reads best: with those that it belongs to, and else at the end. */
function placed(text: string, statements: readonly Statement[], at: Path, value: Json): Splice {
  const parent = at.slice(0, -1);
  const dotted = statements.findLast(
    ({ kind, path, table }) => kind === 'entry' && startsWith(path, parent) && table.length < parent.length,
  );
  if (dotted !== undefined) return below(text, dotted.to, entryOf(at.slice(dotted.table.length), value), 1);
  if (isMap(value)) return newTable(text, statements, at, writeTable(at, value, newlineOf(text)));
  const own = statements.filter(({ table }) => isSamePath(table, parent));
  const last = own.at(-1);
  const entry = entryOf(at.slice(-1), value);
  if (last !== undefined) return below(text, last.to, entry, 1);
  if (parent.length === 0) return insertAt(0, entry + newlineOf(text));
  const table = wrapped(at.slice(-1), value);
  return isMap(table)
    ? newTable(text, statements, parent, writeTable(parent, table, newlineOf(text)))
    : insertAt(0, '');
}

function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && startsWith(one, other);
}

function entryOf(keys: Path, value: Json): string {
  return `${writeKey(keys)} = ${writeToml(value)}`;
}

function newTable(text: string, statements: readonly Statement[], at: Path, table: string): Splice {
  const parent = at.slice(0, -1);
  const sibling = parent.length === 0 ? undefined : statements.findLast(({ path }) => startsWith(path, parent));
  const content = text.trimEnd().length;
  if (content === 0) return insertAt(0, table + newlineOf(text));
  return below(text, sibling === undefined ? lineEnd(text, content) : commentsBelow(text, sibling.to, ''), table, 2);
}

function below(text: string, end: number, lines: string, newlines: 1 | 2): Splice {
  return insertAt(end, newlineOf(text).repeat(newlines) + lines);
}

/** Puts a value inside of `{ }`, where dotted names stay as their author wrote them. */
function putInline(text: string, { value: span }: Pick<Statement, 'value'>, rest: Path, value: Json): Splice[] {
  const [key = ''] = rest;
  if (rest.length === 0) return [{ from: span[0], to: span[1], text: writeToml(value) }];
  const box = inlineTable(text, span);
  if (box === null) throw new Refusal(`${writeKey([key])} has no place: what is around it is not a table`);
  const member = box.members.find(({ path }) => path[0] === key);
  if (member !== undefined && !startsWith(rest, member.path))
    throw new Refusal(`it has names with dots around ${writeKey([key])}`);
  if (member !== undefined) return putInline(text, member, rest.slice(member.path.length), value);
  const entry = entryOf([key], wrapped(rest.slice(1), value));
  return box.members.length === 0 ? [insertAt(box.open, entry)] : added(text, box, tomlComment, () => entry);
}

function dropFrom(text: string, at: Path): Splice[] {
  const statements = statementsIn(text);
  const holder = holderOf(statements, at);
  if (holder !== undefined && holder.path.length < at.length) {
    return dropInline(text, holder, at.slice(holder.path.length));
  }
  return runsOf(statements, at).map(({ from, to, kind }) => withoutLines(text, from, to, kind === 'header' ? 2 : 1));
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly kind: Statement['kind'];
}

/** The adjacent statements about one path: a table, the tables in it, and the comments between. */
function runsOf(statements: readonly Statement[], at: Path): Run[] {
  const runs: Run[] = [];
  statements.forEach((statement, index) => {
    if (!startsWith(statement.path, at)) return;
    const before = statements[index - 1];
    const last = before !== undefined && startsWith(before.path, at) ? runs.pop() : undefined;
    runs.push({ from: last?.from ?? statement.from, to: statement.to, kind: last?.kind ?? statement.kind });
  });
  return runs;
}

function dropInline(text: string, { value: span }: Pick<Statement, 'value'>, rest: Path): Splice[] {
  const box = inlineTable(text, span);
  const index = box?.members.findIndex(({ path }) => path[0] === rest[0]) ?? -1;
  const member = box?.members[index];
  if (box === null || member === undefined) return [];
  if (rest.length > member.path.length) return dropInline(text, member, rest.slice(member.path.length));
  return isSamePath(member.path, rest) ? removed(text, box, index, tomlComment) : [];
}

function writeKey(keys: Path): string {
  return keys.map((key) => (/^[\w-]+$/.test(key) ? key : quoted(key))).join('.');
}

/** Writes a value on one line. */
function writeToml(value: Json): string {
  if (value === null) throw new Refusal('TOML has no way to write null');
  if (typeof value === 'string') return writeText(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(writeToml).join(', ')}]`;
  if (!isMap(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) => `${writeKey([key])} = ${writeToml(item)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Writes a text. Windows paths are easier to read between single quotes, where a backslash is nothing but that. */
function writeText(text: string): string {
  return text.includes('\\') && /^[^'\x00-\x1f\x7f]*$/.test(text) ? `'${text}'` : quoted(text);
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

/** Writes a table under its header, and the tables in it under theirs. */
function writeTable(path: Path, table: JsonMap, newline: string): string {
  const entries = Object.entries(table);
  const own = entries.filter(([, value]) => !isMap(value));
  const lines = [`[${writeKey(path)}]`, ...own.map(([key, value]) => `${writeKey([key])} = ${writeToml(value)}`)];
  const inner = entries.flatMap(([key, value]) => (isMap(value) ? [writeTable([...path, key], value, newline)] : []));
  return [lines.join(newline), ...inner].join(newline + newline);
}

/** A statement, of which a TOML file is made: `[table]`, `[[item of a list]]` or `key = value`. */
interface Statement {
  readonly kind: 'header' | 'entry';
  /** The full path that it is about. */
  readonly path: Path;
  /** The table that an entry stands in; for a header, its own path. */
  readonly table: Path;
  /** The start of its first line; `to` is the end of its last one. */
  readonly from: number;
  readonly to: number;
  /** The start and end of an entry's value. */
  readonly value: readonly [from: number, to: number];
}

interface TomlMember extends Member {
  readonly path: Path;
  readonly value: readonly [from: number, to: number];
}

const tomlComment = /#[^\r\n]*/y;

const blank = /(?:\s|#[^\n]*)*/y;

function readTomlText(text: string): JsonMap {
  const result = parseToml(text);
  if (result.kind === 'invalid') throw new Refusal(`it is ${result.message}`, result.at.line);
  return jsonOf(result.value) as JsonMap;
}

/** Converts a value to JSON, with dates, which JSON does not have, as text. */
function jsonOf(value: unknown): Json {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonOf(item)]));
}

/** The statements of a text that was parsed before. */
function statementsIn(text: string): Statement[] {
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

/** The members of `{ a = 1, b = 2 }`; null where the value is of another kind. */
function inlineTable(text: string, [from, to]: readonly [number, number]): Box<TomlMember> | null {
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
