import { isUtf8 } from 'node:buffer';
import { isAbsent, readRegularFile, realPathOf } from '../../core/disk/files.ts';
import { expandPath } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { isObject } from '../../core/formats/documents.ts';
import { addTo } from '../../core/maps.ts';
import { count, cut } from '../../core/text/text.ts';

/** The content of an evaluation file. */
interface EvaluationFile {
  readonly lines: readonly EvaluationLine[];
  /** Notes about lines that were passed over. */
  readonly notes: readonly string[];
}

const mostBytes = 64 * 1024 * 1024;
const mostLines = 100_000;
/** Maximum number of faults reported: more say nothing new. */
const mostFaults = 100;

/** Reads all lines. If even one of them is wrong, nothing is measured: what it was to test would be left untested. */
export function readEvaluation(file: string, environment: Environment): EvaluationFile {
  const texts = textOf(file, environment).split('\n');
  const lines: EvaluationLine[] = [];
  const faults: string[] = [];
  const unknown = new Map<string, number[]>();
  texts.forEach((text, index) => {
    if (text.trim() === '') return;
    const reading = readLine(text, index + 1);
    if (!reading.ok) {
      faults.push(`${file}:${index + 1}: ${reading.cause}. ${reading.remedy}`);
      return;
    }
    lines.push(reading.line);
    for (const key of reading.unknownKeys) addTo(unknown, key, index + 1);
  });
  if (faults.length > 0) throw wrongLines(faults, texts);
  if (lines.length === 0) throw wrong(`there is nothing to measure: ${file} is empty`, emptyHint);
  if (lines.length > mostLines) throw wrong(`${file} has more than ${mostLines} lines`, splitHint);
  const notes = [...unknown].map(
    ([key, at]) => `'${key}' (${placesOf(file, at)}) is ignored; known keys: ${knownKeys}`,
  );
  return { lines, notes };
}

/** Formats places as in `evals.jsonl:3 and 2 more lines`. */
export function placesOf(file: string, lines: readonly number[]): string {
  const more = lines.length > 1 ? ` and ${count(lines.length - 1, 'more line')}` : '';
  return `${file}:${lines[0]}${more}`;
}

const emptyHint = 'Write one object on each line, as in {"query": "merge two PDFs", "relevant": ["pdf"]}.';
const splitHint = 'Split it into several files.';

/** Makes an error for a file that cannot be used. Its exit code is not 1, which says that a test failed. */
function wrong(message: string, hint: string): SkillError {
  return new SkillError('usage', message, { hint });
}

function textOf(file: string, environment: Environment): string {
  const path = realPathOf(expandPath(file, environment));
  if (!path.ok && isAbsent(path.reason)) {
    throw wrong(`there is no file '${file}'`, 'Name a file with one query on each line; repertoire eval --help.');
  }
  const content = path.ok ? readRegularFile(path.value, mostBytes) : path;
  if (!content.ok) {
    const hint = content.reason.startsWith('larger') ? splitHint : 'Name a file that you may read.';
    throw wrong(`${file} cannot be read (${content.reason})`, hint);
  }
  const { bytes } = content.value;
  if (!isUtf8(bytes)) throw wrong(`${file} is not in UTF-8`, 'Save it as UTF-8.');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

function wrongLines(faults: readonly string[], texts: readonly string[]): SkillError {
  const rest = faults.length - mostFaults;
  const shown = rest > 0 ? [...faults.slice(0, mostFaults), `and ${count(rest, 'more line')}`] : faults;
  const isArray = texts
    .find((text) => text.trim() !== '')
    ?.trimStart()
    .startsWith('[');
  const hint = isArray
    ? "The file seems to be one JSON list; jq -c '.[]' puts each object on a line of its own."
    : 'Nothing was measured.';
  const head = `${count(faults.length, 'line')} cannot be used`;
  return wrong([head, ...shown].join('\n'), hint);
}

/** One line of an evaluation file: what is asked, and what is expected. */
export interface EvaluationLine {
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly query: string;
  readonly kind: string | null;
  /** Labels of the skills that serve; empty for a query that no skill is about, null where the line does not say. */
  readonly relevant: readonly string[] | null;
  readonly shouldMatch: readonly string[];
  /** Labels of skills that must not be found; the star stands for every skill. */
  readonly shouldNotMatch: readonly string[] | typeof star;
}

/** The reading of a line: a query to ask, or what is wrong with it. */
type LineReading =
  | { readonly ok: true; readonly line: EvaluationLine; readonly unknownKeys: readonly string[] }
  | ({ readonly ok: false } & Fault);

export const star = '*';

const labelKeys = ['relevant', 'shouldMatch', 'shouldNotMatch'] as const;
type LabelKey = (typeof labelKeys)[number];

/** Every key, in both spellings. */
const keys: ReadonlyMap<string, LabelKey | 'query' | 'kind'> = new Map([
  ['query', 'query'],
  ['kind', 'kind'],
  ['relevant', 'relevant'],
  ['should_match', 'shouldMatch'],
  ['shouldMatch', 'shouldMatch'],
  ['should_not_match', 'shouldNotMatch'],
  ['shouldNotMatch', 'shouldNotMatch'],
] as const);

const knownKeys = 'query, relevant, kind, should_match and should_not_match';

type Given = Readonly<Record<string, unknown>>;

interface Fault {
  readonly cause: string;
  readonly remedy: string;
}

const objectRemedy = 'Write one JSON object on each line, as in {"query": "merge two PDFs", "relevant": ["pdf"]}.';

/** Possible faults of an object, in the order in which they are checked. */
const faults: readonly (Fault & { readonly isIn: (given: Given) => boolean })[] = [
  {
    isIn: ({ ['query']: query }) => typeof query !== 'string' || query.trim() === '',
    cause: 'the query is missing or is not a string',
    remedy: 'Write what is asked, as in "query": "merge two PDFs".',
  },
  {
    isIn: ({ ['kind']: kind = null }) => kind !== null && typeof kind !== 'string',
    cause: 'the kind is not a string',
    remedy: 'Name the group in quotes, as in "kind": "german".',
  },
  {
    isIn: (given) => labelKeys.some((key) => !givenLabels(given, key).every(isName)),
    cause: 'what is expected is not a list of names',
    remedy: 'Write names in quotes and in brackets, as in "relevant": ["pdf", "docx"].',
  },
  {
    isIn: (given) => [...givenLabels(given, 'relevant'), ...givenLabels(given, 'shouldMatch')].includes(star),
    cause: '"*" is not a name',
    remedy: 'Only should_not_match takes it; name the skills.',
  },
  {
    isIn: (given) => !isGiven(given, 'relevant') && labelKeys.every((key) => givenLabels(given, key).length === 0),
    cause: 'it does not say what is expected',
    remedy: 'Add relevant, should_match or should_not_match.',
  },
];

function readLine(text: string, number: number): LineReading {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return { ok: false, cause: `this is not JSON (${cut(reasonOf(error), 120)})`, remedy: objectRemedy };
  }
  if (!isObject(given)) return { ok: false, cause: 'this is not a JSON object', remedy: objectRemedy };
  const object = given;
  const fault = faults.find(({ isIn }) => isIn(object));
  if (fault !== undefined) return { ok: false, cause: fault.cause, remedy: fault.remedy };
  return { ok: true, line: lineFrom(object, number), unknownKeys: Object.keys(object).filter((key) => !keys.has(key)) };
}

function isName(label: unknown): boolean {
  return typeof label === 'string' && label.trim() !== '';
}

function lineFrom(given: Given, line: number): EvaluationLine {
  const { query, kind = null } = given as { readonly query: string; readonly kind?: string | null };
  const avoided = labelsOf(given, 'shouldNotMatch');
  return {
    line,
    query,
    kind,
    relevant: isGiven(given, 'relevant') ? labelsOf(given, 'relevant') : null,
    shouldMatch: labelsOf(given, 'shouldMatch'),
    shouldNotMatch: avoided.includes(star) ? star : avoided,
  };
}

/** The labels under a key, each once. */
function labelsOf(given: Given, key: LabelKey): string[] {
  return [...new Set(givenLabels(given, key).map((label) => (label as string).trim()))];
}

function isGiven(given: Given, wanted: LabelKey): boolean {
  return valuesOf(given, wanted).length > 0;
}

/** The labels as given; a single one may stand without brackets. */
function givenLabels(given: Given, wanted: LabelKey): unknown[] {
  return valuesOf(given, wanted).flat();
}

function valuesOf(given: Given, wanted: LabelKey): unknown[] {
  return Object.entries(given).flatMap(([key, value]) =>
    keys.get(key) === wanted && value !== null ? [Array.isArray(value) ? value : [value]] : [],
  );
}
