import { formatNames } from '../functions/formats.ts';
import { unknownName } from './mistakes.ts';
import { parseObject } from './objects.ts';
import { accept, checkName, expect, expectKind, naming, type Parser, peek, take, unexpected } from './parser.ts';
import { parsePattern } from './patterns.ts';
import { type Filter, identity, namesIn } from './syntax.ts';
import { textFilter } from './texts.ts';
import type { Token } from './tokens.ts';

/** Words that lead something in, and are no functions. */
const keywords = new Set([
  'then',
  'elif',
  'else',
  'end',
  'as',
  'catch',
  'and',
  'or',
  'def',
  'label',
  'import',
  'include',
]);

/** A term, and all that follows if its value is given a name: `… as $x | …`. */
export function parseTerm(parser: Parser): Filter {
  const source = parsePostfix(parser);
  if (!accept(parser, 'as')) return source;
  const pattern = parsePattern(parser);
  expect(parser, '|');
  return { kind: 'bind', source, pattern, body: naming(parser, namesIn(pattern), parser.pipe) };
}

/** A term with all that is looked up in it: `.a[0]?.b`. */
function parsePostfix(parser: Parser): Filter {
  let term = parsePrimary(parser);
  for (let longer = lookUp(parser, term); longer !== null; longer = lookUp(parser, term)) term = longer;
  return term;
}

function lookUp(parser: Parser, of: Filter): Filter | null {
  const token = peek(parser);
  if (token.kind === 'field') {
    parser.next++;
    return { kind: 'index', of, key: { kind: 'literal', value: token.text } };
  }
  if (accept(parser, '?')) return { kind: 'try', body: of, handler: null };
  if (accept(parser, '.')) {
    if (peek(parser).kind === 'text') return { kind: 'index', of, key: textFilter(parser, take(parser)) };
    if (peek(parser).text !== '[') throw unexpected(parser, 'a key');
  }
  return accept(parser, '[') ? bracket(parser, of) : null;
}

/** `[]`, `[key]`, `[from:to]`, after the bracket that opens. */
function bracket(parser: Parser, of: Filter): Filter {
  if (accept(parser, ']')) return { kind: 'each', of };
  const from = accept(parser, ':') ? null : parser.pipe(parser);
  const isSlice = from === null || accept(parser, ':');
  const to = isSlice && peek(parser).text !== ']' ? parser.pipe(parser) : null;
  expect(parser, ']');
  return isSlice ? { kind: 'slice', of, from, to } : { kind: 'index', of, key: from };
}

const primaries: Readonly<Partial<Record<Token['kind'], (parser: Parser, token: Token) => Filter>>> = {
  number: (_, { value }) => ({ kind: 'literal', value: value ?? null }),
  text: (parser, token) => textFilter(parser, token),
  field: (_, { text }) => ({ kind: 'index', of: identity, key: { kind: 'literal', value: text } }),
  variable: (parser, { text, at }) => variable(parser, text, at),
  format: (parser, { text }) => format(parser, text),
  word: (parser, { text }) => words.get(text)?.(parser) ?? call(parser, text),
  mark: (parser, { text }) => marked(parser, text),
};

function parsePrimary(parser: Parser): Filter {
  const token = peek(parser);
  const parse = keywords.has(token.text) && token.kind === 'word' ? undefined : primaries[token.kind];
  if (parse === undefined) throw unexpected(parser, 'a filter');
  parser.next++;
  return parse(parser, token);
}

function marked(parser: Parser, mark: string): Filter {
  if (mark === '..') return { kind: 'everything' };
  if (mark === '.') {
    const token = peek(parser);
    if (token.kind !== 'text') return identity;
    parser.next++;
    return { kind: 'index', of: identity, key: textFilter(parser, token) };
  }
  if (mark === '(') {
    const inside = parser.pipe(parser);
    expect(parser, ')');
    return inside;
  }
  if (mark === '[') {
    if (accept(parser, ']')) return { kind: 'list', items: null };
    const items = parser.pipe(parser);
    expect(parser, ']');
    return { kind: 'list', items };
  }
  if (mark === '{') return parseObject(parser);
  parser.next--;
  throw unexpected(parser, 'a filter');
}

export function variable(parser: Parser, name: string, at: number): Filter {
  if (name === '__loc__') {
    const line = parser.source.slice(0, at).split('\n').length;
    return {
      kind: 'literal',
      value: new Map<string, string | number>([
        ['file', '<top-level>'],
        ['line', line],
      ]),
    };
  }
  checkName(parser, `$${name}`);
  return { kind: 'variable', name: `$${name}` };
}

function format(parser: Parser, name: string): Filter {
  if (!formatNames.includes(name)) {
    throw unknownName('format', `@${name}`, [], `Known formats: ${formatNames.map((one) => `@${one}`).join(', ')}`);
  }
  return peek(parser).kind === 'text' ? textFilter(parser, take(parser), name) : { kind: 'format', name };
}

const words: ReadonlyMap<string, (parser: Parser) => Filter> = new Map([
  ['null', () => ({ kind: 'literal', value: null })],
  ['true', () => ({ kind: 'literal', value: true })],
  ['false', () => ({ kind: 'literal', value: false })],
  ['if', conditional],
  ['try', attempt],
  ['reduce', (parser) => fold(parser, 'reduce')],
  ['foreach', (parser) => fold(parser, 'foreach')],
  ['break', breaking],
]);

function attempt(parser: Parser): Filter {
  const body = parsePostfix(parser);
  return { kind: 'try', body, handler: accept(parser, 'catch') ? parsePostfix(parser) : null };
}

function breaking(parser: Parser): Filter {
  const name = `*${expectKind(parser, 'variable', 'the name of a label')}`;
  checkName(parser, name);
  return { kind: 'break', name };
}

function conditional(parser: Parser): Filter {
  const condition = parser.pipe(parser);
  expect(parser, 'then');
  const yes = parser.pipe(parser);
  return { kind: 'if', condition, yes, no: otherwise(parser) };
}

/** Without an `else` the value stays as it is. */
function otherwise(parser: Parser): Filter {
  if (accept(parser, 'elif')) return conditional(parser);
  const no = accept(parser, 'else') ? parser.pipe(parser) : identity;
  expect(parser, 'end');
  return no;
}

function fold(parser: Parser, kind: 'reduce' | 'foreach'): Filter {
  const source = parsePostfix(parser);
  expect(parser, 'as');
  const pattern = parsePattern(parser);
  expect(parser, '(');
  const start = parser.pipe(parser);
  expect(parser, ';');
  return naming(parser, namesIn(pattern), () => {
    const update = parser.pipe(parser);
    const extract = kind === 'foreach' && accept(parser, ';') ? parser.pipe(parser) : null;
    expect(parser, ')');
    const parts = { source, pattern, start, update };
    return kind === 'reduce' ? { kind, ...parts } : { kind, ...parts, extract };
  });
}

function call(parser: Parser, word: string): Filter {
  const args: Filter[] = [];
  if (accept(parser, '(')) {
    do {
      args.push(parser.pipe(parser));
    } while (accept(parser, ';'));
    expect(parser, ')');
  }
  const name = `${word}/${args.length}`;
  checkName(parser, name);
  return { kind: 'call', name, args };
}
