import { isObject } from '../../../core/formats/documents.ts';
import { shown } from '../../../core/schema/parsed.ts';
import { cut } from '../../../core/text/text.ts';
import type { Json } from '../../../skill/types.ts';
import type { JsonSchema } from '../types.ts';
import type { Finding } from './schema-check.ts';

type Values = { readonly [name: string]: Json };

/** Keywords that only say that something further in is wrong. */
const wrappers = new Set(
  '$ref properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems allOf if propertyNames dependentSchemas'.split(
    ' ',
  ),
);

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** Expectations of each keyword, in words. */
const expectations: Readonly<Record<string, (asked: Json | undefined) => string>> = {
  type: (asked) => `must be ${typesIn(asked).join(' or ')}`,
  enum: (asked) => `must be one of ${listed(asked)}`,
  const: (asked) => `must be ${shown(asked)}`,
  pattern: (asked) => `must match the pattern ${shown(asked)}`,
  format: (asked) => `must be a valid ${textOf(asked)}`,
  minLength: (asked) => `must have ${shown(asked)} characters or more`,
  maxLength: (asked) => `must have ${shown(asked)} characters at most`,
  minimum: (asked) => `must be ${shown(asked)} or more`,
  maximum: (asked) => `must be ${shown(asked)} at most`,
  exclusiveMinimum: (asked) => `must be more than ${shown(asked)}`,
  exclusiveMaximum: (asked) => `must be less than ${shown(asked)}`,
  multipleOf: (asked) => `must be a multiple of ${shown(asked)}`,
  minItems: (asked) => `must have ${shown(asked)} items or more`,
  maxItems: (asked) => `must have ${shown(asked)} items at most`,
  uniqueItems: () => 'must not have the same item twice',
  anyOf: (asked) => `must be ${formsIn(asked)}`,
  oneOf: (asked) => `must be exactly one of: ${formsIn(asked)}`,
  not: () => 'matches a form that is not allowed',
  false: () => 'is not allowed here',
};

function typesIn(asked: Json | undefined): string[] {
  const types = Array.isArray(asked) ? asked : [asked];
  return types.map((type) => typeWords[textOf(type)] ?? textOf(type));
}

const mostForms = 8;

/** The forms that are asked for, as in `{"tag": "circle", "val": a number} or null`. */
function formsIn(asked: Json | undefined): string {
  const forms = Array.isArray(asked) ? asked : [];
  const first = forms.slice(0, mostForms).map((form) => formOf(form, 2));
  return cut(first.join(' or ') + (forms.length > first.length ? ' or …' : ''), 400);
}

/** The form that a schema allows, in a few words: no deeper than is of use to the author of the value. */
function formOf(schema: Json, depth: number): string {
  if (!isObject(schema)) return 'another value';
  const { const: only, enum: choices, type, properties, required } = schema as JsonSchema;
  if (only !== undefined) return shown(only);
  if (Array.isArray(choices)) return listed(choices);
  if (!isObject(properties) || depth === 0) {
    return type === undefined ? 'a value that its schema allows' : typesIn(type).join(' or ');
  }
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties as JsonSchema)
    .filter(([name]) => names.includes(name))
    .map(([name, part]) => `${JSON.stringify(name)}: ${formOf(part, depth - 1)}`);
  return `{${fields.join(', ')}}`;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : shown(value);
}

function listed(asked: Json | undefined): string {
  const choices = Array.isArray(asked) ? asked : [];
  const first = choices.slice(0, 20).map(textOf);
  return first.join(', ') + (choices.length > first.length ? ', …' : '');
}

const most = 5;

/** The problems in values, a sentence for each place. Values are not repeated: they may be secret. */
export function problemsIn(findings: readonly Finding[], schema: JsonSchema, values: Values): string[] {
  const problems = new Map<string, string>();
  for (const finding of findings) {
    const { instanceLocation: place, keyword } = finding;
    const isInside = [...problems.keys()].some((one) => place === one || place.startsWith(`${one}/`));
    if (!wrappers.has(keyword) && !isInside) problems.set(place, sentenceFor(finding, schema, values));
    if (problems.size >= most) break;
  }
  return [...problems.values()];
}

function sentenceFor(
  { keyword, keywordLocation, instanceLocation, error }: Finding,
  schema: JsonSchema,
  values: Values,
): string {
  const parts = partsOf(instanceLocation);
  const name = parts.length === 0 ? 'the parameters' : nameOf(parts);
  const missing = keyword === 'required' ? /"(.*)"/s.exec(error)?.[1] : undefined;
  if (missing !== undefined) return `${nameOf([...parts, missing])} is missing`;
  const expectation = expectations[keyword];
  if (expectation === undefined) return `${name}: ${error}`;
  const is = keyword === 'type' ? `, and is ${kindOf(valueAt(values, parts))}` : '';
  return `${name} ${expectation(askedAt(schema, partsOf(keywordLocation)))}${is}`;
}

/** The parts of a location such as `#/filters/0/na~1me`. */
function partsOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The name of a value, such as `filters[0].name`. */
function nameOf(parts: readonly string[]): string {
  return parts.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}

function valueAt(value: Json | undefined, parts: readonly string[]): Json | undefined {
  let at: unknown = value;
  for (const part of parts) at = isObject(at) || Array.isArray(at) ? (at as Values)[part] : undefined;
  return at as Json | undefined;
}

/** The value that a keyword asks for, however many references lead there. */
function askedAt(schema: JsonSchema, parts: readonly string[]): Json | undefined {
  let at: Json | undefined = schema;
  for (const part of parts) {
    const next = valueAt(at, [part]);
    at = part === '$ref' && typeof next === 'string' ? valueAt(schema, partsOf(next)) : next;
  }
  return at;
}

function kindOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'number' && !Number.isInteger(value)
    ? 'a number with a fraction'
    : (kinds[typeof value] ?? '');
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};
