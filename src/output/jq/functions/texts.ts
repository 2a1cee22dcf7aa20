import { splitText } from '../values/arithmetic.ts';
import type { ValueFunction } from '../values/at.ts';
import type { Budget } from '../values/budget.ts';
import { JqFailure, named } from '../values/failure.ts';
import { NotJson, readValues, toNumber } from '../values/read.ts';
import { isList, isNumber, type Value } from '../values/value.ts';
import { writeJson } from '../values/write.ts';
import { toText } from './formats.ts';

/** Functions of texts. */
export const textFunctions: Readonly<Record<string, ValueFunction>> = {
  'tostring/0': (input, _, budget) => toText(input, budget),
  'tojson/0': (input, _, budget) => writeJson(input, 'compact', budget),
  'fromjson/0': (input, _, budget) => fromJson(textOf(input, 'cannot be parsed as JSON'), budget),
  'tonumber/0': parseNumber,
  'startswith/1': (input, [start]) => both(input, start, 'startswith', (text, part) => text.startsWith(part)),
  'endswith/1': (input, [end]) => both(input, end, 'endswith', (text, part) => text.endsWith(part)),
  'ltrimstr/1': (input, [start]) => {
    const isThere = typeof input === 'string' && typeof start === 'string' && input.startsWith(start);
    return isThere ? input.slice(start.length) : input;
  },
  'rtrimstr/1': (input, [end]) => {
    const isThere = typeof input === 'string' && typeof end === 'string' && end !== '' && input.endsWith(end);
    return isThere ? input.slice(0, -end.length) : input;
  },
  'trim/0': (input) =>
    textOf(input, 'cannot be trimmed').replace(/^[ \t\n\v\f\r]+|(?<![ \t\n\v\f\r])[ \t\n\v\f\r]+$/g, ''),
  'ltrim/0': (input) => textOf(input, 'cannot be trimmed').replace(/^[ \t\n\v\f\r]+/, ''),
  'rtrim/0': (input) => textOf(input, 'cannot be trimmed').replace(/(?<![ \t\n\v\f\r])[ \t\n\v\f\r]+$/, ''),
  'ascii_downcase/0': (input) => caseOf(input, 'ascii_downcase', /[A-Z]+/g, (run) => run.toLowerCase()),
  'ascii_upcase/0': (input) => caseOf(input, 'ascii_upcase', /[a-z]+/g, (run) => run.toUpperCase()),
  'split/1': (input, [by], budget) => split(input, by ?? null, budget),
  'join/1': (input, [by], budget) => join(input, by ?? null, budget),
  'explode/0': (input, _, budget) => {
    const letters = Array.from(textOf(input, 'cannot be exploded'));
    budget.spend(letters.length);
    return letters.map((letter) => letter.codePointAt(0) ?? 0);
  },
  'implode/0': (input) => {
    if (!isList(input)) throw new JqFailure('implode input must be an array');
    return input.map(letterOf).join('').toWellFormed();
  },
  'utf8bytelength/0': (input) => Buffer.byteLength(textOf(input, 'only strings have UTF-8 byte length')),
};

export function textOf(value: Value, problem: string): string {
  if (typeof value !== 'string') throw new JqFailure(`${named(value)} ${problem}`);
  return value;
}

function fromJson(text: string, budget: Budget): Value {
  budget.spendText(text.length * 2);
  try {
    const values = readValues(text);
    if (values.length !== 1)
      throw new NotJson(values.length === 0 ? 'there is nothing' : 'there is more than one value');
    return values[0] ?? null;
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw new JqFailure(`${named(text)} is not JSON: ${error.message}`);
  }
}

function parseNumber(input: Value): Value {
  if (isNumber(input)) return input;
  const text = textOf(input, 'cannot be parsed as a number').trim();
  if (!/^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text))
    throw new JqFailure(`${named(text)} cannot be parsed as a number`);
  return toNumber(text, /^-?\d+$/.test(text) ? 'whole' : 'any');
}

function both(
  input: Value,
  other: Value | undefined,
  name: string,
  test: (text: string, part: string) => boolean,
): boolean {
  if (typeof input === 'string' && typeof other === 'string') return test(input, other);
  throw new JqFailure(`${name}() requires string inputs`);
}

function caseOf(input: Value, name: string, letters: RegExp, change: (run: string) => string): string {
  if (typeof input !== 'string') throw new JqFailure(`${name} input must be a string`);
  return input.replace(letters, change);
}

function split(input: Value, by: Value, budget: Budget): Value {
  if (typeof input !== 'string' || typeof by !== 'string') {
    throw new JqFailure('split input and separator must be strings');
  }
  const parts = splitText(input, by, budget);
  budget.spend(parts.length);
  return parts;
}

function join(input: Value, by: Value, budget: Budget): Value {
  if (!isList(input)) throw new JqFailure(`Cannot iterate over ${named(input)}`);
  if (input.length === 0) return '';
  if (typeof by !== 'string') throw new JqFailure(`${named(by)} and ${named(input[0] ?? null)} cannot be added`);
  const parts = input.map((part) => {
    if (part !== null && typeof part === 'object')
      throw new JqFailure(`${named(by)} and ${named(part)} cannot be added`);
    return part === null ? '' : toText(part, budget);
  });
  const text = parts.join(by);
  budget.spendText(text.length);
  return text;
}

function letterOf(value: Value): string {
  const code = isNumber(value) ? Math.floor(Number(value)) : Number.NaN;
  if (!(code >= 0 && code <= 0x10ffff)) throw new JqFailure('Unicode codepoint must be numeric, from 0 to 1114111');
  return String.fromCodePoint(code);
}
