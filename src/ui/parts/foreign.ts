import { printable } from '../../kernel/text.ts';

/** Text of strangers as it may be shown: whatever would disturb the text around it can be seen, and does nothing. */
export function foreign(text: string): string {
  return printable(text.replaceAll('\r\n', '\n'));
}

/** The same, of no more characters than this. */
export function foreignCut(text: string, length: number): string {
  return foreign(text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text);
}
