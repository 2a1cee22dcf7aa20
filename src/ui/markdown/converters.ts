import type {
  Definition,
  Image,
  ImageReference,
  Link,
  LinkReference,
  ListItem,
  Nodes,
  Parents,
  PhrasingContent,
  Table,
  TableCell,
} from 'mdast';
import { targetOf } from './links.ts';
import type { Cell, SafeNode, SafeNodes } from './tree.ts';

/** What is known while one text is gone through. */
export interface Conversion {
  readonly path: string;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly children: (node: Parents) => SafeNodes;
  /** A node as it is written in the source. */
  readonly written: (node: Nodes) => string;
  /** Levels without gaps, whatever was written. */
  readonly levelOf: (depth: number) => number;
  /** A name for a heading that no other has. */
  readonly idOf: (title: string) => string;
  /** The number of a note, by when it was first spoken of; null for one that is not there. */
  readonly noteOf: (identifier: string) => number | null;
}

type Converters = {
  readonly [T in Nodes['type']]?: (node: Extract<Nodes, { type: T }>, conversion: Conversion) => SafeNode | SafeNodes;
};

/** What becomes of each kind of node. What is not in here is not shown: definitions, and notes where they are written. */
export const converters: Converters = {
  text: ({ value }) => value,
  paragraph: (node, { children }) => ({ kind: 'paragraph', children: children(node) }),
  blockquote: (node, { children }) => ({ kind: 'quote', children: children(node) }),
  strong: (node, { children }) => ({ kind: 'strong', children: children(node) }),
  emphasis: (node, { children }) => ({ kind: 'emphasis', children: children(node) }),
  delete: (node, { children }) => ({ kind: 'deleted', children: children(node) }),
  break: () => ({ kind: 'break' }),
  thematicBreak: () => ({ kind: 'rule' }),
  code: ({ value, lang }) => ({ kind: 'code', text: value, language: lang ?? null }),
  inlineCode: ({ value }) => ({ kind: 'inlineCode', text: value }),
  html: ({ value }) => ({ kind: 'html', text: value }),
  heading: (node, { children, levelOf, idOf }) => ({
    kind: 'heading',
    level: levelOf(node.depth),
    id: idOf(textOf(node)),
    children: children(node),
  }),
  list: (node, { children }) => ({
    kind: 'list',
    start: node.ordered ? (node.start ?? 1) : null,
    children: children(node),
  }),
  listItem: (node, { children }) => ({
    kind: 'item',
    isDone: node.checked ?? null,
    children: tight(node, children(node)),
  }),
  table: tableOf,
  link: (node, conversion) => linkTo(node.url, node, conversion),
  linkReference: (node, conversion) => {
    const definition = conversion.definitions.get(node.identifier);
    return definition === undefined ? conversion.children(node) : linkTo(definition.url, node, conversion);
  },
  image: (node, conversion) => imageFrom(node.url, node, conversion),
  imageReference: (node, conversion) =>
    imageFrom(conversion.definitions.get(node.identifier)?.url ?? '', node, conversion),
  footnoteReference: ({ identifier, label }, { noteOf }) => {
    const number = noteOf(identifier);
    return number === null ? `[^${label ?? identifier}]` : { kind: 'noteMark', number };
  },
};

/** In a list without empty lines between its items, a paragraph is no more than its words. */
function tight({ spread }: ListItem, children: SafeNodes): SafeNodes {
  if (spread) return children;
  return children.flatMap((child) =>
    typeof child !== 'string' && child.kind === 'paragraph' ? child.children : [child],
  );
}

/** A table of more cells than this is shown as it is written. */
const mostCells = 5000;

function tableOf(table: Table, { children, written }: Conversion): SafeNode {
  const { align, children: rows } = table;
  if (rows.reduce((sum, row) => sum + row.children.length, 0) > mostCells) {
    return { kind: 'code', text: written(table), language: null };
  }
  const cellsOf = (cells: readonly TableCell[]): readonly Cell[] =>
    cells.map((cell, place) => ({ align: align?.[place] ?? null, children: children(cell) }));
  return { kind: 'table', rows: rows.map((row) => cellsOf(row.children)) };
}

function linkTo(url: string, node: Link | LinkReference, { path, children }: Conversion): SafeNode {
  return { kind: 'link', to: targetOf(url, path), children: children(node) };
}

function imageFrom(url: string, { alt }: Image | ImageReference, { path }: Conversion): SafeNode {
  return { kind: 'image', to: targetOf(url, path), alt: alt ?? '' };
}

/** The words of a heading. */
function textOf(node: Nodes | PhrasingContent): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
