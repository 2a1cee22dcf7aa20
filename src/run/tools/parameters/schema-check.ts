import { Validator } from '@cfworker/json-schema';
import { isObject } from '../../../core/formats/documents.ts';
import { interruptible } from '../../../core/interruptible.ts';
import { memoized } from '../../../core/maps.ts';
import { type Problem, problem, shown } from '../../../core/schema/parsed.ts';
import type { Json } from '../../../skill/types.ts';
import type { JsonSchema } from '../types.ts';

const timeoutMs = 200;
/** Most visits to parts of a schema for a value without anything in it; real ones have no hundred. */
const mostSteps = 1000;

/** Keywords that would have a schema reach for others, or be called by a name of its choosing. */
const refused = new Set(['$id', '$anchor', '$recursiveRef', '$recursiveAnchor', '$dynamicRef', '$dynamicAnchor']);

/**
 * The problem of a JSON Schema that cannot be used. A usable one has no way out of it, expressions that are
 * expressions, and nothing endless.
 */
export function schemaProblem(schema: JsonSchema): Problem | null {
  const reach = partProblem(schema);
  if (reach !== null) return reach;
  try {
    if (stepsOf(schema, schema, new Map()) > mostSteps) return unusable('it takes too long to check');
    validatorOf(schema).validate({});
    return null;
  } catch (error) {
    return unusable(firstLine(error));
  }
}

function unusable(reason: string): Problem {
  return problem(`the JSON Schema cannot be used (${reason})`, 'Correct it, or simplify it.');
}

/**
 * Number of parts that a validator visits, those that several others name as often as they do. Counted and not timed,
 * so that a busy machine deprives no skill of its tools.
 */
function stepsOf(part: Json | undefined, schema: JsonSchema, known: Map<object, number>): number {
  if (!isObject(part)) return 0;
  const before = known.get(part);
  if (before !== undefined) return before;
  known.set(part, Number.POSITIVE_INFINITY); // for a part that leads back here
  const { allOf, anyOf, oneOf, not, if: condition, then, else: otherwise, $ref } = part as JsonSchema;
  const lists = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const inPlace = [...lists, not, condition, then, otherwise, partNamed($ref, schema)];
  const steps = inPlace.reduce<number>((sum, one) => sum + stepsOf(one, schema, known), 1);
  known.set(part, steps);
  return steps;
}

/** The part that `#/$defs/name` leads to. */
function partNamed(pointer: Json | undefined, schema: JsonSchema): Json | undefined {
  if (typeof pointer !== 'string') return undefined;
  const keys = decodeURIComponent(pointer).split('/').slice(1);
  return keys.reduce<Json | undefined>((part, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof part === 'object' && part !== null && Object.hasOwn(part, name)
      ? (part as JsonSchema)[name]
      : undefined;
  }, schema);
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? '';
}

function partProblem(part: Json): Problem | null {
  if (Array.isArray(part)) return firstOf(part, partProblem);
  if (!isObject(part)) return null;
  return firstOf(
    Object.entries(part) as [string, Json][],
    ([key, value]) => keyProblem(key, value) ?? partProblem(value),
  );
}

function firstOf<T>(list: readonly T[], find: (one: T) => Problem | null): Problem | null {
  for (const one of list) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

function keyProblem(key: string, value: Json): Problem | null {
  if (refused.has(key))
    return problem(`${key} is not supported in a schema`, 'Use $defs and local $ref, or write it out.');
  if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) {
    return problem(
      `$ref ${shown(value)} leads out of the schema`,
      'Put the definition into $defs, and refer to #/$defs/….',
    );
  }
  const patterns =
    key === 'pattern' ? [value] : key === 'patternProperties' && isObject(value) ? Object.keys(value) : [];
  return firstOf(patterns, patternProblem);
}

function patternProblem(pattern: Json): Problem | null {
  if (typeof pattern !== 'string') return null; // a parameter may be called that
  try {
    new RegExp(pattern, 'u');
    return null;
  } catch {
    return problem(
      `${shown(pattern)} is not a regular expression`,
      'Correct it; TOML needs "\\\\d", or \'\\d\' in single quotes.',
    );
  }
}

/** The validator of a schema, made from a copy: the making leaves marks. */
const validatorOf = memoized(
  (schema: JsonSchema): Validator => new Validator(structuredClone(schema) as never, '2020-12', false),
);

/** A finding of a validator, from the outside in. */
export interface Finding {
  readonly keyword: string;
  /** The location of the keyword in the schema: `#/properties/count/type`. */
  readonly keywordLocation: string;
  /** The location of the value: `#/count`. */
  readonly instanceLocation: string;
  readonly error: string;
}

/** All findings in values; broken off where an expression of a third party never ends. */
export function findingsOf(schema: JsonSchema, values: { readonly [name: string]: Json }): readonly Finding[] {
  const check = () => validatorOf(schema).validate(values).errors;
  // Being able to break off takes a thread each time, which is most of what checking a few values costs.
  return isPlain(schema) ? check() : interruptible(timeoutMs, check);
}

/** Keywords whose checks take no longer than reading the value does. */
const plainKeywords: ReadonlySet<string> = new Set([
  ...['type', 'title', 'description', 'default', 'examples', 'required', '$schema', '$comment', 'deprecated'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
]);
/** Choices that are compared with each value, at most. */
const mostChoices = 100;

/** Whether checking values against a schema surely ends soon: it has no expressions, references or alternatives. */
function isPlain(schema: Json | undefined): boolean {
  if (typeof schema === 'boolean') return true;
  return isObject(schema) && Object.entries(schema).every(([keyword, value]) => isPlainKeyword(keyword, value));
}

function isPlainKeyword(keyword: string, value: Json): boolean {
  if (keyword === 'properties') return isObject(value) && Object.values(value).every((one) => isPlain(one as Json));
  if (keyword === 'items' || keyword === 'additionalProperties') return isPlain(value);
  if (keyword === 'enum') return Array.isArray(value) && value.length <= mostChoices && value.every(isScalar);
  return plainKeywords.has(keyword);
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}
