import { deepest, Entries, Raw, type Shape, type Tree } from '../tree.ts';

/** Throws where the value is nested too deeply. */
export function treeOf(value: unknown, depth = 0): Tree {
  if (depth > deepest) throw new Error('nested too deeply');
  if (Array.isArray(value)) return value.map((item) => treeOf(item, depth + 1));
  if (value instanceof Date) return new Raw(value.toISOString());
  if (typeof value === 'object' && value !== null)
    return new Entries(Object.entries(value).map(([name, part]) => [name, treeOf(part, depth + 1)]));
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

export function parsedJson(text: string): Tree | undefined {
  try {
    return treeOf(JSON.parse(text));
  } catch {
    return;
  }
}

export function writtenJson(tree: Tree): string {
  if (tree instanceof Raw) return tree.bytes;
  if (Array.isArray(tree)) return `[${tree.map(writtenJson).join()}]`;
  if (!(tree instanceof Entries)) return JSON.stringify(tree);
  return `{${tree.entries.map(([name, value]) => `${JSON.stringify(name)}:${writtenJson(value)}`).join()}}`;
}

export const json: Shape = {
  read: (input) => parsedJson(input.toString('utf8')),
  write: (tree) => Buffer.from(writtenJson(tree)),
};

/** What every message says goes without saying, so that changes are in the rest. */
const version = ['jsonrpc', '2.0'] as const;
const isVersion = ([name, value]: readonly [string, Tree]): boolean => name === version[0] && value === version[1];

export function withoutVersion(tree: Tree): Tree {
  return tree instanceof Entries ? new Entries(tree.entries.filter((entry) => !isVersion(entry))) : tree;
}

export function withVersion(tree: Tree): Tree {
  return tree instanceof Entries ? new Entries([version, ...tree.entries]) : tree;
}

/** Each line is a message, or stays as it is. */
export const jsonRpcLines: Shape = {
  read: (input) =>
    input
      .toString('utf8')
      .split('\n')
      .map((line) => withoutVersion(parsedJson(line) ?? new Raw(line))),
  write: (tree) =>
    Buffer.from((Array.isArray(tree) ? tree : [tree]).map((line) => writtenJson(withVersion(line))).join('\n')),
};
