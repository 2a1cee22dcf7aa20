import { added, hasComments, removed } from './box.ts';
import { type JsonMember, type JsonNode, jsonComment, readJsonText } from './json-read.ts';
import { writeJson } from './json-write.ts';
import {
  cutOut,
  endsLine,
  indentAt,
  insertAt,
  lineAt,
  lineStart,
  newlineOf,
  type Splice,
  spliced,
  startsLine,
  unitOf,
} from './splice.ts';
import { type Editor, type Json, type JsonMap, type Path, Refusal } from './types.ts';
import { isMap, wrapped } from './values.ts';

/**
 * A map that gets its first entry is remembered in how that is written, as nothing else would last as long: blanks
 * before the colon say that the map was there before. One: as `{}`. Two: with blanks in it, which are kept. With none,
 * a map that is laid out as we do it was made for the entry, and goes with it.
 */
const marks = { made: '', empty: ' ', blank: '  ' } as const;

type Mark = (typeof marks)[keyof typeof marks];

export const jsonEditor: Editor = {
  read(text) {
    const root = readJsonText(text);
    return root === null ? {} : mapOf(text, root);
  },
  put(text, at, value) {
    const root = readJsonText(text);
    if (root === null) return withRoot(text, wrapped(at, value));
    return spliced(text, putIn(text, root, at, value));
  },
  drop(text, at) {
    const root = readJsonText(text);
    return root === null ? text : spliced(text, dropFrom(text, root, at));
  },
};

function mapOf(text: string, root: JsonNode): JsonMap {
  if (isMap(root.value)) return root.value;
  throw new Refusal('its outermost value is not an object in { }', lineAt(text, root.from));
}

/** The first thing in a file that is empty, or has only comments. */
function withRoot(text: string, value: Json): string {
  const newline = newlineOf(text);
  const written = writeJson(value, { indent: '', unit: unitOf(text), newline });
  if (text === '') return written + newline;
  return text.endsWith('\n') ? text + written + newline : text + newline + written;
}

function putIn(text: string, node: JsonNode, at: Path, value: Json): Splice[] {
  const [key = '', ...rest] = at;
  const member = memberOf(text, node, key);
  if (member === undefined) return addTo(text, node, key, wrapped(rest, value));
  if (rest.length > 0) return putIn(text, member.node, rest, value);
  const { from, to } = member.node;
  const isWide = startsLine(text, member.from) || text.slice(from, to).includes('\n');
  return [{ from, to, text: writeJson(value, layoutOf(text, isWide ? indentAt(text, member.from) : null)) }];
}

function layoutOf(text: string, indent: string | null) {
  return { indent, unit: unitOf(text), newline: newlineOf(text) };
}

export function memberOf(text: string, node: JsonNode, key: string): JsonMember | undefined {
  const found = node.box?.members.filter((member) => member.key === key) ?? [];
  if (found.length > 1) {
    throw new Refusal(`it has the name ${JSON.stringify(key)} twice`, lineAt(text, found[1]?.from ?? 0));
  }
  return found[0];
}

function addTo(text: string, { box, from }: JsonNode, key: string, value: Json): Splice[] {
  if (box === null)
    throw new Refusal(`${JSON.stringify(key)} has no place: what is around it is not an object`, lineAt(text, from));
  const write = (indent: string | null, mark: Mark) =>
    `${JSON.stringify(key)}${mark}: ${writeJson(value, layoutOf(text, indent))}`;
  if (box.members.length > 0 || hasComments(text, box, jsonComment)) {
    return added(text, box, jsonComment, (indent) => write(indent, marks.made));
  }
  const outer = indentAt(text, from);
  const lead = newlineOf(text) + outer + unitOf(text);
  const inner = outer + unitOf(text);
  if (box.open < box.close) return [insertAt(box.open, lead + write(inner, marks.blank))];
  return [insertAt(box.open, lead + write(inner, marks.empty) + newlineOf(text) + outer)];
}

function dropFrom(text: string, root: JsonNode, at: Path): Splice[] {
  const way: { node: JsonNode; member: JsonMember }[] = [];
  let node = root;
  for (const key of at) {
    const member = memberOf(text, node, key);
    if (member === undefined) return [];
    way.push({ node, member });
    node = member.node;
  }
  // From the inside out, past the maps that were made for this alone.
  const kept = way.findLast(({ node, member }) => markOf(text, node, member) !== marks.made);
  if (kept === undefined) return dropRoot(text, root);
  return dropMember(text, kept.node, kept.member);
}

/** How the map around its only entry came to be; null where that is not the only one, or not written by us. */
function markOf(text: string, { box }: JsonNode, member: JsonMember): Mark | null {
  if (box === null || box.members.length > 1 || member.comma !== null || hasComments(text, box, jsonComment))
    return null;
  const [before, after] = [text.slice(box.open, member.from), text.slice(member.to, box.close)];
  const isWide = /^\r?\n[ \t]+$/.test(before) && /^\r?\n[ \t]*$/.test(after);
  const mark = Object.values(marks).find((one) => text.startsWith(`${one}:`, member.keyEnd)) ?? null;
  if (mark === marks.made) return isWide || (before === ' ' && after === ' ') ? mark : null;
  return mark === marks.empty && !isWide ? null : mark;
}

function dropMember(text: string, node: JsonNode, member: JsonMember): Splice[] {
  const { box } = node;
  if (box === null) return [];
  if (markOf(text, node, member) === marks.empty) return [cutOut(box.open, box.close)];
  return removed(text, box, box.members.indexOf(member), jsonComment);
}

/** The outermost map too: what is left is what a file had that held nothing. */
function dropRoot(text: string, root: JsonNode): Splice[] {
  const rest = text.slice(root.to);
  const isAlone = startsLine(text, root.from) && endsLine(text, root.to) && /^(?:\r?\n)?$/.test(rest);
  if (!isAlone) return [cutOut(root.from + 1, root.to - 1)];
  if (rest !== '') return [cutOut(root.from, text.length)];
  const start = lineStart(text, root.from);
  return [cutOut(start - (text.slice(0, start).match(/\r?\n$/)?.[0].length ?? 0), text.length)];
}
