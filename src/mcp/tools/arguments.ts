import { SkillError } from '../../kernel/errors.ts';
import { oneLine } from '../../kernel/text.ts';
import type { Schema } from './definitions.ts';

/** What a schema's type asks of a value. */
const isOfType: { readonly [T in Schema['type']]: (value: unknown) => boolean } = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isSafeInteger,
};

/** The arguments of a call, checked by the schema that the tool is listed with, and with its defaults filled in. */
export function checkArguments(schema: Schema, given: unknown): Readonly<Record<string, unknown>> {
  if (!isOfType.object(given)) throw wrong('arguments must be an object');
  const values = given as Readonly<Record<string, unknown>>;
  const known = schema.properties ?? {};
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(values, name)) throw wrong(`\`${name}\` is required`);
  }
  if (schema.additionalProperties === false) {
    const unknown = Object.keys(values).find((name) => !Object.hasOwn(known, name));
    if (unknown !== undefined) {
      throw wrong(`unknown argument \`${shown(unknown)}\`; known: ${Object.keys(known).join(', ')}`);
    }
  }
  const checked = Object.entries(known).flatMap(([name, field]) => {
    const value = Object.hasOwn(values, name) ? values[name] : field.default;
    if (value === undefined) return [];
    checkValue(name, field, value);
    return [[name, value]];
  });
  return Object.fromEntries(checked) as Readonly<Record<string, unknown>>;
}

function checkValue(name: string, field: Schema, value: unknown): void {
  if (!isOfType[field.type](value)) throw wrong(`\`${name}\` must be ${articles[field.type]} ${field.type}`);
  if (typeof value === 'string' && value.length < (field.minLength ?? 0)) throw wrong(`\`${name}\` cannot be empty`);
  if (field.enum !== undefined && !field.enum.includes(value as string)) {
    throw wrong(`\`${name}\` must be one of ${field.enum.join(', ')}`);
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
  if (typeof value === 'number' && (value < minimum || value > maximum)) {
    throw wrong(`\`${name}\` must be ${range(field)}, not ${value}`);
  }
}

const articles = { object: 'an', array: 'an', integer: 'an', string: 'a', boolean: 'a', number: 'a' } as const;

function range({ minimum, maximum }: Schema): string {
  if (maximum === undefined) return `at least ${minimum}`;
  return minimum === undefined ? `at most ${maximum}` : `from ${minimum} to ${maximum}`;
}

function shown(name: string): string {
  return oneLine(name).slice(0, 60);
}

function wrong(message: string): SkillError {
  return new SkillError('usage', message);
}
