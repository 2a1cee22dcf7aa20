import { type Field, integers, longIntegers, type TypeOf, type WitType } from './types.ts';
import { innerOf } from './world.ts';

type Values = Readonly<Record<string, unknown>>;

/** Converts a JSON object to the arguments of a function, in the form that transpiled components take. */
export function argumentsOf(fields: readonly Field[], values: Values): readonly unknown[] {
  return fields.map(([name, type]) => toGuest(type, values[name], name));
}

/** Converts a WIT name to the transpiler's spelling in JavaScript. */
export function camelCase(name: string): string {
  return name.toLowerCase().replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Converts a JSON value to the form that transpiled components take. Throws, naming the place, if the type is wrong.
 */
export function toGuest(type: WitType, value: unknown, at: string): unknown {
  return (guests[type.kind] as (type: WitType, value: unknown, at: string) => unknown)(type, value, at);
}

type ToGuest<K extends WitType['kind']> = (type: TypeOf<K>, value: unknown, at: string) => unknown;

const number = taken('a number', (value) => typeof value === 'number');

const guests: { readonly [K in WitType['kind']]: ToGuest<K> } = {
  bool: taken('true or false', (value) => typeof value === 'boolean'),
  string: taken('a string', (value) => typeof value === 'string'),
  char: taken('one character', (value) => typeof value === 'string' && /^\P{Surrogate}$/su.test(value)),
  f32: number,
  f64: number,
  s8: integer('s8'),
  u8: integer('u8'),
  s16: integer('s16'),
  u16: integer('u16'),
  s32: integer('s32'),
  u32: integer('u32'),
  s64: longInteger,
  u64: longInteger,
  list: ({ of }, value, at) => arrayFrom(value, at).map((one, index) => toGuest(of, one, `${at}[${index}]`)),
  tuple: ({ of }, value, at) => {
    const list = arrayFrom(value, at);
    if (list.length !== of.length) return fail(at, `a list of ${of.length} values`);
    return of.map((part, index) => toGuest(part, list[index], `${at}[${index}]`));
  },
  option: ({ of }, value, at) => {
    const isNone = value === undefined || value === null;
    if (of.kind !== 'option') return isNone ? undefined : toGuest(of, value, at);
    // An option within an option carries a tag, because a bare null would not say which of them is empty.
    return isNone ? { tag: 'none' } : { tag: 'some', val: (toGuest(innerOf(of), value, at) as { some: unknown }).some };
  },
  record: ({ fields }, value, at) => {
    const values = objectFrom(value, at);
    return Object.fromEntries(
      fields.map(([name, type]) => [camelCase(name), toGuest(type, values[name], `${at}.${name}`)]),
    );
  },
  variant: ({ cases }, value, at) => {
    const { tag, val } = objectFrom(value, at);
    const found = cases.find(([name]) => name === tag);
    if (found === undefined) return fail(`${at}.tag`, `one of ${cases.map(([name]) => name).join(', ')}`);
    const [, payload] = found;
    return payload === null ? { tag } : { tag, val: toGuest(payload, val, `${at}.val`) };
  },
  enum: ({ names }, value, at) => nameFrom(names, value, at),
  flags: ({ names }, value, at) => {
    const set = arrayFrom(value, at).map((one) => nameFrom(names, one, at));
    return Object.fromEntries(names.map((name) => [camelCase(name), set.includes(name)]));
  },
  result: (type, value, at) => {
    const object = objectFrom(value, at);
    const tag = 'err' in object ? 'err' : 'ok';
    const part = type[tag];
    return { tag, val: part === null ? undefined : toGuest(part, object[tag], `${at}.${tag}`) };
  },
  unsupported: ({ what }, _value, at) => fail(at, what),
};

function fail(at: string, what: string): never {
  throw new TypeError(`${at}: ${what} is expected`);
}

/** Returns a converter for values that are the same in JSON as for a component. */
function taken(
  what: string,
  fits: (value: unknown) => boolean,
): (type: WitType, value: unknown, at: string) => unknown {
  return (_type, value, at) => (fits(value) ? value : fail(at, what));
}

function integer(kind: keyof typeof integers): ReturnType<typeof taken> {
  const [least, most] = integers[kind];
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return taken(`an integer from ${least} to ${most}`, fits);
}

function longInteger({ kind }: TypeOf<'s64' | 'u64'>, value: unknown, at: string): bigint {
  const [least, most] = longIntegers[kind];
  const isExact = Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value));
  const long = isExact ? BigInt(value as number | string) : null;
  return long !== null && long >= least && long <= most ? long : fail(at, `an integer from ${least} to ${most}`);
}

function nameFrom(names: readonly string[], value: unknown, at: string): string {
  return names.find((name) => name === value) ?? fail(at, `one of ${names.join(', ')}`);
}

function arrayFrom(value: unknown, at: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(at, 'a list');
}

function objectFrom(value: unknown, at: string): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Values)
    : fail(at, 'an object');
}

/** Converts a component's value to JSON; numbers that JSON cannot represent become strings. */
export function toJson(type: WitType | null, value: unknown): unknown {
  if (type === null) return null;
  const written = (jsons as Partial<Record<string, (type: WitType, value: unknown) => unknown>>)[type.kind];
  return written === undefined ? value : written(type, value);
}

const float = (_type: WitType, value: unknown): unknown => (Number.isFinite(value) ? value : String(value));
const long = (_type: WitType, value: unknown): unknown =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

/** Converters for the kinds whose values look different in JSON. */
const jsons: { readonly [K in WitType['kind']]?: (type: TypeOf<K>, value: unknown) => unknown } = {
  f32: float,
  f64: float,
  s64: long,
  u64: long,
  list: ({ of }, value) => Array.from(value as ArrayLike<unknown>, (one) => toJson(of, one)),
  tuple: ({ of }, value) => of.map((part, index) => toJson(part, (value as readonly unknown[])[index])),
  option: ({ of }, value) => {
    if (of.kind !== 'option') return value === undefined ? null : toJson(of, value);
    const { tag, val } = value as { tag: 'some' | 'none'; val: unknown };
    return tag === 'none' ? null : { some: toJson(of, val) };
  },
  record: ({ fields }, value) =>
    Object.fromEntries(fields.map(([name, part]) => [name, toJson(part, (value as Values)[camelCase(name)])])),
  variant: ({ cases }, value) => {
    const { tag, val } = value as { tag: string; val: unknown };
    const payload = cases.find(([name]) => name === tag)?.[1] ?? null;
    return payload === null ? { tag } : { tag, val: toJson(payload, val) };
  },
  flags: ({ names }, value) => names.filter((name) => (value as Values)[camelCase(name)] === true),
  result: (type, value) => {
    const { tag, val } = value as { tag: 'ok' | 'err'; val: unknown };
    return { [tag]: toJson(type[tag], val) };
  },
};
