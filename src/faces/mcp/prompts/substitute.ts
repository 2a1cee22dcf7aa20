/** Arguments that a user gave a skill. */
export interface Given {
  /** The arguments as they were written. */
  readonly whole: string;
  /** The arguments one by one. */
  readonly parts: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

/** Splits a text as a shell would: quotes keep words together. */
export function givenText(whole: string): Given {
  return { whole, parts: wordsOf(whole), named: new Map() };
}

/** Arguments given by name, in the order in which the skill declares them. */
export function givenValues(names: readonly string[], values: Readonly<Record<string, string>>): Given {
  const named = new Map(names.map((name) => [name, (Object.hasOwn(values, name) && values[name]) || '']));
  const parts = [...named.values()];
  while (parts.at(-1) === '') parts.pop();
  return { whole: parts.filter((part) => part !== '').join(' '), parts, named };
}

const word = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+/gs;
const piece = /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)|([^"'\\]+|["'\\])/gs;

function wordsOf(text: string): string[] {
  const unquoted = (one: string): string =>
    one.replace(piece, (_, double?: string, single?: string, escaped?: string, plain?: string) => {
      return double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain ?? '';
    });
  return (text.match(word) ?? []).map(unquoted);
}

/** A pattern for the placeholders. Of two names, the longer one is meant where both would fit. */
function placesFor(named: ReadonlyMap<string, string>): RegExp {
  const names = [...named.keys()].sort((a, b) => b.length - a.length);
  const kinds = [
    String.raw`ARGUMENTS\[(?<index>\d{1,3})\]`,
    String.raw`ARGUMENTS(?!\w)`,
    String.raw`(?<number>\d{1,3})(?!\w)`,
    ...(names.length > 0 ? [String.raw`(?<name>${names.join('|')})(?!\w)`] : []),
  ];
  return new RegExp(String.raw`(?<!\\)(?<slashes>\\*)\$(?:${kinds.join('|')})`, 'g');
}

/**
 * Replaces the placeholders in a skill's text: `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0` and `$name`. A numbered one for
 * which nothing was given stays as it is, since a price looks the same; one behind a single backslash is literal. Text
 * without any placeholder gets the arguments at its end.
 */
export function substitute(text: string, { whole, parts, named }: Given): string {
  let isPlaced = false;
  const filled = text.replace(placesFor(named), (...match) => {
    const all = match[0] as string;
    const { slashes = '', index, number = index, name } = match.at(-1) as Groups;
    if (slashes.length === 1) return all.slice(1);
    const value = name !== undefined ? named.get(name) : number !== undefined ? parts[Number(number)] : whole;
    if (value === undefined) return all;
    isPlaced = true;
    return slashes + value;
  });
  return isPlaced || whole === '' ? filled : `${filled.trimEnd()}\n\nARGUMENTS: ${whole}`;
}

interface Groups {
  readonly slashes?: string;
  readonly index?: string;
  readonly number?: string;
  readonly name?: string;
}
