import { type JsonMember, type JsonNode, jsonComment, readJsonText } from './json-read.ts';
import {
  added,
  type Box,
  cutOut,
  hasComments,
  indentAt,
  lineAt,
  type Member,
  newlineOf,
  removed,
  type Splice,
  spliced,
  startsLine,
  unitOf,
} from './splice.ts';
import { type Editor, isMap, type Json, type JsonMap, type Path, Refusal, wrapped } from './values.ts';

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

/** Adds the first value to a file that is empty, or has only comments. */
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
  const write = (indent: string | null) => `${JSON.stringify(key)}: ${writeJson(value, layoutOf(text, indent))}`;
  if (box.members.length > 0 || hasComments(text, box, jsonComment)) return added(text, box, jsonComment, write);
  const outer = indentAt(text, from);
  const inner = outer + unitOf(text);
  const newline = newlineOf(text);
  return [{ from: box.open, to: box.close, text: newline + inner + write(inner) + newline + outer }];
}

function dropFrom(text: string, node: JsonNode, [key = '', ...rest]: Path): Splice[] {
  const member = memberOf(text, node, key);
  if (member === undefined || node.box === null) return [];
  return rest.length > 0 ? dropFrom(text, member.node, rest) : dropMember(text, node.box, member);
}

/** Removes a member. A box that has nothing else, and no comments, is left as `{}` or `[]`. */
export function dropMember<M extends Member>(text: string, box: Box<M>, member: M): Splice[] {
  if (box.members.length === 1 && !hasComments(text, box, jsonComment)) return [cutOut(box.open, box.close)];
  return removed(text, box, box.members.indexOf(member), jsonComment);
}

export interface Layout {
  /** The indentation of the line that the value begins on; null where all of it stays on one line. */
  readonly indent: string | null;
  readonly unit: string;
  readonly newline: string;
}

/** Characters up to which a list of plain values is easier to read on one line. */
const lineLimit = 100;

export function writeJson(value: Json, layout: Layout): string {
  if (isMap(value)) return items('{}', Object.entries(value).map(pair), layout, ' ');
  if (!Array.isArray(value)) return JSON.stringify(value);
  const list = value as readonly Json[];
  const line = `[${list.map((item) => writeJson(item, { ...layout, indent: null })).join(', ')}]`;
  const isPlain = list.every((item) => typeof item !== 'object' || item === null);
  if (isPlain && line.length <= lineLimit) return line;
  return items(
    '[]',
    list.map((item) => (inner) => writeJson(item, inner)),
    layout,
    '',
  );
}

function pair([key, value]: [string, Json]): (layout: Layout) => string {
  return (layout) => `${JSON.stringify(key)}: ${writeJson(value, layout)}`;
}

function items(
  brackets: string,
  writers: readonly ((layout: Layout) => string)[],
  layout: Layout,
  inside: string,
): string {
  const { indent, unit, newline } = layout;
  if (writers.length === 0) return brackets;
  const inner = indent === null ? layout : { ...layout, indent: indent + unit };
  const written = writers.map((write) => write(inner));
  const [open, close] = brackets;
  if (indent === null) return open + inside + written.join(', ') + inside + close;
  const lead = newline + indent + unit;
  return open + lead + written.join(`,${lead}`) + newline + indent + close;
}
