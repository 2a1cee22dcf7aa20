import { attempt } from '../attempt.ts';
import { shown } from './parsed.ts';
import type { Kind, Node, NodeOf, Schema } from './schema.ts';

/**
 * The form in which values are written. `data`: each as what it is. `file`: likewise, by a person who wants to know
 * what to write. `words`: as texts, on a command line, in a variable or an address; null is not a value there.
 */
export type Form = 'data' | 'file' | 'words';

/** A problem with a value, and its place. */
export interface Issue {
  readonly kind: 'missing' | 'unknown' | 'wrong';
  readonly path: readonly (string | number)[];
  /** The expected value, as in "must be a string". For an unknown key: the known ones. */
  readonly expected: string;
  readonly found: unknown;
  /** The whole problem in words, as in `must be a string, not 5`. */
  readonly message: string;
  /** The remedy: always present for a file, and where the parser of a value gives one. */
  readonly remedy?: string;
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly [Issue, ...Issue[]] };

/** Number of issues reported, enough to tell what is wrong; a file of a million wrong keys is wrong in one way. */
const mostIssues = 100;

/**
 * Reads a stranger's value: the value with its defaults, or what is wrong with it. Never throws, and looks no further
 * once it has found the most issues that are asked for.
 */
export function read<T>(schema: Schema<T>, value: unknown, form: Form = 'data', most = mostIssues): Reading<T> {
  const issues: Issue[] = [];
  const result = readAt(schema, value, { path: [], form, issues, most });
  const [first, ...others] = issues;
  return first === undefined ? { ok: true, value: result as T } : { ok: false, issues: [first, ...others] };
}

/** Reads JSON that we write ourselves; null where it is not as we write it. */
export function readOwn<T>(schema: Schema<T>, text: string): T | null {
  const json = attempt<unknown, undefined>(() => JSON.parse(text), undefined);
  const reading = json === undefined ? null : read(schema, json, 'data', 1);
  return reading?.ok ? reading.value : null;
}

interface Place {
  readonly path: (string | number)[];
  readonly form: Form;
  readonly issues: Issue[];
  readonly most: number;
}

type Reader<K extends Kind> = (schema: NodeOf<K>, value: unknown, place: Place) => unknown;

function readAt(schema: Node, value: unknown, place: Place): unknown {
  return (readers[schema.kind] as Reader<Kind>)(schema as never, value, place);
}

/** Reads what is in a list or an object. The path is one for all, as a list may have a million items. */
function readWithin(place: Place, key: string | number, schema: Node, value: unknown): unknown {
  place.path.push(key);
  const result = readAt(schema, value, place);
  place.path.pop();
  return result;
}

/** Whether nobody wants to hear of more. Every loop asks: a message of each of a million wrong items takes seconds. */
function isEnough({ issues, most }: Place): boolean {
  return issues.length >= most;
}

function report({ path, issues }: Place, issue: Omit<Issue, 'path'>, within: Issue['path'] = []): undefined {
  issues.push({ ...issue, path: [...path, ...within] });
  return undefined;
}

function wrong(schema: Node, found: unknown, place: Place, message?: string): undefined {
  const expected = expectedOf(schema, place.form);
  const remedy = place.form === 'file' ? remedyFor(schema, place.path) : null;
  return report(place, {
    kind: 'wrong',
    expected,
    found,
    message: message ?? `must be ${expected}, not ${shown(found)}`,
    ...(remedy !== null && { remedy }),
  });
}

/** The remedy for a file: how a person writes such a value. */
function remedyFor(schema: Node, path: Issue['path']): string {
  const { kind } = schema;
  if (kind === 'text') return 'Write it in quotes.';
  if (kind === 'flag') return 'Write true or false, without quotes.';
  if (kind === 'choice') return `Write one of ${schema.choices.map((one) => `"${one}"`).join(', ')}.`;
  if (kind === 'list') return 'Write it like ["one", "two"].';
  if (kind === 'object' || kind === 'map') return `Write [${pathText(path)}] on a line of its own.`;
  return `Write ${expectedOf(schema, 'file')}.`;
}

const flags = new Map([
  ...['true', '1', 'yes', 'on'].map((word): [unknown, boolean] => [word, true]),
  ...['false', '0', 'no', 'off'].map((word): [unknown, boolean] => [word, false]),
]);

/** The number in a text, if the value was written as one. */
function numberIn(value: unknown, form: Form, pattern: RegExp): unknown {
  return form === 'words' && typeof value === 'string' && pattern.test(value.trim()) ? Number(value) : value;
}

function isWithin(value: number, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }): boolean {
  return value >= min && value <= max;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Readers by kind. Each returns the value, or undefined once it has reported what is wrong. */
const readers: { readonly [K in Kind]: Reader<K> } = {
  text(schema, value, place) {
    if (typeof value !== 'string') return wrong(schema, value, place);
    if (schema.blank === false && value.trim() === '') return wrong(schema, value, place, 'cannot be blank');
    if (value === '' && (schema.min ?? 0) > 0) return wrong(schema, value, place, 'cannot be empty');
    return isWithin(value.length, schema) ? value : wrong(schema, value, place);
  },
  choice: (schema, value, place) => schema.choices.find((one) => one === value) ?? wrong(schema, value, place),
  integer(schema, value, place) {
    const read = numberIn(value, place.form, /^-?\d{1,16}$/);
    return Number.isSafeInteger(read) && isWithin(read as number, schema) ? read : wrong(schema, value, place);
  },
  number(schema, value, place) {
    const read = numberIn(value, place.form, /^-?\d{1,16}(?:\.\d{1,16})?$/);
    return Number.isFinite(read) && isWithin(read as number, schema) ? read : wrong(schema, value, place);
  },
  flag(schema, value, place) {
    const read = place.form === 'words' && typeof value === 'string' ? flags.get(value.toLowerCase()) : value;
    return typeof read === 'boolean' ? read : wrong(schema, value, place);
  },
  literal: (schema, value, place) => (value === schema.value ? value : wrong(schema, value, place)),
  list(schema, value, place) {
    if (!Array.isArray(value)) {
      const isOne = typeof value === 'string' && (schema.single || place.form === 'words');
      return isOne ? [readAt(schema.items, value, place)] : wrong(schema, value, place);
    }
    const items: unknown[] = [];
    for (let at = 0; at < value.length && !isEnough(place); at++) {
      items.push(readWithin(place, at, schema.items, value[at]));
    }
    return items;
  },
  object(schema, value, place) {
    if (!isTable(value)) return wrong(schema, value, place);
    const known = Object.keys(schema.fields);
    for (const key of schema.open ? [] : Object.keys(value)) {
      if (isEnough(place)) break;
      if (Object.hasOwn(schema.fields, key)) continue;
      const expected = known.join(', ') || 'none';
      report(place, { kind: 'unknown', expected, found: key, message: `unknown key ${shown(key)}` }, [key]);
    }
    const fields: [string, unknown][] = [];
    for (const key of known) {
      if (isEnough(place)) break;
      const one = readField(schema.fields[key] as Node, key, value, place);
      if (one !== undefined) fields.push([key, one]);
    }
    return Object.fromEntries(fields);
  },
  map(schema, value, place) {
    if (!isTable(value)) return wrong(schema, value, place);
    const entries: [string, unknown][] = [];
    for (const key of Object.keys(value)) {
      if (isEnough(place)) break;
      entries.push([key, readWithin(place, key, schema.values, value[key])]);
    }
    return Object.fromEntries(entries);
  },
  nullable: (schema, value, place) => (value === null ? null : readAt(schema.of, value, place)),
  union(schema, value, place) {
    for (const one of schema.of) {
      const reading = read(one, value, place.form, 1);
      if (reading.ok) return reading.value;
    }
    return wrong(schema, value, place);
  },
  parsed(schema, value, place) {
    const reading = read(schema.of, value, place.form, place.most - place.issues.length);
    if (!reading.ok) {
      for (const issue of reading.issues) report(place, issue, issue.path);
      return undefined;
    }
    const meant = schema.parse(reading.value as never);
    if (meant.ok) return meant.value;
    const { ok: _, ...said } = meant;
    return report(place, { kind: 'wrong', expected: expectedOf(schema, place.form), found: value, ...said });
  },
  anything: (_, value) => value,
};

function readField(field: Node, key: string, from: Readonly<Record<string, unknown>>, place: Place): unknown {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  if (value !== undefined && !(value === null && place.form === 'words')) return readWithin(place, key, field, value);
  if (field.optional || field.default !== undefined) return field.default;
  const expected = expectedOf(field, place.form);
  return report(place, { kind: 'missing', expected, found: undefined, message: 'is missing' }, [key]);
}

/** The expectation of a schema, worded to continue "must be". */
export function expectedOf(schema: Schema, form: Form = 'data'): string {
  return (expectations[schema.kind] as (schema: Node, form: Form) => string)(schema, form);
}

const expectations: { readonly [K in Kind]: (schema: NodeOf<K>, form: Form) => string } = {
  text: ({ min = 0, max }) => (max === undefined ? 'a string' : `a string of ${min} to ${max} characters`),
  choice: ({ choices }) => `one of ${choices.join(', ')}`,
  integer: (schema) => `a whole number${rangeOf(schema)}`,
  number: (schema) => `a number${rangeOf(schema)}`,
  flag: () => 'true or false',
  literal: ({ value }) => JSON.stringify(value),
  list: ({ items }) => (items.kind === 'text' || items.kind === 'parsed' ? 'a list of strings' : 'a list'),
  object: (_, form) => (form === 'file' ? 'a table' : 'an object'),
  map: (_, form) => (form === 'file' ? 'a table' : 'an object'),
  nullable: ({ of }, form) => `${expectedOf(of, form)} or null`,
  union: ({ of }, form) => [...new Set(of.map((one) => expectedOf(one, form)))].join(' or '),
  parsed: ({ of }, form) => expectedOf(of, form),
  anything: () => 'anything',
};

function rangeOf({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

/** Formats a path, as in `tools[0].name`. */
export function pathText(path: Issue['path']): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');
}
