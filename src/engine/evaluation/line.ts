import { reasonOf } from '../../core/errors.ts';
import { isObject } from '../../core/formats/documents.ts';
import { cut } from '../../core/text/text.ts';

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
export type LineReading =
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

export const knownKeys = 'query, relevant, kind, should_match and should_not_match';

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

export function readLine(text: string, number: number): LineReading {
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
