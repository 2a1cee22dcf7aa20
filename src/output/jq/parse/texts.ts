import { deeper, type Parser, within } from './parser.ts';
import type { Filter } from './syntax.ts';
import type { Token } from './tokens.ts';

/** A text, with whatever stands in it as `\(…)`. */
export function textFilter(parser: Parser, { parts = [] }: Token, format = 'text'): Filter {
  const [only = ''] = parts;
  if (parts.length === 1 && typeof only === 'string') return { kind: 'literal', value: only };
  return {
    kind: 'text',
    format,
    parts: parts.map((part) =>
      typeof part === 'string' ? part : deeper(parser, () => within(parser, part, parser.pipe)),
    ),
  };
}
