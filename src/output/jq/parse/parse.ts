import {
  accept,
  deeper,
  expect,
  expectKind,
  isNext,
  type Names,
  naming,
  type Parser,
  peek,
  take,
  unexpected,
} from './parser.ts';
import type { AssignOperator, BinaryOperator, Definition, Filter } from './syntax.ts';
import { parseTerm } from './terms.ts';
import { tokenize } from './tokens.ts';

/** Takes a filter apart, or tells what is wrong with it and where. */
export function parseFilter(source: string, builtins: ReadonlySet<string>): Filter {
  const parser = createParser(source, builtins, { name: '$ENV', before: null });
  if (peek(parser).kind === 'end') return { kind: 'identity' };
  const filter = parsePipe(parser);
  if (peek(parser).kind !== 'end') throw unexpected(parser, 'an operator or the end');
  return filter;
}

/** Takes apart a function of which the text is `name(parameters): body;`. */
export function parseDefinition(source: string, builtins: ReadonlySet<string>): Definition {
  return definition(createParser(source, builtins, null));
}

function createParser(source: string, builtins: ReadonlySet<string>, names: Names): Parser {
  const tokens = tokenize(source);
  return { source, builtins, pipe: parsePipe, entryValue: parseEntryValue, tokens, next: 0, depth: 0, names };
}

/** The loosest of all: `a | b`, and what reaches to the end of it. */
function parsePipe(parser: Parser): Filter {
  return deeper(parser, () => {
    const stages: Filter[] = [];
    do {
      stages.push(parseStage(parser));
    } while (accept(parser, '|'));
    return stages.reduceRight((right, left) => ({ kind: 'pipe', left, right }));
  });
}

function parseStage(parser: Parser): Filter {
  if (accept(parser, 'def')) return defining(parser);
  if (accept(parser, 'label')) return labelling(parser);
  return parseComma(parser);
}

/** What may stand in an object as a value: no commas, for they part its entries. */
function parseEntryValue(parser: Parser): Filter {
  return deeper(parser, () => {
    const left = parseOperators(parser, 0);
    return accept(parser, '|') ? { kind: 'pipe', left, right: parseEntryValue(parser) } : left;
  });
}

function parseComma(parser: Parser): Filter {
  let left = parseOperators(parser, 0);
  while (accept(parser, ',')) left = { kind: 'comma', left, right: parseOperators(parser, 0) };
  return left;
}

interface Level {
  readonly operators: readonly string[];
  /** Whether it groups from the left, from the right, or may not stand beside itself. */
  readonly groups: 'left' | 'right' | 'never';
  readonly build: (operator: string, left: Filter, right: Filter) => Filter;
}

const binary: Level['build'] = (operator, left, right) => ({
  kind: 'binary',
  operator: operator as BinaryOperator,
  left,
  right,
});

/** The loosest first. */
const levels: readonly Level[] = [
  { operators: ['//'], groups: 'right', build: (_, left, right) => ({ kind: 'alternative', left, right }) },
  {
    operators: ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='],
    groups: 'never',
    build: (operator, left, right) => ({ kind: 'assign', operator: operator as AssignOperator, left, right }),
  },
  { operators: ['or'], groups: 'left', build: (_, left, right) => ({ kind: 'or', left, right }) },
  { operators: ['and'], groups: 'left', build: (_, left, right) => ({ kind: 'and', left, right }) },
  { operators: ['==', '!=', '<', '<=', '>', '>='], groups: 'never', build: binary },
  { operators: ['+', '-'], groups: 'left', build: binary },
  { operators: ['*', '/', '%'], groups: 'left', build: binary },
];

function parseOperators(parser: Parser, depth: number): Filter {
  const level = levels[depth];
  if (level === undefined) return parseSigned(parser);
  let left = parseOperators(parser, depth + 1);
  for (let operator = nextOperator(parser, level); operator !== null; operator = nextOperator(parser, level)) {
    parser.next++;
    if (level.groups === 'right') {
      return level.build(
        operator,
        left,
        deeper(parser, () => parseOperators(parser, depth)),
      );
    }
    left = level.build(operator, left, parseOperators(parser, depth + 1));
    if (level.groups === 'never' && nextOperator(parser, level) !== null) {
      throw unexpected(parser, 'parentheses around one of two comparisons or assignments');
    }
  }
  return left;
}

function nextOperator(parser: Parser, { operators }: Level): string | null {
  return operators.find((operator) => isNext(parser, operator)) ?? null;
}

function parseSigned(parser: Parser): Filter {
  if (!accept(parser, '-')) return parseTerm(parser);
  return { kind: 'negate', of: deeper(parser, parseSigned) };
}

function defining(parser: Parser): Filter {
  const made = definition(parser);
  const body = naming(parser, [made.name], () => parsePipe(parser));
  return { kind: 'define', definition: made, body };
}

/** A function may call itself, and a parameter `$x` is known as `x` as well. */
function definition(parser: Parser): Definition {
  const word = expectKind(parser, 'word', 'the name of a function');
  const parameters: string[] = [];
  if (accept(parser, '(')) {
    do {
      parameters.push(parameter(parser));
    } while (accept(parser, ';'));
    expect(parser, ')');
  }
  expect(parser, ':');
  const name = `${word}/${parameters.length}`;
  const known = parameters.flatMap((one) => (one.startsWith('$') ? [one, `${one.slice(1)}/0`] : [`${one}/0`]));
  const body = naming(parser, [name, ...known], () => parsePipe(parser));
  expect(parser, ';');
  return { name, parameters, body };
}

function parameter(parser: Parser): string {
  const token = take(parser);
  if (token.kind === 'variable') return `$${token.text}`;
  if (token.kind === 'word') return token.text;
  parser.next--;
  throw unexpected(parser, 'the name of a parameter');
}

function labelling(parser: Parser): Filter {
  const name = `*${expectKind(parser, 'variable', 'a name such as $out')}`;
  expect(parser, '|');
  return { kind: 'label', name, body: naming(parser, [name], () => parsePipe(parser)) };
}
