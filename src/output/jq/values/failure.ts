import { typeOf, type Value } from './value.ts';
import { writeJson } from './write.ts';

/** What `error` raises and `try` catches: any value, most often a message. */
export class JqFailure extends Error {
  override readonly name = 'JqFailure';
  readonly value: Value;

  constructor(value: Value) {
    super(typeof value === 'string' ? value : `(not a string): ${brief(value)}`);
    this.value = value;
  }
}

const briefLength = 40;

/** A value for a message: as much of it as fits. */
export function brief(value: Value): string {
  const text = writeJson(shallow(value, 3));
  const letters = Array.from(text.slice(0, 2 * briefLength));
  return letters.length > briefLength ? `${letters.slice(0, briefLength).join('')}…` : text;
}

/** "number (1)" */
export function named(value: Value): string {
  return `${typeOf(value)} (${brief(value)})`;
}

/** The outermost parts of a value: nobody reads more of it in a message, and it may be endless. */
function shallow(value: Value, depth: number): Value {
  if (typeof value === 'string') return value.slice(0, 2 * briefLength);
  if (value === null || typeof value !== 'object') return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return (value as readonly Value[]).slice(0, 20).map((item) => shallow(item, depth - 1));
  const entries = Array.from(value as ReadonlyMap<string, Value>).slice(0, 20);
  return new Map(entries.map(([key, held]) => [key.slice(0, briefLength), shallow(held, depth - 1)]));
}
