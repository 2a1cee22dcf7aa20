import { SkillError } from '../../../core/errors.ts';
import { isTooDeep, tooDeep } from '../../../core/formats/depth.ts';
import { Interrupted } from '../../../core/interruptible.ts';
import { nearest } from '../../../core/text/near.ts';
import type { Json } from '../../../skill/types.ts';
import type { JsonSchema } from '../types.ts';
import { problemsIn } from './parameter-problems.ts';
import { findingsOf } from './schema-check.ts';
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
