import { type CST, Lexer, type LineCounter, Parser } from 'yaml';

interface Bounds {
  readonly depth: number;
  /** Number of errors after which parsing stops. */
  readonly errors?: number;
  readonly lines?: LineCounter;
}

/**
 * The tokens of third-party YAML; null where they are nested too deeply. The steps of the `yaml` package are taken
 * apart because its one-call form can be made to hang for minutes (`? ? ? …` as nested keys) or to abort the whole
 * process (`{{{…` overflows the stack inside a regular expression, which no `catch` sees): making nodes needs
 * recursion, making tokens does not. A parser that has lost its way refuses every word that follows, in thousands of
 * errors that nobody reads: the first few end the text.
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
    // The stack holds the open document, its nested collections and a scalar. The exact depth is known only in the end.
    if (parser.stack.length > 2 * depth) return null;
  }
  tokens.push(...parser.end());
  return isDeeperThan(depth, tokens) ? null : tokens;
}

/** Tells whether the token tree is nested more deeply than the limit, without recursion. */
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
