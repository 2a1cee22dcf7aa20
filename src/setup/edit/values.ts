import type { Edit, Json, JsonMap, Path } from './types.ts';

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key called `__proto__` is a key like any other. */
export function ownValue(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

export function valueAt(value: Json | undefined, at: Path): Json | undefined {
  return at.reduce<Json | undefined>((inner, key) => (isMap(inner) ? ownValue(inner, key) : undefined), value);
}

/** A value with nothing but maps of one key around it. */
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

/** What a file means after an edit. */
export function withEdit(value: Json, { at: [key, ...rest], value: wanted }: Edit): Json {
  if (key === undefined) return wanted ?? {};
  const map = isMap(value) ? value : {};
  const inner = rest.length === 0 ? wanted : withEdit(ownValue(map, key) ?? {}, { at: rest, value: wanted });
  const others = Object.entries(map).filter(([name]) => name !== key);
  return Object.fromEntries(inner === undefined ? others : [...others, [key, inner]]);
}

/**
 * The same edit in the smallest steps: of a map that is there already only the keys that differ are touched, so that
 * comments inside of it stay. What is added comes before what is taken away, so that no map is ever empty in between.
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
 * Whether a text means what it should after an edit. A map that a removal has emptied may be gone, or be written as
 * nothing; all else must be as it was.
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
