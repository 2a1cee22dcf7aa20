import { printable } from '../text/text.ts';

/** The value of a third party's text, or why it has none and what to write instead. Parsing never throws. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | Problem;

export interface Problem {
  readonly ok: false;
  readonly message: string;
  /** The next step, in one line. */
  readonly remedy: string;
}

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function problem(message: string, remedy: string): Problem {
  return { ok: false, message, remedy };
}

/** Characters that are shown. */
const most = 80;
/** Units of a text that are looked at: enough for as many characters, whatever they are made of. */
const longest = 4 * most;

/** A stranger's value as it may be shown in a message: on one line, and not for ever. Never throws. */
export function shown(value: unknown): string {
  const characters = Array.from(printable(written(value).slice(0, longest)));
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}

/** A value as JSON, or its kind: of one that holds more than is shown, or what JSON cannot say, such as itself. */
function written(value: unknown): string {
  let left = most;
  const next = (_: string, one: unknown): unknown => {
    if (left-- === 0) throw new RangeError('too much to show');
    return typeof one === 'string' ? one.slice(0, longest) : one;
  };
  try {
    return typeof value === 'bigint' ? String(value) : (JSON.stringify(value, next) ?? String(value));
  } catch {
    return Array.isArray(value) ? 'a list' : 'an object';
  }
}
