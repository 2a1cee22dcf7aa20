import { count } from '../../../kernel/text.ts';
import { escapes } from './escapes.ts';
import type { Value } from './value.ts';

/** Text that is not JSON: why, and where. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/** Deeper nesting than this is an attack or a mistake. */
const deepest = 1000;
/** Longer numbers are not exact anywhere. */
const longestExact = 40;

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

/** All JSON values of a text, one after the other: one document, or one per line. */
export function readValues(text: string): Value[] {
  const reader: Reader = { text, at: 0, depth: 0 };
  const values: Value[] = [];
  for (skip(reader); reader.at < text.length; skip(reader)) {
    const isApart = values.length === 0 || /[\s[\]{}"]/u.test(text[reader.at - 1] ?? '') || opens(reader);
    if (!isApart) fail(reader, 'a space or a new line between two values');
    values.push(read(reader));
  }
  return values;
}

function opens({ text, at }: Reader): boolean {
  return '[{"'.includes(text[at] ?? ' ');
}

const space = /[ \t\r\n]*/y;

function skip(reader: Reader): void {
  if (reader.text.charCodeAt(reader.at) > 0x20) return;
  space.lastIndex = reader.at;
  space.test(reader.text);
  reader.at = space.lastIndex;
}

function read(reader: Reader): Value {
  const letter = reader.text[reader.at];
  if (letter === '"') return readText(reader);
  if (letter === '{') return nested(reader, readObject);
  if (letter === '[') return nested(reader, readList);
  return readScalar(reader);
}

function nested<T>(reader: Reader, inside: (reader: Reader) => T): T {
  if (++reader.depth > deepest) throw new NotJson(`it is nested more than ${count(deepest, 'level')} deep`);
  reader.at++;
  skip(reader);
  const value = inside(reader);
  reader.depth--;
  return value;
}

function readList(reader: Reader): Value[] {
  const list: Value[] = [];
  while (reader.text[reader.at] !== ']') {
    if (list.length > 0) expectMark(reader, ',', '"," or "]"');
    list.push(read(reader));
    skip(reader);
  }
  reader.at++;
  return list;
}

function readObject(reader: Reader): Map<string, Value> {
  const object = new Map<string, Value>();
  let isFirst = true;
  while (reader.text[reader.at] !== '}') {
    if (!isFirst) expectMark(reader, ',', '"," or "}"');
    isFirst = false;
    if (reader.text[reader.at] !== '"') fail(reader, 'a key in quotes');
    const key = readText(reader);
    skip(reader);
    expectMark(reader, ':', '":"');
    object.set(key, read(reader));
    skip(reader);
  }
  reader.at++;
  return object;
}

function expectMark(reader: Reader, mark: string, expected: string): void {
  if (reader.text[reader.at] !== mark) fail(reader, expected);
  reader.at++;
  skip(reader);
}

const plainRun = /[^"\\]*/y;

function readText(reader: Reader): string {
  const start = reader.at + 1;
  let end = start;
  for (;;) {
    plainRun.lastIndex = end;
    plainRun.test(reader.text);
    end = plainRun.lastIndex;
    if (end >= reader.text.length) fail({ ...reader, at: reader.text.length }, 'the end of a text in quotes');
    if (reader.text[end] === '"') break;
    end += 2;
  }
  reader.at = end + 1;
  const raw = reader.text.slice(start, end);
  return raw.includes('\\') ? unescaped(raw, { ...reader, at: start }) : raw;
}

function unescaped(raw: string, reader: Reader): string {
  const text = raw.replace(
    /\\(?:u([\da-fA-F]{4})|([\s\S]))/g,
    (whole, code: string | undefined, letter, at: number) => {
      const meant = code === undefined ? escapes[letter] : String.fromCharCode(Number.parseInt(code, 16));
      if (meant === undefined) fail({ ...reader, at: reader.at + at }, `an escape such as \\n, not ${whole}`);
      return meant;
    },
  );
  return text.toWellFormed();
}

const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const word = /-?[A-Za-z_]+/y;
/** The last three are not JSON, but what some programs print for it. */
const words = new Map<string, Value>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['nan', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function readScalar(reader: Reader): Value {
  const digits = matchAt(number, reader);
  if (digits !== null) {
    reader.at += digits[0].length;
    return toNumber(digits[0], digits[1] === undefined && digits[2] === undefined ? 'whole' : 'any');
  }
  const found = words.get(matchAt(word, reader)?.[0] ?? '');
  if (found === undefined) fail(reader, 'a JSON value');
  reader.at = word.lastIndex;
  return found;
}

function matchAt(pattern: RegExp, { text, at }: Reader): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A number as it is written in JSON or in a filter. */
export function toNumber(digits: string, kind: 'whole' | 'any'): number | bigint {
  const value = Number(digits);
  const isExact = kind === 'any' || Number.isSafeInteger(value) || digits.length > longestExact;
  return isExact ? value : BigInt(digits);
}

function fail({ text, at }: Reader, expected: string): never {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  const found =
    at >= text.length ? 'it ends' : `there is ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))}`;
  throw new NotJson(`at line ${line}, column ${column}, ${found} where ${expected} was expected`);
}
