import { attempt } from '../../../core/attempt.ts';
import { SkillError } from '../../../core/errors.ts';
import { isTooDeep, tooDeep } from '../../../core/formats/depth.ts';
import { isObject } from '../../../core/formats/documents.ts';
import { Interrupted } from '../../../core/interruptible.ts';
import { shown } from '../../../core/schema/parsed.ts';
import { nearest } from '../../../core/text/near.ts';
import { cut } from '../../../core/text/text.ts';
import type { Json } from '../../../skill/types.ts';
import type { JsonSchema } from '../types.ts';
import { type Finding, findingsOf } from './schema-check.ts';
import { propertiesOf, requiredOf, typesOf } from './schema-parts.ts';

export { coerceParameters } from './coerce.ts';

type Values = { readonly [name: string]: Json };
/** Parameters as callers have them. */
type Given = Readonly<Record<string, unknown>>;

/**
 * Checks the parameters of a call, and fills in what was left out. Throws where they are not what the tool takes: the
 * message names the parameter, what is wrong with it and what is expected.
 */
export function checkParameters(schema: JsonSchema, given: Given): Values {
  const values = filled(schema, given);
  const unknown = Object.keys(values).filter((name) => !isKnown(schema, name));
  const missing = requiredOf(schema).filter((name) => !Object.hasOwn(values, name));
  const problems = [
    ...unknown.map((name) => unknownText(schema, name)),
    ...missing.map((name) => `${name} is missing${described(schema, name)}`),
    ...Object.keys(values).flatMap((name) => (isTooDeep(values[name]) ? [`${shortName(name)} is ${tooDeep}`] : [])),
  ];
  const checked = problems.length > 0 ? problems : problemsIn(findings(schema, values), schema, values);
  if (checked.length === 0) return values;
  throw new SkillError('usage', checked.join('; '), {
    hint: hintFor(schema),
    suggestions: unknown.flatMap((name) => nearest(name, Object.keys(propertiesOf(schema))) ?? []),
  });
}

function findings(schema: JsonSchema, values: Values): ReturnType<typeof findingsOf> {
  try {
    return findingsOf(schema, values);
  } catch (error) {
    const isSlow = error instanceof Interrupted;
    const hint = isSlow
      ? 'A pattern in its parameters may take forever on this value; tell its author.'
      : 'Nothing is run unchecked; tell its author.';
    const reason = isSlow ? 'took too long' : 'failed';
    throw new SkillError('usage', `checking the parameters against the tool's schema ${reason}`, {
      hint,
      cause: error,
    });
  }
}

/** Fills in defaults for what is missing. Null stands for missing too, wherever nothing else could be meant by it. */
function filled(schema: JsonSchema, given: Given): Values {
  const properties = propertiesOf(schema);
  const said = Object.entries(given).filter(
    ([name, value]) => value !== undefined && (value !== null || !isLeftOut(properties[name])),
  );
  const values = new Map(said as [string, Json][]);
  for (const [name, { default: fallback }] of Object.entries(properties)) {
    if (fallback !== undefined && !values.has(name)) values.set(name, fallback);
  }
  return Object.fromEntries(values);
}

function isLeftOut(schema: JsonSchema | undefined): boolean {
  const types = typesOf(schema);
  return types.length > 0 && !types.includes('null');
}

function isKnown(schema: JsonSchema, name: string): boolean {
  const { additionalProperties, patternProperties } = schema;
  const open =
    additionalProperties !== false && (additionalProperties !== undefined || patternProperties !== undefined);
  return open || patternProperties !== undefined || Object.hasOwn(propertiesOf(schema), name);
}

function unknownText(schema: JsonSchema, name: string): string {
  const near = nearest(name, Object.keys(propertiesOf(schema)));
  const shown = shortName(name);
  return near === null
    ? `${shown} is not a parameter of this tool`
    : `${shown} is not a parameter of this tool; did you mean ${near}?`;
}

function shortName(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}

function described(schema: JsonSchema, name: string): string {
  const description = propertiesOf(schema)[name]?.['description'];
  return typeof description === 'string' && description !== '' ? ` (${description.slice(0, 200)})` : '';
}

function hintFor(schema: JsonSchema): string {
  const required = new Set(requiredOf(schema));
  const names = Object.keys(propertiesOf(schema)).map((name) => (required.has(name) ? name : `[${name}]`));
  return names.length === 0 ? 'It takes no parameters.' : `It takes ${names.join(', ')}.`;
}

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
function problemsIn(findings: readonly Finding[], schema: JsonSchema, values: Values): string[] {
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
    .map((part) =>
      attempt(() => decodeURIComponent(part), part)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~'),
    );
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
