import type { Schema } from '../core/schema/schema.ts';
import { read } from '../core/schema/schema-reader.ts';
import { oneLine } from '../core/text/text.ts';

/** A value that came from the cluster, or the reason why it cannot be used. */
export type Value<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Reads what is kept or sent in a cluster, where anyone may have written it. */
export function valueIn<T>(schema: Schema<T>, bytes: Uint8Array): Value<T> {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return { ok: false, problem: 'it is not JSON' };
  }
  const reading = read(schema, json, 'data', 1);
  if (reading.ok) return reading;
  const [{ path, message }] = reading.issues;
  return { ok: false, problem: oneLine(`${path.join('.')} ${message}`).trim() };
}
