import { isUtf8 } from 'node:buffer';
import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type YAMLMap,
} from 'yaml';
import type { Position } from '../core/diagnostics.ts';
import { yamlTokens } from '../core/formats/yaml-tokens.ts';
import { oneLine } from '../core/text/text.ts';
import { splitFences } from './fences.ts';
import type { Frontmatter, Json } from './types.ts';
import { limits } from './types.ts';

/**
 * The result of reading third-party YAML 1.2: tokens first, which have bounds; then nodes. The values are taken from
 * the nodes by our own walk, with a count on everything that can grow.
 */
export type YamlResult =
  | {
      readonly kind: 'map';
      readonly entries: readonly YamlEntry[];
      /** A construct that other YAML readers may read differently, in words; null if there is none. */
      readonly oddity: string | null;
    }
  | { readonly kind: 'other' }
  | { readonly kind: 'too-complex'; readonly message: string }
  | { readonly kind: 'error'; readonly problems: readonly YamlProblem[] };

export interface YamlEntry {
  readonly key: string;
  readonly value: Json;
  /** The value as it was written, if it is not a string: `1.0` and not `1`. */
  readonly source: string;
  readonly at: Position;
  readonly duplicate: boolean;
}

export interface YamlProblem {
  readonly message: string;
  readonly at: Position;
}

class TooComplex extends Error {}

class UnknownAlias extends Error {
  readonly offset: number;

  constructor(name: string, offset: number) {
    super(`*${name} refers to nothing`);
    this.offset = offset;
  }
}

/** Number of problems reported: after correcting twenty, an author reads the text again anyway. */
const mostProblems = 20;

/** Reads a text; if it is refused, no more problems are looked for than are wanted. */
export function readYaml(text: string, most = mostProblems): YamlResult {
  // Errors of the parser are values here. The stacks of thousands would cost more than all the rest.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return read(text, most);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A line of `key: value` whose value is in quotes, without escapes, or begins with a letter. */
const simpleLine =
  /^([A-Za-z][\w-]{0,99}): +(?:"([^"\\\p{Cc}\u2028\u2029\ufeff]*)"|'([^'\p{Cc}\u2028\u2029\ufeff]*)'|(\p{L}[^\p{Cc}\u2028\u2029\ufeff]*?)) *$/u;
/** The signs that end a value without quotes, and the words that are something other than text. */
const notPlain = /: |:$| #|^(?:null|true|false)$/i;
const mostSimpleLines = 100;

/**
 * The entries of a text with one simple field a line, which can be read in one way only; null for any other. Most front
 * matter is like that, and the parser would be a quarter of the time that a scan takes.
 */
function simpleEntries(text: string): YamlEntry[] | null {
  const lines = text.split('\n', mostSimpleLines + 1);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0 || lines.length > mostSimpleLines) return null;
  const seen = new Set<string>();
  const entries: YamlEntry[] = [];
  for (const line of lines) {
    const [, key = '', inDouble, inSingle, plain = ''] = simpleLine.exec(line) ?? [];
    const isText = inDouble !== undefined || inSingle !== undefined || (plain !== '' && !notPlain.test(plain));
    if (!isText || seen.has(key) || notPlain.test(key)) return null;
    seen.add(key);
    const at = { line: entries.length + 1, column: 1 };
    entries.push({ key, value: inDouble ?? inSingle ?? plain, source: '', at, duplicate: false });
  }
  return entries;
}

function read(text: string, most: number): YamlResult {
  const simple = simpleEntries(text);
  if (simple !== null) return { kind: 'map', entries: simple, oddity: null };
  const lines = new LineCounter();
  const tokens = yamlTokens(text, { depth: limits.depth, errors: most, lines });
  if (tokens === null) {
    return { kind: 'too-complex', message: `is nested more than ${limits.depth} levels deep` };
  }
  const composer = new Composer({ logLevel: 'silent', prettyErrors: false, uniqueKeys: false, lineCounter: lines });
  const documents = [...composer.compose(tokens, true, text.length)];
  const document = documents[0];
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errors = documents.flatMap((one) => one.errors);
  if (errors.length > 0 || document === undefined) {
    return { kind: 'error', problems: errors.slice(0, most).map((e) => ({ message: e.message, at: at(e.pos[0]) })) };
  }
  if (documents.length > 1) {
    const start = documents[1]?.range?.[0] ?? 0;
    return { kind: 'error', problems: [{ message: 'more than one YAML document', at: at(start) }] };
  }
  const root: Node | null = document.contents;
  if (!isMap(root)) return { kind: 'other' };
  const { keyOf, jsonOf, oddities } = valueReader(document, text);
  const seen = new Set<string>();
  try {
    const entries = root.items.map((pair): YamlEntry => {
      const [keyNode, node] = [pair.key as Node | null, pair.value as Node | null];
      const key = keyOf(keyNode);
      const duplicate = seen.has(key);
      if (duplicate) oddities.add('a key that appears twice');
      seen.add(key);
      const value = jsonOf(node);
      const range = typeof value === 'string' ? undefined : node?.range;
      return {
        key,
        value,
        source: range ? text.slice(range[0], range[1]).trim() : '',
        at: at(keyNode?.range?.[0] ?? 0),
        duplicate,
      };
    });
    return { kind: 'map', entries, oddity: [...oddities][0] ?? null };
  } catch (error) {
    if (error instanceof TooComplex) return { kind: 'too-complex', message: error.message };
    if (error instanceof UnknownAlias)
      return { kind: 'error', problems: [{ message: error.message, at: at(error.offset) }] };
    throw error;
  }
}

/** Turns nodes into plain JSON, giving up when there is too much of it. One reader counts for one document. */
function valueReader(document: Document.Parsed, text: string) {
  let nodes = 0;
  let aliases = 0;
  const oddities = new Set<string>();

  function jsonOf(node: Node | null | undefined, depth = 0): Json {
    if (++nodes > limits.nodes) throw new TooComplex(`has more than ${limits.nodes} values`);
    if (depth > limits.depth) throw new TooComplex(`is nested more than ${limits.depth} levels deep`);
    if (node) noteOddity(node);
    if (isAlias(node)) return jsonOf(targetOf(node), depth + 1);
    if (isSeq(node)) return node.items.map((item) => jsonOf(item as Node, depth + 1));
    if (isMap(node)) return mapOf(node as YAMLMap<Node | null, Node | null>, depth + 1);
    return isScalar(node) ? scalarOf(node.value, node.source) : null;
  }

  function mapOf({ items }: YAMLMap<Node | null, Node | null>, depth: number): Json {
    // fromEntries defines own properties, so a key called `__proto__` is a key like any other.
    const map = Object.fromEntries(items.map(({ key, value }) => [keyOf(key), jsonOf(value, depth)]));
    if (Object.keys(map).length < items.length) oddities.add('a key that appears twice');
    return map;
  }

  function targetOf(alias: Alias): Node {
    if (++aliases > limits.aliases) throw new TooComplex(`has more than ${limits.aliases} aliases`);
    const target = alias.resolve(document);
    if (target === undefined) throw new UnknownAlias(alias.source, alias.range?.[0] ?? 0);
    return target;
  }

  function keyOf(node: Node | null): string {
    if (!isScalar(node) || typeof node.value !== 'string') oddities.add('a key that is not text');
    else noteOddity(node);
    if (node === null) return '';
    // `{{template}}` is, to YAML, a map whose key is a map: its text is all that can be meant.
    if (!isScalar(node)) return node.range ? text.slice(node.range[0], node.range[1]) : '';
    const value = scalarOf(node.value, node.source);
    return typeof value === 'string' ? value : (node.source ?? '');
  }

  function noteOddity(node: Node): void {
    if (isAlias(node) || node.anchor) oddities.add('an anchor or alias');
    if (!isAlias(node) && node.tag) oddities.add('a tag');
    if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) {
      oddities.add('a number that JSON cannot represent');
    }
  }

  return { jsonOf, keyOf, oddities };
}

function scalarOf(value: unknown, source: string | undefined): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return source ?? null;
}

/** The message for the commonest mistake by far; some agents repair it as we do. */
export const colonInValue = 'an unquoted value contains ": ", which YAML reads as a field of its own';

/** The parser's messages, and wordings that an author understands. */
const plainer: readonly (readonly [RegExp, string])[] = [
  [/^Nested mappings are not allowed/, colonInValue],
  [/^Tabs are not allowed/, 'the line is indented by a tab, which YAML forbids'],
  [/^Missing closing .quote/, 'a quote is opened but never closed'],
  [/^Unexpected .* at node end/, 'there is more text after the end of the value'],
  [/^Implicit (?:map )?keys need to be/, 'the line is neither key: value nor part of a value'],
];

/** A complaint of the YAML parser in words that help. */
export function inPlainWords(message: string): string {
  const first = oneLine(message.split('\n')[0] ?? '').replace(/[.:]+$/, '');
  return plainer.find(([pattern]) => pattern.test(first))?.[1] ?? first;
}

/** A front matter that every YAML parser reads alike, or why it is none. */
export type Verbatim =
  | { readonly ok: true; readonly frontmatter: Frontmatter }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads exactly what a file's front matter says, with nothing mended and nothing guessed: for hosts that compare the
 * two.
 */
export function verbatimFrontmatter(bytes: Buffer): Verbatim {
  if (!isUtf8(bytes)) return no('the file is not UTF-8');
  const text = bytes.toString('utf8');
  const fences = /^\ufeff?---\r?\n/.test(text) ? splitFences(text) : null;
  if (fences?.kind !== 'found') return no('the front matter is not between --- lines at the start of the file');
  if (fences.yaml.length > limits.frontmatterBytes) return no('the front matter is too large');
  const yaml = readYaml(fences.yaml);
  if (yaml.kind !== 'map') return no('the front matter is not strict YAML');
  if (yaml.oddity !== null) return no(`the front matter contains ${yaml.oddity}`);
  const keys = yaml.entries.map((entry) => entry.key);
  if (keys.includes('__proto__')) return no('the front matter contains a key "__proto__"');
  return { ok: true, frontmatter: Object.fromEntries(yaml.entries.map(({ key, value }) => [key, value])) };
}

function no(reason: string): Verbatim {
  return { ok: false, reason };
}
