import type {
  Definition,
  FootnoteDefinition,
  Image,
  ImageReference,
  Link,
  LinkReference,
  ListItem,
  Nodes,
  Parents,
  PhrasingContent,
  Root,
  RootContent,
  Table,
  TableCell,
} from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { attempt } from '../../core/attempt.ts';
import type { Cell, MarkdownAnswer, MarkdownRequest, SafeNode, SafeNodes, SafeText, Target } from './tree.ts';

/**
 * Number of nodes drawn; the rest is shown as it is written. A page of a hundred thousand elements is no use to
 * anybody.
 */
const mostNodes = 20_000;
const deepest = 40;

/** Converts a tree of Markdown to plain, harmless data. */
export function safeTree(root: Root, source: string, path: string): SafeText {
  const { definitions, footnotes } = collected(root);
  const [headings, ids, notes] = [[] as number[], new Map<string, number>(), new Map<string, number>()];
  let [count, depth] = [0, 0];
  const isTooMuch = (): boolean => count >= mostNodes || depth >= deepest;
  const written = (nodes: readonly Nodes[]): string => {
    const [from, to] = [nodes[0]?.position?.start.offset ?? 0, nodes.at(-1)?.position?.end.offset];
    return to === undefined ? '' : source.slice(from, to);
  };

  const convert = (node: Nodes): SafeNodes => {
    count++;
    const converter = converters[node.type] as
      | ((node: Nodes, conversion: Conversion) => SafeNode | SafeNodes)
      | undefined;
    if (converter === undefined) return [];
    const made = converter(node, conversion);
    return Array.isArray(made) ? (made as SafeNodes) : [made as SafeNode];
  };
  const conversion: Conversion = {
    path,
    definitions,
    written: (node) => written([node]),
    children({ children }) {
      depth++;
      const made: SafeNode[] = [];
      for (const [place, child] of children.entries()) {
        if (isTooMuch()) {
          made.push(written(children.slice(place)));
          break;
        }
        made.push(...convert(child));
      }
      depth--;
      return made;
    },
    levelOf(written) {
      while ((headings.at(-1) ?? 0) >= written) headings.pop();
      headings.push(written);
      return Math.min(6, headings.length + 1);
    },
    idOf(title) {
      const slug = slugOf(title);
      const before = ids.get(slug) ?? 0;
      ids.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before}`;
    },
    noteOf(identifier) {
      if (!footnotes.has(identifier)) return null;
      if (!notes.has(identifier)) notes.set(identifier, notes.size + 1);
      return notes.get(identifier) ?? null;
    },
  };

  const nodes: SafeNode[] = [];
  let rest = '';
  for (const block of root.children as readonly RootContent[]) {
    if (count >= mostNodes) {
      rest = source.slice(block.position?.start.offset ?? source.length);
      break;
    }
    nodes.push(...convert(block));
  }
  const shown = notesOf(notes, footnotes, conversion);
  return { nodes: shown.length === 0 ? nodes : [...nodes, { kind: 'notes', notes: shown }], rest };
}

/** The footnotes. One may refer to further ones, which then come after it. */
function notesOf(
  notes: ReadonlyMap<string, number>,
  footnotes: ReadonlyMap<string, FootnoteDefinition>,
  conversion: Conversion,
): { number: number; children: SafeNodes }[] {
  const shown = [];
  for (const [identifier, number] of notes) {
    const note = footnotes.get(identifier);
    if (note !== undefined) shown.push({ number, children: conversion.children(note) });
  }
  return shown;
}

/** Collects definitions and footnotes, wherever they are. The first of a name counts. */
function collected(root: Root) {
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, FootnoteDefinition>();
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node);
    if ('children' in node) for (const child of node.children.toReversed()) open.push(child);
  }
  return { definitions, footnotes };
}

/** State of the conversion of one text. */
interface Conversion {
  readonly path: string;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly children: (node: Parents) => SafeNodes;
  /** The source text of a node. */
  readonly written: (node: Nodes) => string;
  /** The level of a heading, without gaps, whatever was written. */
  readonly levelOf: (depth: number) => number;
  /** A unique id for a heading. */
  readonly idOf: (title: string) => string;
  /** The number of a footnote, by its first reference; null for one that does not exist. */
  readonly noteOf: (identifier: string) => number | null;
}

type Converters = {
  readonly [T in Nodes['type']]?: (node: Extract<Nodes, { type: T }>, conversion: Conversion) => SafeNode | SafeNodes;
};

/** Converters by kind of node. Other kinds are not shown: definitions, and footnotes where they are written. */
const converters: Converters = {
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

/** The children of a list item; in a list without empty lines between its items, a paragraph is just its words. */
function tight({ spread }: ListItem, children: SafeNodes): SafeNodes {
  if (spread) return children;
  return children.flatMap((child) =>
    typeof child !== 'string' && child.kind === 'paragraph' ? child.children : [child],
  );
}

/** Number of cells above which a table is shown as it is written. */
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

/** The text of a heading. */
function textOf(node: Nodes | PhrasingContent): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

const frontMatter = /^\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s;

export function parseMarkdown({ text, path }: MarkdownRequest): MarkdownAnswer {
  try {
    const [head = '', settings = ''] = frontMatter.exec(text) ?? [];
    const body = text.slice(head.length);
    const tree = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
    const { nodes, rest } = safeTree(tree, body, path);
    const before: SafeNodes = head === '' ? [] : [{ kind: 'code', text: settings, language: 'yaml' }];
    return { nodes: [...before, ...nodes], rest };
  } catch {
    // Too deeply nested for the stack. As plain text it can still be read.
    return null;
  }
}

const scheme = /^[a-z][a-z0-9+.-]*:/i;
const allowed = /^(?:https?|mailto):/i;
// A browser drops some of these before it looks for a scheme, so that a text with one may mean another address.
const controls = /[\u0000-\u001f\u007f-\u009f]/;
const longest = 4000;

/** Decides where a link in a file of a skill leads. One that is not known to be harmless leads nowhere. */
export function targetOf(written: string, from: string): Target {
  const address = written.trim();
  const nowhere: Target = { kind: 'nowhere', address: address.slice(0, longest) };
  if (address === '' || address.length > longest || controls.test(address)) return nowhere;
  if (scheme.test(address)) return outsideOf(address) ?? nowhere;
  if (address.startsWith('#')) return { kind: 'anchor', anchor: decoded(address.slice(1)) ?? address.slice(1) };
  return fileOf(address, from) ?? nowhere;
}

function outsideOf(address: string): Target | null {
  if (!allowed.test(address) || !URL.canParse(address)) return null;
  const { href, protocol } = new URL(address);
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? { kind: 'outside', href } : null;
}

function fileOf(address: string, from: string): Target | null {
  const [, written = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(address) ?? [];
  if (written === '' || written.startsWith('/') || written.endsWith('/')) return null;
  const path = pathFrom(from, written.split('/').map(decoded));
  return path === null ? null : { kind: 'file', path, anchor: decoded(fragment) ?? fragment };
}

/** A path below the skill's folder, or null where it leads out of it. */
function pathFrom(from: string, steps: readonly (string | null)[]): string | null {
  const parts = from.split('/').slice(0, -1);
  for (const step of steps) {
    if (step === null || /[/\\]/.test(step) || controls.test(step)) return null;
    if (step === '..' && parts.pop() === undefined) return null;
    if (step !== '..' && step !== '.' && step !== '') parts.push(step);
  }
  return parts.length === 0 ? null : parts.join('/');
}

function decoded(text: string): string | null {
  return attempt(() => decodeURIComponent(text), null);
}

/** The id of a heading in links, as most Markdown renderers make it. */
export function slugOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
