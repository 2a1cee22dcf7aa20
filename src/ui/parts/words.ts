import { printable } from '../../core/text.ts';

/** How a badge or a notice looks; plain where nothing is said. */
export type Tone = '' | 'good' | 'warn' | 'bad';

/** Something in words, and how it is meant. */
export interface Said {
  readonly tone: Tone;
  readonly text: string;
}

/** A moment as people of this place write it. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Text of strangers as it may be shown: whatever would disturb the text around it can be seen, and does nothing. */
export function foreign(text: string): string {
  return printable(text.replaceAll('\r\n', '\n'));
}

/** The same, of no more characters than this. */
export function foreignCut(text: string, length: number): string {
  return foreign(text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text);
}
