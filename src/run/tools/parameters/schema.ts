import { isObject } from '../../../core/formats/documents.ts';
import { type Parsed, parsed, problem, shown } from '../../../core/schema/parsed.ts';
import { nearest } from '../../../core/text/near.ts';
import type { Json } from '../../../skill/types.ts';
import { type Place, refuse, taken, within } from '../manifest/findings.ts';
import { onOff, type ReadBy, type Reader, readTable, text, valued } from '../manifest/readers.ts';
import type { JsonSchema } from '../types.ts';
import { schemaProblem } from './schema-check.ts';
import { noParameters, propertiesOf } from './schema-parts.ts';

const most = 100;
const parameterName = /^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u;

/** Types, with their other names. */
const types: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  str: { type: 'string' },
  file: { type: 'string' },
  path: { type: 'string' },
  secret: { type: 'string', writeOnly: true },
  integer: { type: 'integer' },
  int: { type: 'integer' },
  number: { type: 'number' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  bool: { type: 'boolean' },
  array: { type: 'array' },
  list: { type: 'array' },
  object: { type: 'object' },
  json: {},
  any: {},
};

const jsonTypes = new Set<unknown>(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

const typeOf: Reader<JsonSchema> = (place) => {
  const { value } = place;
  const named = typeof value === 'string' && Object.hasOwn(types, value) ? types[value] : undefined;
  if (named !== undefined) return named;
  if (Array.isArray(value) && value.length > 0 && value.every((one) => jsonTypes.has(one))) {
    return { type: value };
  }
  const near = typeof value === 'string' ? nearest(value, Object.keys(types)) : null;
  return refuse(place, {
    message: `${shown(value)} is not a type`,
    remedy: near === null ? `Write one of ${Object.keys(types).join(', ')}.` : `Did you mean "${near}"?`,
  });
};

const number = valued((value) =>
  typeof value === 'number' && Number.isFinite(value)
    ? { ok: true, value }
    : { ok: false, message: `must be a number, not ${shown(value)}`, remedy: 'Write a number, without quotes.' },
);
const json = valued(jsonOf);

/** The keys of one parameter in the short form, and what they are called in a JSON Schema. */
const shortKeys = {
  name: text,
  type: typeOf,
  required: onOff,
  description: text,
  title: text,
  default: json,
  enum: json,
  const: json,
  examples: json,
  items: json,
  properties: json,
  additionalProperties: json,
  additional_properties: json,
  format: text,
  pattern: text,
  minimum: number,
  min: number,
  maximum: number,
  max: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  multiple_of: number,
  minLength: number,
  min_length: number,
  maxLength: number,
  max_length: number,
  minItems: number,
  min_items: number,
  maxItems: number,
  max_items: number,
  uniqueItems: onOff,
  unique_items: onOff,
} as const;

const renamed: Readonly<Record<string, string>> = {
  min: 'minimum',
  max: 'maximum',
  multiple_of: 'multipleOf',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_items: 'minItems',
  max_items: 'maxItems',
  unique_items: 'uniqueItems',
  additional_properties: 'additionalProperties',
};

/** Reads the parameters of a tool, from whichever form they are written in, as one JSON Schema. */
export function readParameters(place: Place): JsonSchema | undefined {
  const schema = Array.isArray(place.value)
    ? fromList(place)
    : isSchema(place.value)
      ? fromSchema(place)
      : fromTable(place);
  if (schema === undefined) return undefined;
  const names = Object.keys(propertiesOf(schema));
  const wrong = names.find((name) => !parameterName.test(name) || name === '__proto__');
  if (wrong !== undefined || names.length > most) {
    const message =
      wrong === undefined ? `more than ${most} parameters` : `${shown(wrong)} cannot be the name of a parameter`;
    return refuse(place, { message, remedy: 'Use letters, digits, _ and -, beginning with a letter.' });
  }
  const problem = schemaProblem(schema);
  return problem === null ? schema : refuse(place, problem);
}

/** Whether a value is a JSON Schema. A parameter may be called `type` too; its value is then a table. */
function isSchema(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value['type'] === 'string' &&
    (value['type'] === 'object' || isObject(value['properties']))
  );
}

function fromSchema(place: Place): JsonSchema | undefined {
  const schema = taken(place, jsonOf(place.value));
  if (!isObject(schema)) return undefined;
  if (schema['type'] !== 'object') {
    return refuse(within(place, 'type'), {
      message: 'must be "object"',
      remedy: 'Parameters have names: write type = "object".',
    });
  }
  const isOpen = schema['additionalProperties'] !== undefined || schema['patternProperties'] !== undefined;
  return { ...(schema as JsonSchema), ...(isOpen ? {} : { additionalProperties: false }) };
}

function fromTable(place: Place): JsonSchema | undefined {
  const { value } = place;
  if (!isObject(value)) {
    return refuse(place, {
      message: `must be a table, not ${shown(value)}`,
      remedy: 'Write name = { type = "string" }.',
    });
  }
  return assembled(Object.keys(value).map((name) => [name, within(place, name)]));
}

/** The type of a parameter that does not say: that of its default or choices, or else a text. */
function typeLike({ default: fallback, enum: choices }: { readonly default?: Json; readonly enum?: Json }): JsonSchema {
  const example = fallback ?? (Array.isArray(choices) ? choices[0] : undefined);
  if (Array.isArray(example)) return { type: 'array' };
  if (typeof example === 'number') return { type: Number.isInteger(example) ? 'integer' : 'number' };
  return { type: typeof example === 'boolean' ? 'boolean' : isObject(example) ? 'object' : 'string' };
}

function fromList(place: Place): JsonSchema | undefined {
  const list = Array.isArray(place.value) ? place.value : [];
  const named: (readonly [string, Place])[] = [];
  for (const index of list.keys()) {
    const name = text(within(within(place, index), 'name'));
    if (name !== undefined) named.push([name, within(place, index)]);
  }
  return assembled(named);
}

type Short = ReadBy<typeof shortKeys>;

function assembled(named: readonly (readonly [string, Place])[]): JsonSchema {
  const read = named.slice(0, most + 1).map(([name, place]) => [name, shortOf(place)] as const);
  const properties = read.map(([name, short]) => {
    const others = Object.entries(short).filter(([key]) => !['type', 'required', 'name'].includes(key));
    const renamedKeys = others.map(([key, value]) => [renamed[key] ?? key, value] as const);
    return [name, { ...(short.type ?? typeLike(short)), ...Object.fromEntries(renamedKeys) }];
  });
  const required = read.filter(([, short]) => short.required === true).map(([name]) => name);
  return { ...noParameters, properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) };
}

/** Reads the short form of a parameter. `name = "integer"` is `name = { type = "integer" }`. */
function shortOf(place: Place): Short {
  if (typeof place.value !== 'string') return readTable(place, shortKeys);
  const type = typeOf(place);
  return type === undefined ? {} : { type };
}

const bounds = { depth: 16, nodes: 2000 } as const;
const simplify = 'Simplify it.';

/** A value of a manifest as JSON, if it is that, and of a size that people write. */
function jsonOf(value: unknown): Parsed<Json> {
  const budget = { nodes: bounds.nodes };
  try {
    return parsed(converted(value, 0, budget));
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error), simplify);
  }
}

function converted(value: unknown, depth: number, budget: { nodes: number }): Json {
  if (depth > bounds.depth) throw new Error(`nested deeper than ${bounds.depth} levels`);
  if (--budget.nodes < 0) throw new Error(`more than ${bounds.nodes} values`);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => converted(item, depth + 1, budget));
  if (typeof value === 'object' && !(value instanceof Date)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, converted(item, depth + 1, budget)]));
  }
  throw new Error('a date, an infinite number or the like, which JSON has no way to write');
}
