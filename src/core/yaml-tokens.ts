import { type CST, Lexer, type LineCounter, Parser } from 'yaml';

interface Bounds {
  readonly depth: number;
  /** How many errors are enough. */
  readonly errors?: number;
  readonly lines?: LineCounter;
}

/**
 * The tokens of YAML from strangers; null where they are nested more deeply than they may be. The steps of the `yaml`
 * package are taken apart because its one-call form can be made to hang for minutes (`? ? ? …` as nested keys) or to
 * abort the whole process (`{{{…` overflows the stack inside a regular expression, which no `catch` sees): making nodes
 * needs recursion, making tokens does not. A parser that has lost its way refuses every word that follows, in thousands
 * of errors that nobody reads: the first few end the text.
 */
export function yamlTokens(
  text: string,
  { depth, errors = Number.POSITIVE_INFINITY, lines }: Bounds,
): CST.Token[] | null {
  const parser = new Parser(lines?.addNewLine);
  const tokens: CST.Token[] = [];
  let refused = 0;
  lines?.addNewLine(0);
  for (const word of new Lexer().lex(text)) {
    for (const token of parser.next(word)) {
      tokens.push(token);
      if (token.type === 'error') refused++;
    }
    if (refused >= errors) break;
    // What is open: a document, one collection within the other, and a scalar. The exact depth is known in the end.
    if (parser.stack.length > 2 * depth) return null;
  }
  tokens.push(...parser.end());
  return isDeeperThan(depth, tokens) ? null : tokens;
}

/** Nesting of the token tree, without recursion. */
function isDeeperThan(limit: number, tokens: readonly CST.Token[]): boolean {
  const rest: [unknown, number][] = tokens.map((token) => [token, 0]);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [token, depth] = next;
    if (typeof token !== 'object' || token === null) continue;
    if (depth > limit) return true;
    const { items, value } = token as { items?: { key?: unknown; value?: unknown }[]; value?: unknown };
    if (Array.isArray(items)) {
      for (const item of items) rest.push([item.key, depth + 1], [item.value, depth + 1]);
    } else {
      rest.push([value, depth]);
    }
  }
  return false;
}
