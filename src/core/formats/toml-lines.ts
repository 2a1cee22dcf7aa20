import { type Position, positionAt } from '../diagnostics.ts';

/** The path to a value in a document: keys, and indices of lists. */
export type KeyPath = readonly (string | number)[];

interface Walk {
  readonly text: string;
  at: number;
  /** Number of path parts that matter: a key of thousands would make as many paths, each longer than the one before. */
  readonly depth: number;
  /** Called with the path and offset of each key and each list item. */
  readonly visit: (path: KeyPath, at: number) => void;
}

/**
 * Finds the position of a key or a list item in TOML that was parsed before, which gives values and not positions. A
 * missing key has the position of the nearest thing around it; null where that is the whole file.
 */
export function placeOfKey(text: string, wanted: KeyPath): Position | null {
  let [found, depth] = [-1, 0];
  walk(text, wanted.length, (path, at) => {
    if (path.length <= depth || path.length > wanted.length) return;
    if (path.some((part, index) => String(part) !== String(wanted[index]))) return;
    [found, depth] = [at, path.length];
  });
  return found === -1 ? null : positionAt(text, found);
}

/** The line of a key, from 1. */
export function lineOfKey(text: string, wanted: KeyPath): number | null {
  return placeOfKey(text, wanted)?.line ?? null;
}

/** The parts of the key at this offset, and its end. */
export function keyAt(text: string, at: number): { readonly keys: readonly string[]; readonly to: number } {
  const state: Walk = { text, at, depth: 0, visit: () => {} };
  const keys = keyParts(state);
  return { keys, to: state.at };
}

/** The offset at which the value that begins here ends. */
export function endOfValue(text: string, at: number): number {
  const state: Walk = { text, at, depth: 0, visit: () => {} };
  value(state, []);
  return at + text.slice(at, state.at).trimEnd().length;
}

function walk(text: string, depth: number, visit: Walk['visit']): void {
  const state: Walk = { text, at: 0, depth, visit };
  const lists = new Map<string, number>();
  let table: KeyPath = [];
  for (skipBlank(state); state.at < text.length; skipBlank(state)) {
    const from = state.at;
    if (text[from] === '[') table = header(state, lists);
    else assignment(state, table);
    if (state.at === from) state.at++; // only text that is no TOML makes no progress
  }
}

const blank = /(?:\s|#[^\n]*)*/y;
const blankOrComma = /(?:[\s,]|#[^\n]*)*/y;

function skip(state: Walk, pattern: RegExp): string {
  pattern.lastIndex = state.at;
  const match = pattern.exec(state.text)?.[0] ?? '';
  state.at += match.length;
  return match;
}

function skipBlank(state: Walk): void {
  skip(state, blank);
}

/**
 * Reads `[a.b]`, or `[[a.b]]`, which is the next item of a list. What follows belongs to the last item of each list
 * named.
 */
function header(state: Walk, lists: Map<string, number>): KeyPath {
  const at = state.at;
  const isItem = skip(state, /\[+/y).length > 1;
  const keys = keyParts(state);
  skip(state, /\]*/y);
  const path: (string | number)[] = [];
  keys.slice(0, state.depth + 1).forEach((key, index) => {
    path.push(key);
    const list = JSON.stringify(path);
    if (isItem && index === keys.length - 1) lists.set(list, (lists.get(list) ?? -1) + 1);
    const item = lists.get(list);
    state.visit([...path], at);
    if (item === undefined) return;
    path.push(item);
    state.visit([...path], at);
  });
  return path;
}

function assignment(state: Walk, table: KeyPath): void {
  const at = state.at;
  const path = [...table, ...keyParts(state)].slice(0, state.depth + 1);
  for (let length = table.length + 1; length <= path.length; length++) state.visit(path.slice(0, length), at);
  skip(state, /[ \t]*=[ \t]*/y);
  value(state, path);
}

const bareKey = /[\w-]+/y;
const basicText = /"(?:[^"\\\n]|\\.)*"/y;
const literalText = /'[^'\n]*'/y;

/** Reads `a."b c".'d'` into its parts. */
function keyParts(state: Walk): string[] {
  const parts: string[] = [];
  do {
    skip(state, /[ \t]*/y);
    const basic = skip(state, basicText);
    const literal = basic === '' ? skip(state, literalText) : '';
    if (basic !== '') parts.push(unescaped(basic));
    else if (literal !== '') parts.push(literal.slice(1, -1));
    else parts.push(skip(state, bareKey));
    skip(state, /[ \t]*/y);
  } while (skip(state, /\./y) !== '');
  return parts;
}

const namedEscapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001b' };

function unescaped(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:u([\da-f]{4})|U([\da-f]{8})|x([\da-f]{2})|(.))/gi, (_, u, long, x, named) => {
      const code: string | undefined = u ?? long ?? x;
      if (code === undefined) return namedEscapes[named] ?? named;
      const point = Number.parseInt(code, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : '';
    });
}

/** The forms of a string, the long ones first: a short string could begin each of them. */
const texts = [/"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}/y, /'''[\s\S]*?'{3,5}/y, basicText, literalText];

function value(state: Walk, path: KeyPath): void {
  const first = state.text[state.at];
  if (first === '[') list(state, path);
  else if (first === '{') inlineTable(state, path);
  else if (!texts.some((pattern) => skip(state, pattern) !== '')) skip(state, /[^,\]}#\n]*/y);
}

function list(state: Walk, path: KeyPath): void {
  state.at++;
  skip(state, blankOrComma);
  for (let index = 0; state.at < state.text.length && state.text[state.at] !== ']'; index++) {
    const item = [...path, index];
    const from = state.at;
    state.visit(item, from);
    value(state, item);
    if (state.at === from) state.at++;
    skip(state, blankOrComma);
  }
  state.at++;
}

function inlineTable(state: Walk, path: KeyPath): void {
  state.at++;
  skip(state, blankOrComma);
  while (state.at < state.text.length && state.text[state.at] !== '}') {
    const from = state.at;
    assignment(state, path);
    if (state.at === from) state.at++;
    skip(state, blankOrComma);
  }
  state.at++;
}
