import { printable } from './text.ts';

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

/** A third party's value as it may be shown in a message: on one line, and of bounded length. */
export function shown(value: unknown): string {
  const text = printable(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value)));
  const characters = Array.from(text);
  return characters.length <= 80 ? text : `${characters.slice(0, 79).join('')}…`;
}
