import type { Random } from './mutate.ts';

/** What is written as it is. */
export class Raw {
  readonly bytes: string;
  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** Names with values, in order; unlike in an object, a name may come twice. */
export class Entries {
  readonly entries: readonly (readonly [name: string, value: Tree])[];
  constructor(entries: Entries['entries']) {
    this.entries = entries;
  }
}

/** What an input says, whatever it is written in. */
export type Tree = null | boolean | number | string | Raw | Entries | readonly Tree[];

/** How a target's inputs are written. Changes of bytes alone rarely get past the first thing that checks how they are. */
export interface Shape {
  /** Undefined where the bytes are of another shape. */
  read(input: Buffer): Tree | undefined;
  write(tree: Tree): Buffer;
}

interface Material {
  readonly trees: readonly Tree[];
  readonly words: readonly Buffer[];
}

type Change = (node: Tree, random: Random, material: Material) => Tree | undefined;

const isList = (tree: Tree): tree is readonly Tree[] => Array.isArray(tree);

const names = ['', '__proto__', 'constructor', 'toString', 'a.b', ' ', '"', '\n', 'é', '-', '1'];
const leaves: readonly Tree[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  127,
  128,
  65_536,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 53,
  1e300,
  '',
  '.',
  '..',
  '../..',
  '/',
  '~',
  '*',
  '\0',
  '\n',
  '\u001b[31m',
  '\u202e',
  '\ud800',
  '{x}',
  '$HOME',
  '-',
  'a'.repeat(300),
  [],
  new Entries([]),
];

const wordOf = (random: Random, { words }: Material): string => String(words[random(words.length)] ?? '');
const oneOf = <T>(random: Random, list: readonly T[], other: T): T => list[random(list.length)] ?? other;

const changes: readonly Change[] = [
  () => undefined,
  (node, random) => like(node, () => oneOf(random, leaves, null)),
  (node, random, material) => (typeof node === 'string' ? wordOf(random, material) : graftOf(node, random, material)),
  graftOf,
  graftOf,
  edited,
  edited,
  edited,
  grown,
  grown,
  (node, random) => {
    let deep = node;
    for (let times = 2 ** random(random(8) === 0 ? 8 : 3); times > 0; times--) deep = wrapped(deep, random);
    return deep;
  },
];

/** Trees that are nested deeper are not taken apart: how deep a stack may get is not the same everywhere. */
export const deepest = 300;

/** Larger ones would be cut, and be of no shape then. */
const [longestText, mostNodes] = [8000, 2000];

/** The tree with a few of its nodes changed. */
export function changedTree(tree: Tree, random: Random, material: Material): Tree {
  let changed = tree;
  for (let times = random(2) === 0 ? 1 : 1 + random(4); times > 0; times--) {
    const change = oneOf(random, changes, graftOf);
    const at = random(sizeOf(changed));
    changed = replaced(changed, at, (node) => change(node, random, material)) ?? null;
  }
  return changed;
}

/** One of the same kind, if it is found soon. */
function like(node: Tree, next: () => Tree): Tree {
  let found = next();
  for (let tries = 4; tries > 0 && kindOf(found) !== kindOf(node); tries--) found = next();
  return found;
}

/** A part of any tree. */
function graftOf(node: Tree, random: Random, { trees }: Material): Tree {
  return like(node, () => {
    const tree = oneOf(random, trees, node);
    return nodeAt(tree, random(sizeOf(tree)));
  });
}

function edited(node: Tree, random: Random, material: Material): Tree {
  if (typeof node === 'number') return random(4) === 0 ? 2 ** random(34) - random(2) : node + random(9) - 4;
  if (typeof node === 'boolean') return !node;
  if (typeof node === 'string') return editedText(node, random, material);
  if (node instanceof Raw) return new Raw(editedText(node.bytes, random, material));
  if (node instanceof Entries) return renamed(node, random, material);
  if (isList(node)) return [...node].reverse();
  return oneOf(random, leaves, null);
}

function editedText(text: string, random: Random, material: Material): string {
  const [from, to] = [random(text.length + 1), random(text.length + 1)].sort((a, b) => a - b) as [number, number];
  const more = [
    '',
    String.fromCharCode(random(128)),
    String.fromCharCode(random(65_536)),
    wordOf(random, material),
    text
      .slice(from, to)
      .repeat(2 ** random(random(8) === 0 ? 10 : 3))
      .slice(0, longestText),
  ];
  return text.slice(0, from) + oneOf(random, more, '') + text.slice(random(2) === 0 ? from : to);
}

function renamed({ entries }: Entries, random: Random, material: Material): Tree {
  const at = random(entries.length);
  return new Entries(entries.map(([name, value], index) => [index === at ? nameFor(random, material) : name, value]));
}

/** With one thing more, or many of one. */
function grown(node: Tree, random: Random, material: Material): Tree {
  const wanted = 2 ** random(random(8) === 0 ? 11 : 3);
  const timesOf = (graft: Tree): number => Math.max(1, Math.min(wanted, Math.floor(mostNodes / sizeOf(graft))));
  if (node instanceof Entries) {
    const value = graftOf(oneOf(random, node.entries, ['', null])[1], random, material);
    const name = nameFor(random, material);
    const more = Array.from(
      { length: timesOf(value) },
      (_, number) => [number === 0 ? name : `${name}${number}`, value] as const,
    );
    return new Entries([...node.entries, ...more]);
  }
  const list = isList(node) ? node : [node];
  const item = graftOf(oneOf(random, list, null), random, material);
  return [...list, ...Array<Tree>(isList(node) ? timesOf(item) : 1).fill(item)];
}

const wrapped = (node: Tree, random: Random): Tree => (random(2) === 0 ? [node] : new Entries([['a', node]]));

/** The name of something in any tree, or an odd one. */
function nameFor(random: Random, material: Material): string {
  const graft = graftOf(new Entries([]), random, material);
  const known = graft instanceof Entries ? graft.entries.map(([name]) => name) : [];
  return random(4) === 0 ? oneOf(random, names, '') : oneOf(random, known, 'a');
}

/** Lists are told apart by their first item, entries by their first name. */
function kindOf(tree: Tree): string {
  if (tree instanceof Raw) return 'raw';
  if (tree instanceof Entries) return `entries ${tree.entries[0]?.[0]}`;
  return isList(tree) ? `list ${tree[0] instanceof Entries ? kindOf(tree[0]) : typeof tree[0]}` : typeof tree;
}

const partsOf = (tree: Tree): readonly Tree[] =>
  isList(tree) ? tree : tree instanceof Entries ? tree.entries.map(([, value]) => value) : [];

const sizes = new WeakMap<object, number>();

/** How many nodes a tree has, itself included. */
function sizeOf(tree: Tree): number {
  if (typeof tree !== 'object' || tree === null) return 1;
  const known = sizes.get(tree);
  if (known !== undefined) return known;
  let size = 1;
  for (const part of partsOf(tree)) size += sizeOf(part);
  sizes.set(tree, size);
  return size;
}

function nodeAt(tree: Tree, at: number): Tree {
  let left = at - 1;
  for (const part of at === 0 ? [] : partsOf(tree)) {
    if (left < sizeOf(part)) return nodeAt(part, left);
    left -= sizeOf(part);
  }
  return tree;
}

/** Undefined where the node was the tree itself, and is to go. */
function replaced(tree: Tree, at: number, change: (node: Tree) => Tree | undefined): Tree | undefined {
  if (at === 0) return change(tree);
  let left = at - 1;
  const next = (part: Tree): Tree | undefined => {
    const result = left >= 0 && left < sizeOf(part) ? replaced(part, left, change) : part;
    left -= sizeOf(part);
    return result;
  };
  if (isList(tree)) return tree.map(next).filter((part) => part !== undefined);
  if (!(tree instanceof Entries)) return tree;
  return new Entries(
    tree.entries.flatMap(([name, value]) => {
      const result = next(value);
      return result === undefined ? [] : [[name, result] as const];
    }),
  );
}
