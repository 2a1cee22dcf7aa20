import type { Parsed } from './parsed.ts';

/**
 * A schema: one definition of a value gives its type (`Infer`), its reader (`schema-reader.ts`) and its JSON Schema
 * (`json-schema.ts`). Schemas are plain data, so that help, completion and documentation are made from the same
 * definition.
 */
export type Schema<T = unknown, P extends Presence = Presence> = Node & Carries<T, P>;

/** Whether a field of an object may be missing, and whether there is a value all the same. */
type Presence = 'required' | 'optional' | 'defaulted';

declare const carried: unique symbol;

/** Carries types only: never present at run time. */
interface Carries<T, P extends Presence> {
  readonly [carried]?: { readonly value: T; readonly presence: P };
}

/** Properties that every schema may have. */
interface Base {
  readonly description?: string;
  /** The value of a missing field. */
  readonly default?: unknown;
  /** Whether the field may be missing. */
  readonly optional?: true;
  /** The name under which a document describes it once and refers to it. */
  readonly name?: string;
}

interface Nodes {
  text: { readonly min?: number; readonly max?: number; readonly blank?: false; readonly format?: string };
  choice: { readonly choices: readonly string[] };
  integer: { readonly min?: number; readonly max?: number };
  number: { readonly min?: number; readonly max?: number };
  flag: object;
  literal: { readonly value: string | number | boolean | null };
  /** A list; with `single`, a person may write one value for a list of one. */
  list: { readonly items: Schema; readonly single?: true };
  object: { readonly fields: Fields; readonly open?: true };
  map: { readonly values: Schema };
  nullable: { readonly of: Schema };
  union: { readonly of: readonly Schema[] };
  parsed: { readonly of: Schema; readonly parse: (value: never) => Parsed<unknown> };
  anything: object;
}

export type Kind = keyof Nodes;
/** A schema of one kind, with the properties of that kind. */
export type NodeOf<K extends Kind> = Base & { readonly kind: K } & Nodes[K];
export type Node = { [K in Kind]: NodeOf<K> }[Kind];

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Schema>>;

/** The type that a schema describes. */
export type Infer<S extends Schema> = S extends Schema<infer T, infer _> ? T : never;

type KeysThatAre<F extends Fields, P extends Presence> = {
  [K in keyof F]: F[K] extends Carries<unknown, P> ? K : never;
}[keyof F];

type Flat<T> = { [K in keyof T]: T[K] };

/**
 * The values of an object with these fields once it is read: optional ones may be missing, those with a default are
 * present.
 */
export type ValuesOf<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, KeysThatAre<F, 'optional'>>]: Infer<F[K]> } & {
    readonly [K in KeysThatAre<F, 'optional'>]?: Infer<F[K]> | undefined;
  }
>;

/** The input for an object with these fields: those with a default may be missing too. */
export type GivenOf<F extends Fields> = Flat<
  { readonly [K in KeysThatAre<F, 'required'>]: Infer<F[K]> } & {
    readonly [K in Exclude<keyof F, KeysThatAre<F, 'required'>>]?: Infer<F[K]> | undefined;
  }
>;

/** The schema of an object, with its fields for callers that make options or parameters of them. */
export type ObjectSchema<F extends Fields = Fields> = NodeOf<'object'> & { readonly fields: F } & Carries<
    ValuesOf<F>,
    'required'
  >;

/** The schema of a value of several kinds, with their schemas. */
export type UnionSchema<S extends readonly Schema[]> = NodeOf<'union'> & { readonly of: S } & Carries<
    Infer<S[number]>,
    'required'
  >;

type Rules<K extends Kind, T> = Nodes[K] & { readonly default?: T };
type PresenceBy<R> = R extends { readonly default: unknown } ? 'defaulted' : 'required';

function node<T, P extends Presence>(kind: Kind, description: string | undefined, rest: object): Schema<T, P> {
  return { kind, ...(description !== undefined && { description }), ...rest } as unknown as Schema<T, P>;
}

/** The schema of a string. */
export function text<const R extends Rules<'text', string> = object>(description?: string, rules?: R) {
  return node<string, PresenceBy<R>>('text', description, { ...rules });
}

/** The schema of a point in time. */
export function time(description?: string) {
  return text(description, { format: 'date-time' });
}

/** The schema of one of these strings. */
export function choice<const T extends string, const R extends { readonly default?: NoInfer<T> } = object>(
  choices: readonly T[],
  description?: string,
  rules?: R,
) {
  return node<T, PresenceBy<R>>('choice', description, { choices, ...rules });
}

/** The schema of a whole number. */
export function integer<const R extends Rules<'integer', number> = object>(description?: string, rules?: R) {
  return node<number, PresenceBy<R>>('integer', description, { ...rules });
}

/** The schema of a whole number from 0. */
export function count(description?: string) {
  return integer(description, { min: 0 });
}

/** The schema of a finite number. */
export function number<const R extends Rules<'number', number> = object>(description?: string, rules?: R) {
  return node<number, PresenceBy<R>>('number', description, { ...rules });
}

/** The schema of true or false. */
export function flag<const R extends Rules<'flag', boolean> = object>(description?: string, rules?: R) {
  return node<boolean, PresenceBy<R>>('flag', description, { ...rules });
}

/** The schema of exactly this value. */
export function literal<const T extends string | number | boolean | null>(value: T, description?: string) {
  return node<T, 'required'>('literal', description, { value });
}

interface ListRules<T> {
  readonly default?: readonly T[];
  readonly single?: true;
}

/** The schema of a list of values of one kind. */
export function list<T, const R extends ListRules<NoInfer<T>> = object>(
  items: Schema<T>,
  description?: string,
  rules?: R,
) {
  return node<readonly T[], PresenceBy<R>>('list', description, { items, ...rules });
}

/** The schema of an object with these fields. Other keys are refused, unless it is open: then they are left out. */
export function object<const F extends Fields>(fields: F, description?: string, rules?: { readonly open?: true }) {
  return node('object', description, { fields, ...rules }) as unknown as ObjectSchema<F>;
}

/** The schema of an object whose keys are not known beforehand. */
export function map<T>(values: Schema<T>, description?: string) {
  return node<Readonly<Record<string, T>>, 'required'>('map', description, { values });
}

/** The schema of null or a value. */
export function nullable<T>(of: Schema<T>, description?: string) {
  return node<T | null, 'required'>('nullable', description, { of });
}

/** The schema of a value that fits one of these; the first that it fits reads it. */
export function union<const S extends readonly Schema[]>(...of: S): UnionSchema<S> {
  return { kind: 'union', of };
}

/** The schema of a value that `parse` gives its meaning. */
export function parsedBy<V, T>(of: Schema<V>, parse: (value: V) => Parsed<T>, description?: string) {
  return node<T, 'required'>('parsed', description, { of, parse });
}

/** The schema of a value that somebody else describes. */
export function anything<T = unknown>(description?: string) {
  return node<T, 'required'>('anything', description, {});
}

/** The schema of a field that may be missing. */
export function optional<T>(schema: Schema<T>): Schema<T, 'optional'> {
  return { ...schema, optional: true } as unknown as Schema<T, 'optional'>;
}

/** Names a schema, so that a document describes it once under that name. */
export function named<S extends Schema>(name: string, schema: S): S {
  return { ...schema, name };
}
