import { accept, checkName, expect, type Parser, peek, unexpected } from './parser.ts';
import { type Entry, type Filter, identity } from './syntax.ts';
import { textFilter } from './texts.ts';

/** `{a, b: .c, "d", (filter): value, $x}`, after the brace that opens. */
export function parseObject(parser: Parser): Filter {
  const entries: Entry[] = [];
  while (!accept(parser, '}')) {
    if (entries.length > 0 && !accept(parser, ',')) throw unexpected(parser, '"," or "}"');
    entries.push(parseEntry(parser));
  }
  return { kind: 'object', entries };
}

function parseEntry(parser: Parser): Entry {
  const { kind, text } = peek(parser);
  if (accept(parser, '(')) {
    const key = parser.pipe(parser);
    expect(parser, ')');
    expect(parser, ':');
    return { key, value: parser.entryValue(parser) };
  }
  if (kind === 'variable') return variableEntry(parser, text);
  const key = parseKey(parser);
  if (accept(parser, ':')) return { key, value: parser.entryValue(parser) };
  return { key, value: { kind: 'index', of: identity, key } };
}

/** `{$x}` stands for `{"x": $x}`. */
function variableEntry(parser: Parser, name: string): Entry {
  parser.next++;
  checkName(parser, `$${name}`);
  const value: Filter = { kind: 'variable', name: `$${name}` };
  if (accept(parser, ':')) return { key: value, value: parser.entryValue(parser) };
  return { key: { kind: 'literal', value: name }, value };
}

function parseKey(parser: Parser): Filter {
  const token = peek(parser);
  if (token.kind === 'text') {
    parser.next++;
    return textFilter(parser, token);
  }
  if (token.kind === 'word') {
    parser.next++;
    return { kind: 'literal', value: token.text };
  }
  throw unexpected(parser, 'a key of an object');
}
