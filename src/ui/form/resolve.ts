import type { Json, JsonSchema } from '../../engine/operations/tools.ts';
import { isObject, listIn } from './keywords.ts';

const mostSteps = 20;

/** A schema with its references followed, and without forms of speech that mean the same; null for what has no end. */
export function resolved(schema: Json | undefined, root: JsonSchema): JsonSchema | null {
  let at: Json | undefined = schema;
  for (let step = 0; step < mostSteps; step++) {
    if (!isObject(at)) return null;
    const next = stepFrom(at as JsonSchema, root);
    if (next === null) return at as JsonSchema;
    at = next;
  }
  return null;
}

/** What a schema leads to. What it says itself counts more. Null where it leads nowhere. */
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

/** What `#/$defs/size` stands for. */
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
