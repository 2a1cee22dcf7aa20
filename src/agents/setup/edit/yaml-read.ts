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
import { type Box, lineAt, type Member } from './splice.ts';
import { type Json, type JsonMap, Refusal } from './values.ts';

export type MapNode = YAMLMap<Node, Node | null>;

interface YamlText {
  readonly value: JsonMap;
  /** The top-level map; null where the text has nothing but comments. */
  readonly root: MapNode | null;
}

/** Limits that a settings file stays far below; a text made to be slow does not. */
const limits = { depth: 32, values: 100_000 };

export function readYamlText(text: string): YamlText {
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

export function keyOf(text: string, node: Node | null): string {
  if (isScalar(node)) return typeof node.value === 'string' ? node.value : (node.source ?? '');
  return node?.range ? text.slice(node.range[0], node.range[1]) : '';
}

/** Tells whether not one character of a value is written, as behind `key:`. */
export function isEmpty(node: Node | null | undefined): boolean {
  return isScalar(node) && node.value === null && (node.source ?? '') === '' && !node.anchor && !node.tag;
}

/** The end of a value, without the comments and spaces that its node may have at its end. */
export function endOf(text: string, node: Node | null): number {
  const [from, to] = node?.range ?? [0, 0];
  if ((isMapNode(node) || isSeq(node)) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    const inner = isMapNode(node) ? (last as MapNode['items'][number] | undefined) : null;
    return inner == null ? endOf(text, last as Node | null) : endOf(text, inner.value ?? inner.key);
  }
  return from + text.slice(from, to).trimEnd().length;
}

/** The members of `{ a: 1, b: 2 }`, as positions in the text. */
export function flowBox(text: string, node: MapNode): Box<Member & { readonly value: Node | null }> {
  const [from, to] = node.range ?? [0, 0];
  const members = node.items.map(({ key, value }) => {
    const end = Math.max(key.range?.[1] ?? 0, value?.range?.[1] ?? 0);
    const behind = end + (/^(?:\s|#[^\n]*)*/.exec(text.slice(end))?.[0].length ?? 0);
    const comma = text[behind] === ',' ? behind : null;
    return { key: keyOf(text, key), from: key.range?.[0] ?? 0, to: end, comma, value };
  });
  return { open: from + 1, close: to - 1, members };
}
