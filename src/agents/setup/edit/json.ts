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

/** A value and its position. */
export interface JsonNode {
  readonly from: number;
  readonly to: number;
  readonly value: Json;
  /** The members, where the value is a map. */
  readonly box: Box<JsonMember> | null;
}

interface JsonMember extends Member {
  readonly node: JsonNode;
}

export const jsonComment = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;

const blank = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
const quoted = /"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"/y;
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

/** Levels of nesting that a recursive parser can take. */
const depthLimit = 200;

interface State {
  readonly text: string;
  at: number;
  depth: number;
  /**
   * Whether lists are assumed to be plain JSON, until one is not: searching for the end of each in vain could take for
   * ever.
   */
  hasPlainLists: boolean;
}

/** Parses JSON with comments and trailing commas; null where there is nothing but comments. */
export function readJsonText(text: string): JsonNode | null {
  const state: State = { text, at: 0, depth: 0, hasPlainLists: true };
  skipBlank(state);
  if (state.at === text.length) return null;
  const root = valueIn(state);
  skipBlank(state);
  if (state.at < text.length) throw wrong(state, 'there is more text after its end');
  return root;
}

function skipBlank(state: State): void {
  blank.lastIndex = state.at;
  state.at += blank.exec(state.text)?.[0].length ?? 0;
  if (state.text.startsWith('/*', state.at)) throw wrong(state, 'a comment that begins here is never closed');
}

function take(state: State, pattern: RegExp): string | null {
  pattern.lastIndex = state.at;
  const match = pattern.exec(state.text)?.[0] ?? null;
  state.at += match?.length ?? 0;
  return match;
}

function valueIn(state: State): JsonNode {
  const first = state.text[state.at];
  if (first === '{') return mapIn(state);
  if (first === '[') return listIn(state);
  const from = state.at;
  const value = first === '"' ? stringIn(state) : plainIn(state);
  return { from, to: state.at, value, box: null };
}

function plainIn(state: State): Json {
  const found = take(state, plain);
  if (found === null) throw wrong(state, state.at === state.text.length ? 'it ends too early' : 'a value is expected');
  return JSON.parse(found) as Json;
}

function stringIn(state: State): string {
  const start = state.at;
  const found = take(state, quoted);
  if (found === null) throw wrong(state, 'a string is not closed on its line');
  try {
    return JSON.parse(found) as string;
  } catch {
    throw wrong({ ...state, at: start }, 'a string has an invalid escape');
  }
}

/** The items between brackets, each with the position of the comma behind it. */
function itemsIn<T>(state: State, end: string, item: () => T): { item: T; comma: number | null }[] {
  if (++state.depth > depthLimit) throw wrong(state, `it is nested more than ${depthLimit} levels deep`);
  state.at++;
  const items: { item: T; comma: number | null }[] = [];
  for (skipBlank(state); state.text[state.at] !== end; skipBlank(state)) {
    const found = item();
    skipBlank(state);
    const hasComma = state.text[state.at] === ',';
    items.push({ item: found, comma: hasComma ? state.at : null });
    if (hasComma) state.at++;
    else if (state.text[state.at] !== end) {
      throw wrong(state, state.at === state.text.length ? 'it ends too early' : `a comma or ${end} is expected`);
    }
  }
  state.depth--;
  state.at++;
  return items;
}

function listIn(state: State): JsonNode {
  const from = state.at;
  const value = plainListIn(state) ?? itemsIn(state, ']', () => valueIn(state).value).map(({ item }) => item);
  return { from, to: state.at, value, box: null };
}

/** The items of a list, each with its own text as the key: only read where a list is to be edited. */
export function listBox(text: string, { from, value }: JsonNode): Box | null {
  if (!Array.isArray(value)) return null;
  const state: State = { text, at: from, depth: 0, hasPlainLists: true };
  const members = itemsIn(state, ']', () => valueIn(state)).map(({ item, comma }) => ({
    ...{ key: text.slice(item.from, item.to), from: item.from, to: item.to, comma },
  }));
  return { open: from + 1, close: state.at - 1, members };
}

/**
 * Leaves a list of plain JSON to Node's own parser: hardly any list is ever edited, and some agents keep megabytes in
 * them. Null, and nothing read, where it is not plain.
 */
function plainListIn(state: State): Json[] | null {
  if (!state.hasPlainLists) return null;
  try {
    const end = endOfList(state);
    const value = JSON.parse(state.text.slice(state.at, end)) as Json[];
    state.at = end;
    return value;
  } catch {
    state.hasPlainLists = false;
    return null;
  }
}

const bracketOrText = /[[\]{}]|"[^"\\]*(?:\\.[^"\\]*)*"/g;

/**
 * The end of the list that begins here; its own beginning where the end cannot be determined, or it is nested too
 * deeply.
 */
function endOfList({ text, at, depth }: State): number {
  bracketOrText.lastIndex = at;
  let open = 0;
  for (let found = bracketOrText.exec(text); found !== null; found = bracketOrText.exec(text)) {
    const [sign] = found;
    if (sign === '[' || sign === '{') open++;
    else if (sign === ']' || sign === '}') open--;
    if (open === 0) return bracketOrText.lastIndex;
    if (depth + open > depthLimit) return at;
  }
  return at;
}

function mapIn(state: State): JsonNode {
  const from = state.at;
  const members = itemsIn(state, '}', () => memberIn(state)).map(({ item, comma }) => ({ ...item, comma }));
  // fromEntries defines own properties, so a key called `__proto__` is a key like any other.
  const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
  return { from, to: state.at, value, box: { open: from + 1, close: state.at - 1, members } };
}

function memberIn(state: State): Omit<JsonMember, 'comma'> {
  const from = state.at;
  if (state.text[from] !== '"') {
    throw wrong(state, from === state.text.length ? 'it ends too early' : 'a name in double quotes is expected');
  }
  const key = stringIn(state);
  skipBlank(state);
  if (take(state, /:/y) === null) throw wrong(state, 'a colon is expected');
  skipBlank(state);
  const node = valueIn(state);
  return { key, from, to: node.to, node };
}

function wrong({ text, at }: State, what: string): Refusal {
  return new Refusal(`it is not valid JSON: ${what}`, lineAt(text, at));
}
