import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isMap as isMapNode,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
} from 'yaml';
import { yamlTokens } from '../../../core/formats/yaml-tokens.ts';
import { writeJson } from './json.ts';
import {
  added,
  type Box,
  commentsBelow,
  cutOut,
  indentAt,
  insertAt,
  lineAt,
  lineEnd,
  lineStart,
  type Member,
  newlineOf,
  removed,
  type Splice,
  spliced,
  startsLine,
  unitOf,
  withoutLines,
} from './splice.ts';
import { type Editor, isMap, type Json, type JsonMap, type Path, Refusal, wrapped } from './values.ts';

interface YamlLayout {
  /** The indentation of the line that the key stands on. */
  readonly indent: string;
  readonly unit: string;
  readonly newline: string;
}

/** Text that no YAML parser, however old, takes for anything else. */
const safe = /^[A-Za-z_/][\w/.@+-]*$/;
const taken = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Writes `key: value` over as many lines as it takes; the first one without its indentation. */
function writePair(key: string, value: Json, layout: YamlLayout, beforeColon = ''): string {
  const head = `${writeScalar(key)}${beforeColon}:`;
  const inner = { ...layout, indent: layout.indent + layout.unit };
  const lines = isMap(value)
    ? Object.entries(value).map(([name, item]) => writePair(name, item, inner))
    : Array.isArray(value)
      ? (value as readonly Json[]).map((item) => `- ${writeFlow(item)}`)
      : [];
  if (lines.length === 0) return `${head} ${writeFlow(value)}`;
  return head + lines.map((line) => layout.newline + inner.indent + line).join('');
}

/** Writes a value on one line, as JSON, which is YAML too. */
function writeFlow(value: Json): string {
  return typeof value === 'string' ? writeScalar(value) : writeJson(value, { indent: null, unit: '', newline: '' });
}

function writeScalar(text: string): string {
  return safe.test(text) && !taken.test(text) ? text : JSON.stringify(text);
}

type Pair = MapNode['items'][number];

const comment = /#[^\r\n]*/y;

export const yamlEditor: Editor = {
  read: (text) => readYamlText(text).value,
  put(text, at, value) {
    const { root } = readYamlText(text);
    const [key = '', ...rest] = at;
    return spliced(text, root === null ? atEnd(text, key, wrapped(rest, value)) : putIn(text, root, at, value));
  },
  drop(text, at) {
    const { root } = readYamlText(text);
    return root === null ? text : spliced(text, dropFrom(text, root, at));
  },
};

function layoutOf(text: string, indent: string) {
  const unit = unitOf(text);
  return { indent, unit: unit.startsWith(' ') ? unit : '  ', newline: newlineOf(text) };
}

/** Adds the first entry to a file that has none. */
function atEnd(text: string, key: string, value: Json): Splice[] {
  const newline = newlineOf(text);
  const lines = writePair(key, value, layoutOf(text, ''));
  const content = text.trimEnd().length;
  return [content === 0 ? insertAt(0, lines + newline) : insertAt(lineEnd(text, content), newline + lines)];
}

function putIn(text: string, map: MapNode, at: Path, value: Json): Splice[] {
  const [key = '', ...rest] = at;
  const pair = pairOf(text, map, key);
  if (pair === undefined) return addTo(text, map, key, wrapped(rest, value));
  if (rest.length === 0) return map.flow === true ? replaceNode(pair, value) : replacePair(text, pair, value);
  const inner = pair.value;
  if (map.flow !== true && (isEmpty(inner) || isBraces(text, pair))) return fill(text, pair, rest, value);
  if (!isMapNode(inner)) throw new Refusal(`${key} is not a map of keys and values`, lineAt(text, fromOf(pair)));
  return putIn(text, inner as MapNode, rest, value);
}

function pairOf(text: string, map: MapNode, key: string): Pair | undefined {
  const found = map.items.filter((pair) => keyOf(text, pair.key) === key);
  const second = found[1];
  if (second !== undefined) throw new Refusal(`it has the key ${key} twice`, lineAt(text, fromOf(second)));
  return found[0];
}

function fromOf({ key }: Pair): number {
  return key.range?.[0] ?? 0;
}

/** The position of the colon, and the text between it and the key. */
function colonOf(text: string, { key }: Pair): { at: number; gap: string } {
  const end = key.range?.[1] ?? 0;
  const gap = /^[ \t]*/.exec(text.slice(end))?.[0] ?? '';
  if (text[end + gap.length] !== ':')
    throw new Refusal('it has a key and a value with no colon between', lineAt(text, end));
  return { at: end + gap.length, gap };
}

/** Tells whether a pair is written `key: {}`. */
function isBraces(text: string, pair: Pair): boolean {
  const value = pair.value;
  return isMapNode(value) && text.slice(colonOf(text, pair).at + 1, value.range?.[1] ?? 0) === ' {}';
}

/** Adds the first entry to a map that is written as nothing, or as `{}`. */
function fill(text: string, pair: Pair, [key = '', ...rest]: Path, value: Json): Splice[] {
  const { at } = colonOf(text, pair);
  const layout = layoutOf(text, indentAt(text, fromOf(pair)));
  const inner = { ...layout, indent: layout.indent + layout.unit };
  const lines = writePair(key, wrapped(rest, value), inner);
  const entry = insertAt(lineEnd(text, at), layout.newline + inner.indent + lines);
  return isEmpty(pair.value) ? [entry] : [cutOut(at + 1, at + 4), entry];
}

function addTo(text: string, map: MapNode, key: string, value: Json): Splice[] {
  if (map.flow === true) {
    const box = flowBox(text, map);
    const member = `${JSON.stringify(key)}: ${writeFlow(value)}`;
    return box.members.length === 0 ? [insertAt(box.open, member)] : added(text, box, comment, () => member);
  }
  const [first] = map.items;
  const last = map.items.at(-1);
  if (first === undefined || last === undefined) return [];
  const indent = indentOf(text, first);
  const end = commentsBelow(text, lineEnd(text, endOf(text, last.value ?? last.key)), indent);
  return [insertAt(end, newlineOf(text) + indent + writePair(key, value, layoutOf(text, indent)))];
}

function indentOf(text: string, pair: Pair): string {
  const from = fromOf(pair);
  if (startsLine(text, from)) return indentAt(text, from);
  throw new Refusal('it has a map that does not begin on a line of its own', lineAt(text, from));
}

function replaceNode({ value: node }: Pair, value: Json): Splice[] {
  const [from, to] = node?.range ?? [0, 0];
  return [{ from, to, text: writeFlow(value) }];
}

/** Replaces a value in its place, if both are on one line; else with its key, over as many lines as it takes. */
function replacePair(text: string, pair: Pair, value: Json): Splice[] {
  const { at, gap } = colonOf(text, pair);
  const node = pair.value;
  const isOnLine = node !== null && !isEmpty(node) && !text.slice(at, node.range?.[1] ?? at).includes('\n');
  if (isOnLine && (isFlow(node) || typeof value !== 'object')) return replaceNode(pair, value);
  const lines = writePair(keyOf(text, pair.key), value, layoutOf(text, indentOf(text, pair)), gap);
  return [{ from: fromOf(pair), to: Math.max(at + 1, endOf(text, node)), text: lines }];
}

function isFlow(node: Node): boolean {
  return !isScalar(node) && 'flow' in node && node.flow === true;
}

function dropFrom(text: string, map: MapNode, [key = '', ...rest]: Path, owner?: Pair): Splice[] {
  const pair = pairOf(text, map, key);
  if (pair === undefined) return [];
  if (rest.length === 0) return dropPair(text, map, pair, owner);
  return isMapNode(pair.value) ? dropFrom(text, pair.value as MapNode, rest, pair) : [];
}

/** Removes a pair. A map that is left with nothing is written as `{}`: with a key alone it would be no map. */
function dropPair(text: string, map: MapNode, pair: Pair, owner: Pair | undefined): Splice[] {
  if (map.flow === true) return removed(text, flowBox(text, map), map.items.indexOf(pair), comment);
  indentOf(text, pair);
  const end = Math.max(colonOf(text, pair).at + 1, endOf(text, pair.value));
  const lines = withoutLines(text, lineStart(text, fromOf(pair)), lineEnd(text, end), 1);
  const isLast = owner !== undefined && map.items.length === 1;
  return isLast ? [insertAt(colonOf(text, owner).at + 1, ' {}'), lines] : [lines];
}

type MapNode = YAMLMap<Node, Node | null>;

interface YamlText {
  readonly value: JsonMap;
  /** The top-level map; null where the text has nothing but comments. */
  readonly root: MapNode | null;
}

/** Limits that a settings file stays far below; a text made to be slow does not. */
const limits = { depth: 32, values: 100_000 };

function readYamlText(text: string): YamlText {
  const tokens = yamlTokens(text, { depth: limits.depth, errors: 1 });
  if (tokens === null) throw new Refusal(`it is nested more than ${limits.depth} levels deep`);
  const composer = new Composer({ logLevel: 'silent', prettyErrors: false, uniqueKeys: false, keepSourceTokens: true });
  const documents = [...composer.compose(tokens, true, text.length)];
  const [document, second] = documents;
  const error = documents.flatMap((one) => one.errors)[0];
  if (error !== undefined) throw new Refusal(`it is not valid YAML: ${error.message}`, lineAt(text, error.pos[0]));
  if (second !== undefined) throw new Refusal('it has more than one YAML document', lineAt(text, second.range[0]));
  const contents = document?.contents;
  if (document === undefined || contents == null || isEmpty(contents)) return { value: {}, root: null };
  if (!isMapNode(contents)) {
    throw new Refusal('its outermost value is not a map of keys and values', lineAt(text, contents.range[0]));
  }
  return { value: valueReader(document, text)(contents) as JsonMap, root: contents as MapNode };
}

/**
 * Returns a function that reads plain values from nodes. Aliases are followed, so that a change to their target is seen
 * wherever they stand.
 */
function valueReader(document: Document.Parsed, text: string): (node: Node | null) => Json {
  let values = 0;

  function jsonOf(node: Node | null | undefined): Json {
    if (++values > limits.values) throw new Refusal(`it has more than ${limits.values} values`);
    if (isAlias(node)) return jsonOf(targetOf(node));
    if (isSeq(node)) return node.items.map((item) => jsonOf(item as Node));
    if (isMapNode(node)) {
      return Object.fromEntries((node as MapNode).items.map(({ key, value }) => [keyOf(text, key), jsonOf(value)]));
    }
    return isScalar(node) ? scalarOf(node.value, node.source) : null;
  }

  function targetOf(alias: Alias): Node {
    const target = alias.resolve(document);
    const [start, end] = target?.range ?? [0, 0];
    const at = alias.range?.[0] ?? 0;
    if (target === undefined) throw new Refusal(`*${alias.source} refers to nothing`, lineAt(text, at));
    if (start <= at && at < end) throw new Refusal(`*${alias.source} refers to itself`, lineAt(text, at));
    return target;
  }

  return jsonOf;
}

function scalarOf(value: unknown, source: string | undefined): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' ? value : (source ?? null);
}

function keyOf(text: string, node: Node | null): string {
  if (isScalar(node)) return typeof node.value === 'string' ? node.value : (node.source ?? '');
  return node?.range ? text.slice(node.range[0], node.range[1]) : '';
}

/** Tells whether not one character of a value is written, as behind `key:`. */
function isEmpty(node: Node | null | undefined): boolean {
  return isScalar(node) && node.value === null && (node.source ?? '') === '' && !node.anchor && !node.tag;
}

/** The end of a value, without the comments and spaces that its node may have at its end. */
function endOf(text: string, node: Node | null): number {
  const [from, to] = node?.range ?? [0, 0];
  if ((isMapNode(node) || isSeq(node)) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    const inner = isMapNode(node) ? (last as MapNode['items'][number] | undefined) : null;
    return inner == null ? endOf(text, last as Node | null) : endOf(text, inner.value ?? inner.key);
  }
  return from + text.slice(from, to).trimEnd().length;
}

/** The members of `{ a: 1, b: 2 }`, as positions in the text. */
function flowBox(text: string, node: MapNode): Box<Member & { readonly value: Node | null }> {
  const [from, to] = node.range ?? [0, 0];
  const members = node.items.map(({ key, value }) => {
    const end = Math.max(key.range?.[1] ?? 0, value?.range?.[1] ?? 0);
    const behind = end + (/^(?:\s|#[^\n]*)*/.exec(text.slice(end))?.[0].length ?? 0);
    const comma = text[behind] === ',' ? behind : null;
    return { key: keyOf(text, key), from: key.range?.[0] ?? 0, to: end, comma, value };
  });
  return { open: from + 1, close: to - 1, members };
}
