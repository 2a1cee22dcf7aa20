import { type Json, type JsonMap, type Path, Refusal } from './types.ts';
import { isMap } from './values.ts';

export function writeKey(keys: Path): string {
  return keys.map((key) => (/^[\w-]+$/.test(key) ? key : quoted(key))).join('.');
}

/** A value on one line. */
export function writeToml(value: Json): string {
  if (value === null) throw new Refusal('TOML has no way to write null');
  if (typeof value === 'string') return writeText(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(writeToml).join(', ')}]`;
  if (!isMap(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) => `${writeKey([key])} = ${writeToml(item)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Paths of Windows are easier to read between single quotes, where a backslash is nothing but that. */
function writeText(text: string): string {
  return text.includes('\\') && /^[^'\x00-\x1f\x7f]*$/.test(text) ? `'${text}'` : quoted(text);
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

/** A table under its header, and the tables in it under theirs. */
export function writeTable(path: Path, table: JsonMap, newline: string): string {
  const entries = Object.entries(table);
  const own = entries.filter(([, value]) => !isMap(value));
  const lines = [`[${writeKey(path)}]`, ...own.map(([key, value]) => `${writeKey([key])} = ${writeToml(value)}`)];
  const inner = entries.flatMap(([key, value]) => (isMap(value) ? [writeTable([...path, key], value, newline)] : []));
  return [lines.join(newline), ...inner].join(newline + newline);
}
