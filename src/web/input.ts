import { SkillError } from '../kernel/errors.ts';
import type { Field, Fields } from '../kernel/fields.ts';

/** What was asked for, by name: texts from an address, or values from a body. */
export type Given = ReadonlyMap<string, unknown>;

export function givenInQuery(query: URLSearchParams): Given {
  const given = new Map<string, unknown>();
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    given.set(name, values.length === 1 ? values[0] : values);
  }
  return given;
}

/** Reads what is given by the fields of an operation; whatever does not fit them is an error that says so. */
export function readInput(fields: Fields, given: Given): Record<string, unknown> {
  const unknown = [...given.keys()].find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    throw new SkillError('usage', `unknown parameter '${unknown.slice(0, 100)}'`, {
      hint: `Known parameters: ${Object.keys(fields).join(', ') || 'none'}.`,
    });
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, checked(name, field, given.get(name))]),
  );
}

/** What fields are when nobody says anything. */
export function unsaid(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.default ?? missing[field.kind]]),
  );
}

function checked(name: string, field: Field, given: unknown): unknown {
  if (given === undefined || given === null) {
    if (field.required) throw new SkillError('usage', `'${name}' is missing`, { hint: field.description });
    return field.default ?? missing[field.kind];
  }
  const value = readers[field.kind](given, field);
  if (value !== undefined) return value;
  throw new SkillError('usage', `'${name}' must be ${wanted(field)}`, { hint: field.description });
}

const missing: Readonly<Record<Field['kind'], unknown>> = {
  text: undefined,
  list: [],
  switch: false,
  integer: undefined,
  choice: undefined,
};

const switches = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
]);

type Reader = (given: unknown, field: Field) => unknown;

/** Undefined for what is no such value. */
const readers: Readonly<Record<Field['kind'], Reader>> = {
  text: (given) => (typeof given === 'string' ? given : undefined),
  list(given) {
    const list = Array.isArray(given) ? given : [given];
    return list.every((one) => typeof one === 'string') ? list : undefined;
  },
  switch: (given) => switches.get(given),
  integer(given, { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }) {
    const number = typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : given;
    return Number.isSafeInteger(number) && (number as number) >= min && (number as number) <= max ? number : undefined;
  },
  choice: (given, { choices = [] }) => choices.find((one) => one === given),
};

function wanted({ kind, choices = [], min, max }: Field): string {
  if (kind === 'choice') return `one of ${choices.join(', ')}`;
  if (kind === 'switch') return 'true or false';
  if (kind === 'list') return 'a list of strings';
  if (kind === 'text') return 'a text';
  const range = max === undefined ? `from ${min ?? 0}` : `from ${min ?? 0} to ${max}`;
  return `a whole number ${range}`;
}
