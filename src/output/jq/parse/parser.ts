import type { SkillError } from '../../../kernel/errors.ts';
import { deepestFilter, mistake, unknownName } from './mistakes.ts';
import type { Filter } from './syntax.ts';
import type { Token } from './tokens.ts';

/** The names known at a place: those of variables with a `$`, those of functions with their number of parameters. */
export type Names = { readonly name: string; readonly before: Names } | null;

export interface Parser {
  readonly source: string;
  /** The functions that are always there. */
  readonly builtins: ReadonlySet<string>;
  /** The way from a term back to what may stand in it. */
  readonly pipe: (parser: Parser) => Filter;
  readonly entryValue: (parser: Parser) => Filter;
  tokens: readonly Token[];
  next: number;
  depth: number;
  names: Names;
}

export function peek(parser: Parser): Token {
  const token = parser.tokens[parser.next] ?? parser.tokens.at(-1);
  return token ?? { kind: 'end', text: '', at: parser.source.length };
}

export function take(parser: Parser): Token {
  const token = peek(parser);
  parser.next++;
  return token;
}

/** Whether this mark or word comes next. */
export function isNext(parser: Parser, text: string): boolean {
  const token = peek(parser);
  return (token.kind === 'mark' || token.kind === 'word') && token.text === text;
}

/** Takes the mark or word if it comes next. */
export function accept(parser: Parser, text: string): boolean {
  const isThere = isNext(parser, text);
  if (isThere) parser.next++;
  return isThere;
}

export function expect(parser: Parser, text: string): void {
  if (!accept(parser, text)) throw unexpected(parser, JSON.stringify(text));
}

export function expectKind(parser: Parser, kind: Token['kind'], expected: string): string {
  if (peek(parser).kind !== kind) throw unexpected(parser, expected);
  return take(parser).text;
}

export function unexpected(parser: Parser, expected: string): SkillError {
  return mistake(parser.source, peek(parser).at, expected);
}

/** One level further in, so that a filter of a thousand parentheses does not end in a fall. */
export function deeper<T>(parser: Parser, parse: (parser: Parser) => T): T {
  if (++parser.depth > deepestFilter) {
    throw mistake(parser.source, peek(parser).at, 'a filter that is not nested so deeply', 'one more level');
  }
  const parsed = parse(parser);
  parser.depth--;
  return parsed;
}

/** With more names known than outside. */
export function naming<T>(parser: Parser, names: readonly string[], parse: (parser: Parser) => T): T {
  const outside = parser.names;
  for (const name of names) parser.names = { name, before: parser.names };
  const parsed = parse(parser);
  parser.names = outside;
  return parsed;
}

/** Refuses a name that nothing is known by. */
export function checkName(parser: Parser, name: string): void {
  const known: string[] = [];
  for (let names = parser.names; names !== null; names = names.before) {
    if (names.name === name) return;
    known.push(names.name);
  }
  if (parser.builtins.has(name)) return;
  if (name.startsWith('$')) {
    throw unknownName('variable', name, known, 'Name a value first, as in: . as $x | …');
  }
  if (name.startsWith('*'))
    throw unknownName('label', name.slice(1), [], 'Define a label first, as in: label $out | …');
  const functions = [...known.filter((one) => !/^[$*]/.test(one)), ...parser.builtins];
  const list = [...new Set(functions.map((one) => one.replace(/\/\d+$/, '')))].sort().join(', ');
  throw unknownName('function', name, functions, `Known functions: ${list}`);
}

/** Parses the tokens within a text as a filter of their own. */
export function within<T>(parser: Parser, tokens: readonly Token[], parse: (parser: Parser) => T): T {
  const outside = { tokens: parser.tokens, next: parser.next };
  parser.tokens = tokens;
  parser.next = 0;
  const parsed = parse(parser);
  if (peek(parser).kind !== 'end') throw unexpected(parser, '")"');
  Object.assign(parser, outside);
  return parsed;
}
