/**
 * Schemas that carry the type of what they describe. The compiler holds them against the types of the answers: a field
 * that is missing here, or is of another kind, does not compile.
 */
export type Json = Readonly<Record<string, unknown>>;

declare const described: unique symbol;

/** Never there when the program runs. A function both takes and gives the type, so that no wider or narrower one fits. */
export type Schema<T> = Json & { readonly [described]?: (value: T) => T };

/** A property that may be absent. */
interface Optional<T> {
  readonly optional: Schema<T>;
}

type IsOptional<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? true : false;

type Properties<T> = {
  readonly [K in keyof T]-?: IsOptional<T, K> extends true ? Optional<Required<T>[K]> : Schema<T[K]>;
};

/** An object with these properties and no others. */
export function object<T extends object>(properties: Properties<T>, description?: string): Schema<T> {
  const all = Object.entries(properties as Readonly<Record<string, Json | { readonly optional: Json }>>);
  return {
    type: 'object',
    ...told(description),
    properties: Object.fromEntries(all.map(([name, one]) => [name, 'optional' in one ? one.optional : one])),
    required: all.flatMap(([name, one]) => ('optional' in one ? [] : [name])),
    additionalProperties: false,
  };
}

export function optional<T>(schema: Schema<T>): Optional<T> {
  return { optional: schema };
}

export function text(description?: string): Schema<string> {
  return { type: 'string', ...told(description) };
}

/** A point in time. */
export function time(description?: string): Schema<string> {
  return { type: 'string', format: 'date-time', ...told(description) };
}

/** A whole number, from 0 on. */
export function count(description?: string): Schema<number> {
  return { type: 'integer', minimum: 0, ...told(description) };
}

export function integer(description?: string): Schema<number> {
  return { type: 'integer', ...told(description) };
}

export function number(description?: string): Schema<number> {
  return { type: 'number', ...told(description) };
}

export function flag(description?: string): Schema<boolean> {
  return { type: 'boolean', ...told(description) };
}

export function choice<const T extends string>(values: readonly T[], description?: string): Schema<T> {
  return { type: 'string', enum: values, ...told(description) };
}

export function always<const T extends string | boolean | null>(value: T, description?: string): Schema<T> {
  return { const: value, ...told(description) };
}

export function list<T>(items: Schema<T>, description?: string): Schema<readonly T[]> {
  return { type: 'array', items, ...told(description) };
}

/** An object with names that nobody knows beforehand. */
export function map<T>(values: Schema<T>, description?: string): Schema<Readonly<Record<string, T>>> {
  return { type: 'object', additionalProperties: values, ...told(description) };
}

/** An object that is somebody else's to describe. */
export function open<T extends object>(description: string): Schema<T> {
  return { type: 'object', description };
}

export function anything(description: string): Schema<unknown> {
  return { description };
}

export function nullable<T>(schema: Schema<T>, description?: string): Schema<T | null> {
  return { anyOf: [schema, { type: 'null' }], ...told(description) };
}

/** One of these. */
export function anyOf<T extends readonly unknown[]>(
  ...schemas: { readonly [K in keyof T]: Schema<T[K]> }
): Schema<T[number]> {
  return { anyOf: schemas };
}

function told(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}
