import type { Json, JsonSchema } from '../../engine/operations/running/tools.ts';
import type { Field, GroupField, Member, Simple } from './drafts.ts';

const mostExamples = 3;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The number in a keyword. Schemas are third-party: a keyword of the wrong type is as good as none. */
function numberIn(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Keywords that a schema of any type may have. */
function commonOf(schema: JsonSchema) {
  return {
    title: textIn(schema['title']),
    description: textIn(schema['description']),
    fallback: schema['default'],
    examples: listIn(schema['examples']).slice(0, mostExamples),
  };
}

const mostSteps = 20;

/** Resolves a schema's references and equivalent wrappers; null where they never end. */
function resolved(schema: Json | undefined, root: JsonSchema): JsonSchema | null {
  let at: Json | undefined = schema;
  for (let step = 0; step < mostSteps; step++) {
    if (!isObject(at)) return null;
    const next = stepFrom(at as JsonSchema, root);
    if (next === null) return at as JsonSchema;
    at = next;
  }
  return null;
}

/** The schema that one leads to, its own keywords taking precedence. Null where it leads nowhere. */
function stepFrom(schema: JsonSchema, root: JsonSchema): Json | null {
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  if (typeof $ref === 'string') return under(own, partAt(root, $ref));
  const all = listIn(allOf);
  if (all.length === 1 && anyOf === undefined && oneOf === undefined) return under(own, all[0]);
  const some = listIn(anyOf ?? oneOf);
  const others = some.filter((one) => !isObject(one) || one['type'] !== 'null');
  if (own['type'] === undefined && allOf === undefined && others.length === 1) return under(own, others[0]);
  return null;
}

function under(own: JsonSchema, other: Json | undefined): Json {
  return isObject(other) ? ({ ...other, ...own } as JsonSchema) : false;
}

/** The part of a schema that a reference such as `#/$defs/size` points to. */
function partAt(root: JsonSchema, reference: string): Json | undefined {
  let at: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (name === '') continue;
    const isThere = (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, name);
    at = isThere ? (at as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return at as Json | undefined;
}

/** Limits of a form, whatever a schema says. Anything beyond is written as JSON. */
const mostFields = 150;
const mostChoices = 500;
const deepest = 4;
const longText = 300;

/** Names that programs give to long texts. */
const longNames = new Set(
  'stdin input text body content contents script code source markdown html data sql'.split(' '),
);

interface Reading {
  readonly root: JsonSchema;
  /** Number of fields that may still be added. */
  left: number;
}

interface Place {
  readonly name: string;
  readonly depth: number;
}

/** The form for the parameters of a tool. */
export function formOf(schema: JsonSchema): GroupField {
  return groupOf(schema, { root: schema, left: mostFields }, { name: '', depth: 0 });
}

function fieldOf(schema: Json | undefined, reading: Reading, place: Place): Field {
  const found = resolved(schema, reading.root);
  if (found === null) return { kind: 'json', ...commonOf({}) };
  const choice = choiceOf(found, place);
  if (choice !== null) return choice;
  const types = (Array.isArray(found['type']) ? found['type'] : [found['type']]).filter((type) => type !== 'null');
  const type = types.length === 1 ? String(types[0] ?? (isObject(found['properties']) ? 'object' : '')) : '';
  const maker = Object.hasOwn(makers, type) ? makers[type] : undefined;
  return maker?.(found, reading, place) ?? { kind: 'json', ...commonOf(found) };
}

/** The field for a choice; null where the values cannot be listed. */
function choiceOf(schema: JsonSchema, place: Place): Field | null {
  const choices = Object.hasOwn(schema, 'const') ? [schema['const'] as Json] : listIn(schema['enum']);
  if (choices.length === 0) return null;
  if (choices.length <= mostChoices) return { kind: 'choice', ...commonOf(schema), choices };
  return choices.every((choice) => typeof choice === 'string') ? textOf(schema, place) : null;
}

type Maker = (schema: JsonSchema, reading: Reading, place: Place) => Field | null;

/** Makers of fields by the type of the value; null for types that have no form. */
const makers: Readonly<Record<string, Maker>> = {
  string: (schema, _, place) => textOf(schema, place),
  integer: (schema) => numberOf(schema, 'integer'),
  number: (schema) => numberOf(schema, 'number'),
  boolean: (schema) => ({ kind: 'switch', ...commonOf(schema) }),
  array: listOf,
  object: (schema, reading, place) =>
    isObject(schema['properties']) && Object.keys(schema['properties']).length > 0 && place.depth < deepest
      ? groupOf(schema, reading, place)
      : null,
};

function textOf(schema: JsonSchema, { name }: Place): Field {
  const common = commonOf(schema);
  const maxLength = numberIn(schema['maxLength']);
  const shown = [common.fallback, ...common.examples];
  const isLong =
    longNames.has(name.toLowerCase()) ||
    (maxLength ?? 0) >= longText ||
    shown.some((text) => typeof text === 'string' && (text.includes('\n') || text.length > longText));
  return {
    kind: 'text',
    ...common,
    isLong,
    minLength: numberIn(schema['minLength']),
    maxLength,
    pattern: textIn(schema['pattern']) || null,
  };
}

function numberOf(schema: JsonSchema, type: 'integer' | 'number'): Field {
  const step = numberIn(schema['multipleOf']);
  return {
    kind: 'number',
    ...commonOf(schema),
    isWhole: type === 'integer',
    min: numberIn(schema['minimum']),
    max: numberIn(schema['maximum']),
    above: numberIn(schema['exclusiveMinimum']),
    below: numberIn(schema['exclusiveMaximum']),
    multipleOf: step !== null && step > 0 ? step : null,
  };
}

function listOf(schema: JsonSchema, reading: Reading, { name, depth }: Place): Field | null {
  if (schema['prefixItems'] !== undefined || !isObject(schema['items'])) return null;
  const item = fieldOf(schema['items'] as JsonSchema, { ...reading, left: 0 }, { name: '', depth: depth + 1 });
  if (!isSimple(item)) return null;
  return {
    kind: 'list',
    ...commonOf(schema),
    item: item.kind === 'text' && name === 'args' ? { ...item, isLong: false } : item,
    minItems: numberIn(schema['minItems']),
    maxItems: numberIn(schema['maxItems']),
    isUnique: schema['uniqueItems'] === true,
  };
}

function isSimple(field: Field): field is Simple {
  return field.kind !== 'group' && field.kind !== 'list' && field.kind !== 'json';
}

function groupOf(schema: JsonSchema, reading: Reading, { depth }: Place): GroupField {
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const required = new Set(listIn(schema['required']));
  const members: Member[] = [];
  for (const [name, part] of properties) {
    if (reading.left <= 0) break;
    reading.left--;
    const field = fieldOf(part as Json, reading, { name, depth: depth + 1 });
    members.push({ name, presence: required.has(name) ? 'required' : 'optional', field });
  }
  const others = schema['additionalProperties'];
  const isOpen = (others !== undefined && others !== false) || schema['patternProperties'] !== undefined;
  return { kind: 'group', ...commonOf(schema), members, more: properties.length - members.length, isOpen };
}
