import { escapes } from '../values/escapes.ts';
import { toNumber } from '../values/read.ts';
import type { Value } from '../values/value.ts';
import { deepestFilter, longestFilter, mistake, tooLong } from './mistakes.ts';

export interface Token {
  readonly kind: 'field' | 'mark' | 'word' | 'variable' | 'format' | 'number' | 'text' | 'end';
  /** The mark, the word, or the name without what leads it in. */
  readonly text: string;
  readonly at: number;
  readonly value?: Value;
  /** Of a text: plain stretches, and the tokens of what stands in `\(…)`. */
  readonly parts?: readonly (string | readonly Token[])[];
}

/** The filter in its smallest parts. */
export function tokenize(source: string): Token[] {
  if (source.length > longestFilter) throw tooLong(source.length);
  return tokensFrom(source, 0, 0).tokens;
}

interface Tokens {
  readonly tokens: Token[];
  /** Where the closing parenthesis stands, or the end. */
  readonly end: number;
}

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['field', /\.([A-Za-z_]\w*)/y],
  ['word', /[A-Za-z_]\w*(?:::\w+)*/y],
  ['variable', /\$([A-Za-z_]\w*)/y],
  ['format', /@(\w+)/y],
  ['mark', /\?\/\/|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\/\/|\.\.|[.[\](){}|,:;=<>+\-*/%?]/y],
];
const space = /(?:\s|#[^\n]*)*/y;

/** From here to the end; within a text, to the parenthesis that closes what stands in it. */
function tokensFrom(source: string, start: number, depth: number): Tokens {
  if (depth > deepestFilter) throw mistake(source, start, 'a filter that is not nested so deeply', 'one more level');
  const tokens: Token[] = [];
  let open = 0;
  for (let at = after(space, source, start); ; at = after(space, source, at)) {
    if (at >= source.length) {
      tokens.push({ kind: 'end', text: '', at });
      return { tokens, end: at };
    }
    const letter = source[at];
    if (letter === '(') open++;
    if (letter === ')' && --open < 0 && depth > 0) {
      tokens.push({ kind: 'end', text: '', at });
      return { tokens, end: at };
    }
    const [token, next] = letter === '"' ? readText(source, at, depth) : readToken(source, at);
    tokens.push(token);
    at = next;
  }
}

function after(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}

function readToken(source: string, at: number): [Token, number] {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null) continue;
    const [whole, name] = found;
    const value = kind === 'number' ? { value: toNumber(whole, /^\d+$/.test(whole) ? 'whole' : 'any') } : {};
    return [{ kind, text: name ?? whole, at, ...value }, pattern.lastIndex];
  }
  throw mistake(source, at, 'a filter');
}

const stretch = /[^"\\]*/y;
const code = /\\u([\da-fA-F]{4})/y;

function readText(source: string, start: number, depth: number): [Token, number] {
  const parts: (string | readonly Token[])[] = [];
  let text = '';
  let at = start + 1;
  for (;;) {
    const end = after(stretch, source, at);
    text += source.slice(at, end);
    if (end >= source.length) throw mistake(source, start, 'a string that is closed with "', 'one that is not');
    if (source[end] === '"') {
      parts.push(text.toWellFormed());
      return [{ kind: 'text', text, at: start, parts }, end + 1];
    }
    if (source[end + 1] === '(') {
      const inside = tokensFrom(source, end + 2, depth + 1);
      if (inside.end >= source.length) throw mistake(source, inside.end, '")"');
      parts.push(text, inside.tokens);
      text = '';
      at = inside.end + 1;
    } else {
      const [meant, next] = readEscape(source, end);
      text += meant;
      at = next;
    }
  }
}

function readEscape(source: string, at: number): [string, number] {
  code.lastIndex = at;
  const unit = code.exec(source)?.[1];
  if (unit !== undefined) return [String.fromCharCode(Number.parseInt(unit, 16)), at + 6];
  const meant = escapes[source[at + 1] ?? ''];
  if (meant === undefined) throw mistake(source, at, 'an escape such as \\n, \\" or \\(…)');
  return [meant, at + 2];
}
