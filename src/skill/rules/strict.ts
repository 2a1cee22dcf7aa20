import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { Position } from '../../core/diagnostics.ts';
import { mendYaml } from '../repair.ts';
import { inPlainWords, readYaml, type YamlEntry, type YamlProblem } from '../yaml.ts';

/** Number of problems reported: after correcting twenty, an author runs the check again anyway. */
const limit = 20;

/**
 * Characters parsed again to find more problems: in a long text that is wrong everywhere, not all twenty are worth it.
 */
const mostParsedAgain = 65_536;

/** The parser's complaint about every token that follows once it has lost its way. */
const lost = /token in YAML stream/;
const topLevelKey = /^[A-Za-z_](?:[\w .-]*[\w.-])?[ \t]*:(?:[ \t]|$)/;

/**
 * Finds every problem of a front matter that the parser refuses, one for each line. Where the parser lost its way, it
 * is set on the next field, so that the faults of the fields that follow are reported too, and no others.
 */
function allProblems(yaml: string, first: readonly YamlProblem[]): readonly YamlProblem[] {
  const lines = yaml.split('\n');
  const byLine = new Map<number, YamlProblem>();
  let start = 0;
  let left = mostParsedAgain;
  for (let found = first; found.length > 0 && byLine.size < limit; ) {
    const real = found.filter((problem) => !lost.test(problem.message));
    for (const { message, at } of real.length === 0 ? found.slice(0, 1) : real) {
      const noticed = { line: at.line + start, column: at.column };
      const place = /^Missing closing .quote/.test(message) ? openingQuote(noticed, lines) : noticed;
      if (!byLine.has(place.line)) byLine.set(place.line, { message: inPlainWords(message), at: place });
    }
    const lostAt = found.find((problem) => lost.test(problem.message))?.at.line ?? lines.length;
    start = nextField(start + lostAt, lines);
    const rest = lines.slice(start).join('\n');
    found = problemsIn(rest, left);
    left -= rest.length;
  }
  return [...byLine.values()].slice(0, limit);
}

/** The position of the quote that is open: the parser notices it only at the end of the text. */
function openingQuote(at: Position, lines: readonly string[]): Position {
  for (let line = at.line; line > 0; line--) {
    const start = /^[^:]*:[ \t]+(?=["'])/.exec(lines[line - 1] ?? '')?.[0].length;
    if (start !== undefined) return { line, column: start + 1 };
  }
  return at;
}

/** The index of the first line from there on that starts a field. */
function nextField(from: number, lines: readonly string[]): number {
  const found = lines.findIndex((line, index) => index >= from && topLevelKey.test(line));
  return found === -1 ? lines.length : found;
}

function problemsIn(yaml: string, most: number): readonly YamlProblem[] {
  if (yaml.length > most) return [];
  const read = readYaml(yaml);
  return read.kind === 'error' ? read.problems : [];
}

/** A field of the front matter, and where each part of it stands. */
export interface Field extends YamlEntry {
  readonly valueAt: Position;
  /** The position of the value's text, if it stands on one line exactly as it is read. */
  readonly textAt: Position | null;
  /** Offsets of the end of the key and the end of the value. */
  readonly range: readonly [start: number, end: number];
  /** The keys of a map in it. */
  readonly children: ReadonlyMap<string, Position>;
}

/** A problem with strict YAML, and its remedy. */
interface StrictProblem extends YamlProblem {
  readonly remedy: string;
}

/** The outcome of reading a front matter as strict YAML, and what can be read in spite of problems. */
export interface StrictReading {
  readonly problems: readonly StrictProblem[];
  /** The fields, read after mending where that is needed; null when nothing can be read. */
  readonly fields: readonly Field[] | null;
  /** Whether mending, as in loading, helps. */
  readonly mended: boolean;
}

const byHand = 'Correct the line; quote values that contain : # [ ] { } or quotes.';
const byFixing = 'Quote the value; repertoire validate --fix does it where it is clear what is meant.';

/** Reads for a critic: with every problem and every position. */
export function readStrictly(yaml: string): StrictReading {
  const first = readYaml(yaml);
  if (first.kind === 'map') return { ...layOut(yaml, first.entries), mended: false };
  if (first.kind !== 'error') return { problems: [], fields: null, mended: false };
  const mended = mendYaml(yaml, first.problems);
  const remedy = mended === null ? byHand : byFixing;
  const problems = allProblems(yaml, first.problems).map((problem) => ({ ...problem, remedy }));
  if (mended === null) return { problems, fields: null, mended: false };
  const laid = layOut(mended.text, mended.entries);
  const [written, changed] = [yaml.split('\n'), mended.text.split('\n')];
  const doubled = laid.problems.map((problem) => ({ ...problem, at: within(problem.at, written) }));
  const fields = laid.fields.map((field) => asWritten(field, written, changed));
  return { problems: [...problems, ...doubled], fields, mended: true };
}

/** Maps a mended field back to its positions in the file, since mending moved things within their lines. */
function asWritten(field: Field, written: readonly string[], mended: readonly string[]): Field {
  const { line } = field.at;
  const text = written[line - 1] ?? '';
  const children = new Map([...field.children].map(([key, at]) => [key, within(at, written)]));
  const moved = { ...field, at: within(field.at, written), children };
  if (text === mended[line - 1]) return { ...moved, valueAt: within(field.valueAt, written) };
  const start = /^[^:]*:[ \t]*/.exec(text)?.[0].length ?? 0;
  return { ...moved, valueAt: { line, column: start + 1 }, textAt: null };
}

function within({ line, column }: Position, lines: readonly string[]): Position {
  return { line, column: Math.min(column, (lines[line - 1] ?? '').length + 1) };
}

/** Lays out the fields of a text that `readYaml` has accepted: the one-call parser has no guards of its own. */
function layOut(yaml: string, entries: readonly YamlEntry[]): { fields: Field[]; problems: StrictProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    lineCounter: lines,
    logLevel: 'silent',
    prettyErrors: false,
    uniqueKeys: false,
  });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const root = document.contents as unknown as YAMLMap<Node | null, Node | null>;
  const fields = entries.map((entry, index) => fieldOf(entry, root.items[index], yaml, at));
  const problems = repeatedKeys(root).map((key) => ({
    message: `the key ${JSON.stringify(yaml.slice(key.range?.[0], key.range?.[1]))} appears twice`,
    at: at(key.range?.[0] ?? 0),
    remedy: 'Remove one of the two.',
  }));
  return { fields, problems };
}

type NodePair = Pair<Node | null, Node | null>;

function fieldOf(entry: YamlEntry, pair: NodePair | undefined, yaml: string, at: (offset: number) => Position): Field {
  const keyEnd = pair?.key?.range?.[1] ?? 0;
  const [start, end] = pair?.value?.range ?? [keyEnd, keyEnd];
  const isThere = end > start;
  const valueAt = isThere ? at(start) : entry.at;
  const pairs = isMap<Node | null, Node | null>(pair?.value) ? pair.value.items : [];
  return {
    ...entry,
    valueAt,
    textAt: isThere ? textStart(entry.value, yaml.slice(start, end), valueAt) : null,
    range: [keyEnd, end],
    children: new Map(pairs.map(({ key }) => [isScalar(key) ? String(key.value) : '', at(key?.range?.[0] ?? start)])),
  };
}

function textStart(value: unknown, source: string, { line, column }: Position): Position | null {
  if (source === value) return { line, column };
  return /^["']/.test(source) && source.slice(1, -1) === value ? { line, column: column + 1 } : null;
}

/**
 * The repeated keys, which YAML forbids. Compared by a set, since the parser's own check is quadratic in their number.
 */
function repeatedKeys(node: unknown): Node[] {
  if (isSeq(node)) return node.items.flatMap(repeatedKeys);
  if (!isMap<Node | null, Node | null>(node)) return [];
  const seen = new Set<unknown>();
  return node.items.flatMap(({ key, value }) => {
    const below = repeatedKeys(value);
    if (!isScalar(key)) return below;
    if (seen.has(key.value)) return [key, ...below];
    seen.add(key.value);
    return below;
  });
}
