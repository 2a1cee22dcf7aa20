/** What a user gave a skill to work with. */
export interface Given {
  /** All of it, as it was written. */
  readonly whole: string;
  /** One by one. */
  readonly parts: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

/** Text given as a whole, taken apart as a shell would: quotes keep words together. */
export function givenText(whole: string): Given {
  return { whole, parts: wordsOf(whole), named: new Map() };
}

/** Values given by name, in the order in which the skill declares them. */
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

/** The places for what was given. Of two names, the longer one is meant where both would fit. */
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
 * Puts what was given in the places that a skill's text has for it: `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0` and `$name`. A
 * place for which nothing was given by number stays as it is, since a price looks the same; one behind a single
 * backslash is meant as it stands. Text without any place gets what was given at its end.
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
