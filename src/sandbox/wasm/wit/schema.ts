import { type Field, integers, type TypeOf, type WitType } from './types.ts';

export type Schema = { readonly [key: string]: unknown };

/** The JSON Schema of what a function takes, by the names of its parameters. */
export function schemaOfFields(fields: readonly Field[]): Schema & { readonly type: 'object' } {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, type]) => [name, schemaOf(type)])),
    required: fields.filter(([, type]) => type.kind !== 'option').map(([name]) => name),
    additionalProperties: false,
  };
}

const integer = (kind: keyof typeof integers): Schema => {
  const [minimum, maximum] = integers[kind];
  return { type: 'integer', minimum, maximum };
};

const schemas: { readonly [K in WitType['kind']]: (type: TypeOf<K>) => Schema } = {
  bool: () => ({ type: 'boolean' }),
  f32: () => ({ type: 'number' }),
  f64: () => ({ type: 'number' }),
  string: () => ({ type: 'string' }),
  char: () => ({ type: 'string', minLength: 1, maxLength: 1 }),
  s8: () => integer('s8'),
  u8: () => integer('u8'),
  s16: () => integer('s16'),
  u16: () => integer('u16'),
  s32: () => integer('s32'),
  u32: () => integer('u32'),
  s64: () => longInteger('^-?[0-9]{1,19}$', Number.MIN_SAFE_INTEGER),
  u64: () => longInteger('^[0-9]{1,20}$', 0),
  list: ({ of }) => ({ type: 'array', items: schemaOf(of) }),
  option: ({ of }) => ({ anyOf: [schemaOf(innerOf(of)), { type: 'null' }] }),
  tuple: ({ of }) => ({ type: 'array', prefixItems: of.map(schemaOf), minItems: of.length, maxItems: of.length }),
  record: ({ fields }) => schemaOfFields(fields),
  variant: ({ cases }) => ({ oneOf: cases.map(([name, payload]) => caseSchema(name, payload)) }),
  enum: ({ names }) => ({ type: 'string', enum: names }),
  flags: ({ names }) => ({ type: 'array', items: { type: 'string', enum: names }, uniqueItems: true }),
  result: ({ ok, err }) => ({ oneOf: [only('ok', ok), only('err', err)] }),
  unsupported: () => ({ not: {} }),
};

export function schemaOf(type: WitType): Schema {
  return (schemas[type.kind] as (type: WitType) => Schema)(type);
}

/** Where nothing may itself be something: `option<option<string>>` is null, or has `some`, in which there may be null. */
export function innerOf(type: WitType): WitType {
  return type.kind === 'option' ? { kind: 'record', fields: [['some', type]] } : type;
}

function only(name: string, type: WitType | null): Schema {
  return {
    type: 'object',
    properties: { [name]: type === null ? { type: 'null' } : schemaOf(type) },
    required: [name],
    additionalProperties: false,
  };
}

function caseSchema(name: string, payload: WitType | null): Schema {
  return {
    type: 'object',
    properties: { tag: { const: name }, ...(payload !== null && { val: schemaOf(payload) }) },
    required: payload === null ? ['tag'] : ['tag', 'val'],
    additionalProperties: false,
  };
}

/** As a number where a number is exact, or else as its digits. */
function longInteger(pattern: string, minimum: number): Schema {
  const maximum = Number.MAX_SAFE_INTEGER;
  const description = `A 64-bit integer; beyond ${maximum} as a string of digits.`;
  return { type: ['integer', 'string'], minimum, maximum, pattern, description };
}
