import { printable } from '../../core/text/text.ts';

/** The look of a badge or a notice; plain where it is empty. */
export type Tone = '' | 'good' | 'warn' | 'bad';

/** A text and its tone. */
export interface Said {
  readonly tone: Tone;
  readonly text: string;
}

/** A time in the reader's locale. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/**
 * Third-party text as it may be shown: characters that would disturb the text around it are made visible, and do
 * nothing.
 */
export function foreign(text: string): string {
  return printable(text.replaceAll('\r\n', '\n'));
}

/** Third-party text cut to at most this many characters. */
export function foreignCut(text: string, length: number): string {
  return foreign(text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text);
}
