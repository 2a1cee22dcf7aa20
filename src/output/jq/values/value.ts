/**
 * A JSON value as filters see it. Objects are maps: they keep the order of their keys, and a key such as `__proto__`
 * means nothing to them. Whole numbers too large to be exact are kept as they were written.
 */
export type Value = null | boolean | number | bigint | string | readonly Value[] | ObjectValue;
export type ObjectValue = ReadonlyMap<string, Value>;

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function typeOf(value: Value): TypeName {
  if (value === null) return 'null';
  if (typeof value === 'object') return isList(value) ? 'array' : 'object';
  return typeof value === 'bigint' ? 'number' : (typeof value as TypeName);
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isMap(value: Value): value is ObjectValue {
  return value instanceof Map;
}

export function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Everything counts as true but these two. */
export function isTrue(value: Value): boolean {
  return value !== null && value !== false;
}

/** The same as the values of the language. Large whole numbers lose their last digits here, as they do in JSON.parse. */
export function plain(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return written(value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(plain);
  // Defines its keys one by one, so that none of them reaches a prototype.
  return Object.fromEntries(Array.from(value, ([key, held]) => [key, plain(held)]));
}

/** JSON has no way to write these: nothing stands for what is no number, the largest one for what is larger. */
export function written(value: number): number | null {
  if (Number.isNaN(value)) return null;
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** Whether there is a number in it that only text can hold. */
export function hasLargeNumber(value: Value): boolean {
  if (typeof value === 'bigint') return true;
  if (value === null || typeof value !== 'object') return false;
  const inside = isList(value) ? value : Array.from(value.values());
  return inside.some(hasLargeNumber);
}
