import { attempt } from '../../../core/attempt.ts';
import { isObject } from '../../../core/formats/documents.ts';
import { addTo } from '../../../core/maps.ts';
import type { Json } from '../../../skill/types.ts';
import type { JsonSchema } from '../types.ts';
import { propertiesOf, typesOf } from './schema-parts.ts';

/**
 * Converts texts of a command line to the types that the schema asks for. A text that cannot be converted stays one,
 * and the check that follows says what is wrong with it. A name given several times is a list.
 */
export function coerceParameters(
  schema: JsonSchema,
  given: readonly (readonly [name: string, text: string])[],
): { readonly [name: string]: Json } {
  const properties = propertiesOf(schema);
  const named = new Map<string, string[]>();
  for (const [name, text] of given) addTo(named, name, text);
  return Object.fromEntries(
    [...named].map(([name, texts]) => [
      name,
      fromTexts(Object.hasOwn(properties, name) ? properties[name] : undefined, texts),
    ]),
  );
}

function fromTexts(schema: JsonSchema | undefined, texts: readonly string[]): Json {
  const [only] = texts;
  return texts.length === 1 && only !== undefined ? fromText(schema, only) : texts.map((text) => item(schema, text));
}

function item(schema: JsonSchema | undefined, text: string): Json {
  const items = schema?.['items'];
  return fromText(isObject(items) ? (items as JsonSchema) : undefined, text);
}

function fromText(schema: JsonSchema | undefined, text: string): Json {
  const types = typesOf(schema);
  for (const type of types) {
    const value = type === 'array' ? listFrom(schema, text) : readers[type]?.(text);
    if (value !== undefined) return value;
  }
  const choices = schema?.['enum'];
  const choice = types.length === 0 && Array.isArray(choices) ? choices.find((one) => String(one) === text) : undefined;
  return choice ?? text;
}

const decimal = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const words: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/** Conversions of a text to each type; undefined where it is not of that type. */
const readers: Readonly<Record<string, (text: string) => Json | undefined>> = {
  string: (text) => text,
  integer: (text) => (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined),
  number: (text) => (decimal.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined),
  boolean: (text) => (Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined),
  null: (text) => (text === 'null' ? null : undefined),
  object: (text) => {
    const value = fromJson(text);
    return isObject(value) ? (value as Json) : undefined;
  },
};

/**
 * Reads a JSON list. Any other text is the only item, and not split, since nobody can tell which commas separate; where
 * the tool takes a text as well, that is for it to say.
 */
function listFrom(schema: JsonSchema | undefined, text: string): Json | undefined {
  const value = text.trimStart().startsWith('[') ? fromJson(text) : undefined;
  if (Array.isArray(value)) return value as Json;
  return typesOf(schema).includes('string') ? undefined : [item(schema, text)];
}

function fromJson(text: string): unknown {
  return attempt(() => JSON.parse(text), undefined);
}
