import type { Definition, FootnoteDefinition, Nodes, Root, RootContent } from 'mdast';
import { type Conversion, converters } from './converters.ts';
import { slugOf } from './links.ts';
import type { SafeNode, SafeNodes, SafeText } from './tree.ts';

/** So much is drawn; the rest is shown as it is written. A page of a hundred thousand elements is no use to anybody. */
const mostNodes = 20_000;
const deepest = 40;

/** Makes plain, harmless data of a tree of Markdown. */
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

/** A note may speak of further notes, which then come after it. */
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

/** What other places of the text refer to, wherever it stands. The first of a name counts. */
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
