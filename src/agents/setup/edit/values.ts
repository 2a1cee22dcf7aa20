/** The format of a settings file. `json` allows comments and trailing commas, as most agents do. */
export type Format = 'json' | 'toml' | 'yaml';

export type Json = null | boolean | number | string | readonly Json[] | JsonMap;

export interface JsonMap {
  readonly [key: string]: Json;
}

/** The path to a value: the names of the maps around it, and its own. */
export type Path = readonly string[];

/** A value that a file should have. One that is undefined should not be there. */
export interface Edit {
  readonly at: Path;
  readonly value: Json | undefined;
}

/** The reason why a file was left alone: in words, with the line where that is known. */
export interface Failure {
  readonly ok: false;
  readonly line: number | null;
  readonly reason: string;
}

export type Edited = { readonly ok: true; readonly text: string } | Failure;

export type Found = { readonly ok: true; readonly value: Json | undefined } | Failure;

/** The operations of a format. Each of these throws a `Refusal` rather than guess. */
export interface Editor {
  /** Parses the text; an empty text is an empty map. */
  readonly read: (text: string) => JsonMap;
  /** Puts a value where there is none or another one, and touches nothing else. */
  readonly put: (text: string, at: Path, value: Json) => string;
  /** Removes a value. A map that is left with nothing stays, and is empty. */
  readonly drop: (text: string, at: Path) => string;
}

/** Thrown inside this folder only, when a text cannot be read, or not be changed safely. */
export class Refusal extends Error {
  readonly line: number | null;

  constructor(reason: string, line: number | null = null) {
    super(reason);
    this.line = line;
  }
}

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own value of a key: one called `__proto__` is a key like any other. */
function ownValue(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export function valueAt(value: Json | undefined, at: Path): Json | undefined {
  return at.reduce<Json | undefined>((inner, key) => (isMap(inner) ? ownValue(inner, key) : undefined), value);
}

/** Wraps a value in maps of one key. */
export function wrapped(at: Path, value: Json): Json {
  return at.reduceRight<Json>((inner, key) => Object.fromEntries([[key, inner]]), value);
}

/** Whether two values mean the same. The order of keys means nothing. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (isMap(one) && isMap(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
    );
  }
  return one === other || (Number.isNaN(one) && Number.isNaN(other));
}

/** The value of a file after an edit. */
export function withEdit(value: Json, { at: [key, ...rest], value: wanted }: Edit): Json {
  if (key === undefined) return wanted ?? {};
  const map = isMap(value) ? value : {};
  const inner = rest.length === 0 ? wanted : withEdit(ownValue(map, key) ?? {}, { at: rest, value: wanted });
  const others = Object.entries(map).filter(([name]) => name !== key);
  return Object.fromEntries(inner === undefined ? others : [...others, [key, inner]]);
}

/**
 * Splits an edit into the smallest steps: in an existing map only the keys that differ are touched, so that comments
 * inside of it stay. Additions come before removals, so that no map is ever empty in between.
 */
export function stepsOf(value: Json | undefined, { at, value: wanted }: Edit): Edit[] {
  const now = valueAt(value, at);
  if (isSame(now, wanted)) return [];
  if (!isMap(now) || !isMap(wanted) || Object.keys(now).length === 0 || Object.keys(wanted).length === 0) {
    return [{ at, value: wanted }];
  }
  const kept = Object.entries(wanted).flatMap(([key, item]) => stepsOf(value, { at: [...at, key], value: item }));
  const gone = Object.keys(now).filter((key) => !Object.hasOwn(wanted, key));
  return [...kept, ...gone.map((key) => ({ at: [...at, key], value: undefined }))];
}

/**
 * Tells whether a text means what it should after an edit. A map that a removal has emptied may be gone, or be written
 * as nothing; all else must be as it was.
 */
export function isDone(before: Json, edit: Edit, after: Json): boolean {
  const expected = withEdit(before, edit);
  if (isSame(expected, after)) return true;
  if (edit.value !== undefined || edit.at.length < 2) return false;
  const at = edit.at.slice(0, -1);
  const left = valueAt(expected, at);
  if (!isMap(left) || Object.keys(left).length > 0) return false;
  return isSame(withEdit(expected, { at, value: null }), after) || isDone(before, { at, value: undefined }, after);
}
