import { isObject } from '../../../core/formats/documents.ts';
import { type Parsed, shown } from '../../../core/schema/parsed.ts';
import * as schema from '../../../core/schema/schema.ts';
import { read } from '../../../core/schema/schema-reader.ts';
import { nearest } from '../../../core/text/near.ts';
import { nameOf, type Place, pass, refuse, taken, within } from './findings.ts';

/** A reader that takes a value from a manifest, or reports what is wrong with it. */
export type Reader<T> = (place: Place) => T | undefined;
export type Readers = Readonly<Record<string, Reader<unknown>>>;
export type ReadBy<R extends Readers> = { readonly [K in keyof R]?: Exclude<ReturnType<R[K]>, undefined> };

/** Reads a table. A key that nobody reads is an error: it may be a limit that its author counts on. */
export function readTable<R extends Readers>(place: Place, readers: R): ReadBy<R> {
  const { value, path, findings } = place;
  if (value === undefined) return {};
  if (!isObject(value) || value instanceof Date) {
    refuse(place, { message: `must be a table, not ${shown(value)}`, remedy: 'Write it as a [table] of keys.' });
    return {};
  }
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (findings.isFull) break;
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (reader === undefined) findings.add('manifest-key', [...path, key], unknownKey(within(place, key), readers));
    else values[key] = reader(within(place, key));
  }
  const said = Object.entries(values).filter(([, one]) => one !== undefined);
  return Object.fromEntries(said) as ReadBy<R>;
}

function unknownKey(place: Place, readers: Readers): { message: string; remedy: string } {
  const key = String(place.path.at(-1));
  const near = nearest(key, Object.keys(readers));
  const known = Object.keys(readers).slice(0, 30).join(', ');
  const remedy = near === null ? `Remove it, or use one of: ${known}.` : `Did you mean ${near}?`;
  return { message: `unknown key ${shown(nameOf(place))}`, remedy };
}

/** Makes a reader of a single value from its parser. */
export function valued<T>(read: (value: unknown) => Parsed<T>): Reader<T> {
  return (place) => taken(place, read(place.value));
}

/** Makes a reader of what a schema describes: each issue is reported at its own place. */
function described<T>(form: schema.Schema<T>): Reader<T> {
  return (place) => {
    const reading = read(form, place.value, 'file');
    if (reading.ok) return reading.value;
    for (const { path, message, expected, remedy = `Write ${expected}.` } of reading.issues) {
      refuse(path.reduce(within, place), { message, remedy });
    }
    return undefined;
  };
}

export const text = described(schema.text('', { blank: false }));
export const onOff = described(schema.flag());

/** One text, or a list of them. */
export const texts = described(schema.list(schema.text(), '', { single: true }));

/** Makes a reader of a list of texts, each of them with a meaning. */
export function each<T>(read: (text: string) => Parsed<T>): Reader<readonly T[]> {
  return (place) => {
    const found = texts(place)?.map((item, index) => {
      const at = Array.isArray(place.value) ? within(place, index) : place;
      return taken(at, read(item));
    });
    return found?.filter((item) => item !== undefined);
  };
}

export function choice<const T extends string>(...choices: readonly T[]): Reader<T> {
  const one = described(schema.choice(choices));
  return (place) => {
    const { value } = place;
    const near = typeof value === 'string' && !choices.includes(value as T) ? nearest(value, choices) : null;
    if (near === null) return one(place);
    const message = `must be one of ${choices.join(', ')}, not ${shown(value)}`;
    return refuse(place, { message, remedy: `Did you mean "${near}"?` });
  };
}

/** A reader for a table or a list that other code reads. */
export const inner: Reader<Place> = (place) => place;

/** A reader for keys that only people read. */
export const note: Reader<never> = () => undefined;

/** Makes a reader for keys that others understand and we handle another way. */
export function withoutEffect(message: string, remedy = 'Nothing to do; it can be removed.'): Reader<never> {
  return (place) => pass(place, message, remedy);
}

/** Makes a reader for keys that must not be given, unless they say that nothing is asked for. */
export function forbidden(message: string, remedy: string): Reader<never> {
  return (place) => {
    const { value } = place;
    const isNothing = value === false || value === '' || (Array.isArray(value) && value.length === 0);
    return isNothing ? undefined : refuse(place, { message, remedy });
  };
}
