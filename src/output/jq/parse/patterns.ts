import { accept, deeper, expect, type Parser, peek, take, unexpected } from './parser.ts';
import type { Filter, Pattern, PatternEntry } from './syntax.ts';
import { textFilter } from './texts.ts';

/** `$x`, `[$a, $b]`, `{a: $x, $b}`, and these within each other. */
export function parsePattern(parser: Parser): Pattern {
  return deeper(parser, () => {
    if (peek(parser).kind === 'variable') return { kind: 'name', name: `$${take(parser).text}` };
    if (accept(parser, '[')) return { kind: 'list', items: listed(parser, ']', parsePattern) };
    if (accept(parser, '{')) return { kind: 'object', entries: listed(parser, '}', entry) };
    throw unexpected(parser, 'a name such as $x, or a pattern of them');
  });
}

function listed<T>(parser: Parser, close: string, parse: (parser: Parser) => T): T[] {
  const items: T[] = [];
  do {
    items.push(parse(parser));
  } while (accept(parser, ','));
  expect(parser, close);
  return items;
}

function entry(parser: Parser): PatternEntry {
  const token = peek(parser);
  if (token.kind === 'variable') {
    parser.next++;
    const inside = accept(parser, ':') ? parsePattern(parser) : null;
    return { key: { kind: 'literal', value: token.text }, name: `$${token.text}`, inside };
  }
  const key = patternKey(parser);
  expect(parser, ':');
  return { key, name: null, inside: parsePattern(parser) };
}

function patternKey(parser: Parser): Filter {
  if (accept(parser, '(')) {
    const key = parser.pipe(parser);
    expect(parser, ')');
    return key;
  }
  const token = peek(parser);
  if (token.kind !== 'word' && token.kind !== 'text') throw unexpected(parser, 'a key');
  parser.next++;
  return token.kind === 'text' ? textFilter(parser, token) : { kind: 'literal', value: token.text };
}
