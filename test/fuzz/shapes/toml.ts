import { parse } from 'smol-toml';
import { Entries, Raw, type Shape, type Tree } from '../tree.ts';
import { treeOf } from './json.ts';

const keyOf = (name: string): string => (/^[\w-]+$/.test(name) ? name : textOf(name));
/** JSON escapes all that TOML wants escaped, but for one character; half a surrogate pair has no place in either. */
const textOf = (text: string): string => JSON.stringify(Buffer.from(text).toString()).replaceAll('\u007f', '\\u007f');

function numberOf(number: number): string {
  const written = Number.isSafeInteger(number) ? String(number) : number.toExponential();
  return { Infinity: 'inf', '-Infinity': '-inf', NaN: 'nan' }[written] ?? written.replace('+', '');
}

function inLine(tree: Tree): string {
  if (tree instanceof Raw) return tree.bytes;
  if (Array.isArray(tree)) return `[${tree.map(inLine).join(', ')}]`;
  if (tree instanceof Entries)
    return `{ ${tree.entries.map(([name, value]) => `${keyOf(name)} = ${inLine(value)}`).join(', ')} }`;
  if (typeof tree === 'string') return textOf(tree);
  return typeof tree === 'number' ? numberOf(tree) : String(tree === true);
}

const isTables = (tree: Tree): tree is readonly Entries[] =>
  Array.isArray(tree) && tree.length > 0 && tree.every((item) => item instanceof Entries);
/** Deeper ones are written in a line. */
const deepestTable = 4;

function linesOf({ entries }: Entries, path: readonly string[]): readonly string[] {
  const isOwnTable = (value: Tree): boolean =>
    path.length < deepestTable && (value instanceof Entries || isTables(value));
  const plain = entries
    .filter(([, value]) => !isOwnTable(value))
    .map(([name, value]) => `${keyOf(name)} = ${inLine(value)}`);
  const tables = entries
    .filter(([, value]) => isOwnTable(value))
    .flatMap(([name, value]) => {
      const inner = [...path, keyOf(name)];
      if (value instanceof Entries) return [`[${inner.join('.')}]`, ...linesOf(value, inner)];
      return isTables(value) ? value.flatMap((item) => [`[[${inner.join('.')}]]`, ...linesOf(item, inner)]) : [];
    });
  return [...plain, ...tables];
}

export const toml: Shape = {
  read(input) {
    try {
      return treeOf(parse(input.toString('utf8')));
    } catch {
      return;
    }
  },
  write: (tree) =>
    Buffer.from(`${linesOf(tree instanceof Entries ? tree : new Entries([['a', tree]]), []).join('\n')}\n`),
};
