import type { Kind, Node, NodeOf, Schema } from './schema.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Converts a schema to JSON Schema; with `refs`, named schemas become references that begin with that prefix. */
export function toJsonSchema(schema: Schema, refs?: string): Json {
  const { description, default: fallback } = schema;
  const body = (jsonBodies[schema.kind] as (schema: Node, inner: Inner) => Json)(schema, inner);
  return {
    ...body,
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };

  function inner(one: Schema): Json {
    return refs !== undefined && one.name !== undefined ? { $ref: `${refs}${one.name}` } : toJsonSchema(one, refs);
  }
}

type Inner = (schema: Schema) => Json;

const jsonBodies: { readonly [K in Kind]: (schema: NodeOf<K>, inner: Inner) => Json } = {
  text: ({ min, max, format, blank }) => ({
    type: 'string',
    ...(format !== undefined && { format }),
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...(blank === false && { pattern: '\\S' }),
  }),
  choice: ({ choices }) => ({ type: 'string', enum: choices }),
  integer: (schema) => ({ type: 'integer', ...boundsOf(schema) }),
  number: (schema) => ({ type: 'number', ...boundsOf(schema) }),
  flag: () => ({ type: 'boolean' }),
  literal: ({ value }) => ({ const: value }),
  list: ({ items }, inner) => ({ type: 'array', items: inner(items) }),
  object({ fields, open }, inner) {
    const all = Object.entries(fields);
    const required = all.filter(([, one]) => !one.optional && one.default === undefined).map(([key]) => key);
    return {
      type: 'object',
      properties: Object.fromEntries(all.map(([key, one]) => [key, inner(one)])),
      ...(required.length > 0 && { required }),
      ...(!open && { additionalProperties: false }),
    };
  },
  map({ values }, inner) {
    const described = inner(values);
    return { type: 'object', ...(Object.keys(described).length > 0 && { additionalProperties: described }) };
  },
  nullable: ({ of }, inner) => ({ anyOf: [inner(of), { type: 'null' }] }),
  union: ({ of }, inner) => ({ anyOf: of.map(inner) }),
  parsed: ({ of }, inner) => inner(of),
  anything: () => ({}),
};

function boundsOf({ min, max }: { readonly min?: number; readonly max?: number }): Json {
  return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
}
