import type { Parsed } from './parsed.ts';

/**
 * Schemas: one definition of a value gives its type (`Infer`), its reader (`schema-reader.ts`) and its JSON Schema
 * (`json-schema.ts`). They are plain data, so that help, completion and documentation are made from the same definition.
 */
export type Schema<T = unknown, P extends Presence = Presence> = Node & Carries<T, P>;

/** Whether a field of an object may be missing, and whether there is a value all the same. */
type Presence = 'required' | 'optional' | 'defaulted';

declare const carried: unique symbol;

/** Never there when the program runs. */
interface Carries<T, P extends Presence> {
  readonly [carried]?: { readonly value: T; readonly presence: P };
}

/** What every schema may say of itself. */
interface Base {
  readonly description?: string;
  /** The value of a field that is missing. */
  readonly default?: unknown;
  /** A field that may be missing. */
  readonly optional?: true;
  /** The name it is referred to by, where a document describes it once. */
  readonly name?: string;
}

interface Nodes {
  text: { readonly min?: number; readonly max?: number; readonly blank?: false; readonly format?: string };
  choice: { readonly choices: readonly string[] };
  integer: { readonly min?: number; readonly max?: number };
  number: { readonly min?: number; readonly max?: number };
  flag: object;
  literal: { readonly value: string | number | boolean | null };
  /** With `single`, a person may write one value for a list of one. */
  list: { readonly items: Schema; readonly single?: true };
  object: { readonly fields: Fields; readonly open?: true };
  map: { readonly values: Schema };
  nullable: { readonly of: Schema };
  union: { readonly of: readonly Schema[] };
  parsed: { readonly of: Schema; readonly parse: (value: never) => Parsed<unknown> };
  anything: object;
}

export type Kind = keyof Nodes;
/** A schema of one kind, with what that kind has. */
export type NodeOf<K extends Kind> = Base & { readonly kind: K } & Nodes[K];
export type Node = { [K in Kind]: NodeOf<K> }[Kind];

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Schema>>;

/** The type of what a schema describes. */
export type Infer<S extends Schema> = S extends Schema<infer T, infer _> ? T : never;

type KeysThatAre<F extends Fields, P extends Presence> = {
  [K in keyof F]: F[K] extends Carries<unknown, P> ? K : never;
}[keyof F];

type Flat<T> = { [K in keyof T]: T[K] };

/** What an object with these fields holds once it is read: optional ones may be missing, those with a default are there. */
export type ValuesOf<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, KeysThatAre<F, 'optional'>>]: Infer<F[K]> } & {
    readonly [K in KeysThatAre<F, 'optional'>]?: Infer<F[K]> | undefined;
  }
>;

/** What may be given for an object with these fields: what has a default may be missing too. */
export type GivenOf<F extends Fields> = Flat<
  { readonly [K in KeysThatAre<F, 'required'>]: Infer<F[K]> } & {
    readonly [K in Exclude<keyof F, KeysThatAre<F, 'required'>>]?: Infer<F[K]> | undefined;
  }
>;

/** The schema of an object, with its fields for who makes options or parameters of them. */
export type ObjectSchema<F extends Fields = Fields> = NodeOf<'object'> & { readonly fields: F } & Carries<
    ValuesOf<F>,
    'required'
  >;

/** The schema of a value of several kinds, with these. */
export type UnionSchema<S extends readonly Schema[]> = NodeOf<'union'> & { readonly of: S } & Carries<
    Infer<S[number]>,
    'required'
  >;

type Rules<K extends Kind, T> = Nodes[K] & { readonly default?: T };
type PresenceBy<R> = R extends { readonly default: unknown } ? 'defaulted' : 'required';

function node<T, P extends Presence>(kind: Kind, description: string | undefined, rest: object): Schema<T, P> {
  return { kind, ...(description !== undefined && { description }), ...rest } as unknown as Schema<T, P>;
}

/** A string. */
export function text<const R extends Rules<'text', string> = object>(description?: string, rules?: R) {
  return node<string, PresenceBy<R>>('text', description, { ...rules });
}

/** A point in time. */
export function time(description?: string) {
  return text(description, { format: 'date-time' });
}

/** One of these strings. */
export function choice<const T extends string, const R extends { readonly default?: NoInfer<T> } = object>(
  choices: readonly T[],
  description?: string,
  rules?: R,
) {
  return node<T, PresenceBy<R>>('choice', description, { choices, ...rules });
}

/** A whole number. */
export function integer<const R extends Rules<'integer', number> = object>(description?: string, rules?: R) {
  return node<number, PresenceBy<R>>('integer', description, { ...rules });
}

/** A whole number, from 0 on. */
export function count(description?: string) {
  return integer(description, { min: 0 });
}

/** A number that is neither infinite nor no number. */
export function number<const R extends Rules<'number', number> = object>(description?: string, rules?: R) {
  return node<number, PresenceBy<R>>('number', description, { ...rules });
}

/** True or false. */
export function flag<const R extends Rules<'flag', boolean> = object>(description?: string, rules?: R) {
  return node<boolean, PresenceBy<R>>('flag', description, { ...rules });
}

/** This value and no other. */
export function literal<const T extends string | number | boolean | null>(value: T, description?: string) {
  return node<T, 'required'>('literal', description, { value });
}

interface ListRules<T> {
  readonly default?: readonly T[];
  readonly single?: true;
}

/** Any number of values of one kind. */
export function list<T, const R extends ListRules<NoInfer<T>> = object>(
  items: Schema<T>,
  description?: string,
  rules?: R,
) {
  return node<readonly T[], PresenceBy<R>>('list', description, { items, ...rules });
}

/** An object with these fields. Other keys are refused, unless it is open: then they are left out. */
export function object<const F extends Fields>(fields: F, description?: string, rules?: { readonly open?: true }) {
  return node('object', description, { fields, ...rules }) as unknown as ObjectSchema<F>;
}

/** An object with names that nobody knows beforehand. */
export function map<T>(values: Schema<T>, description?: string) {
  return node<Readonly<Record<string, T>>, 'required'>('map', description, { values });
}

/** Null, or a value. */
export function nullable<T>(of: Schema<T>, description?: string) {
  return node<T | null, 'required'>('nullable', description, { of });
}

/** A value that fits one of these; the first that it fits reads it. */
export function union<const S extends readonly Schema[]>(...of: S): UnionSchema<S> {
  return { kind: 'union', of };
}

/** A value with a meaning of its own: what `parse` makes of it. */
export function parsedBy<V, T>(of: Schema<V>, parse: (value: V) => Parsed<T>, description?: string) {
  return node<T, 'required'>('parsed', description, { of, parse });
}

/** Somebody else's to describe. */
export function anything<T = unknown>(description?: string) {
  return node<T, 'required'>('anything', description, {});
}

/** A field that may be missing. */
export function optional<T>(schema: Schema<T>): Schema<T, 'optional'> {
  return { ...schema, optional: true } as unknown as Schema<T, 'optional'>;
}

/** A schema that a document describes once, under this name. */
export function named<S extends Schema>(name: string, schema: S): S {
  return { ...schema, name };
}
