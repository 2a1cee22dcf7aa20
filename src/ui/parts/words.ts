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

/** The home folder of who runs the server, as a pattern; null as long as it is not known. */
let homeFolder: RegExp | null = null;

export function setHome(path: string | null): void {
  const isOne = path !== null && /[^/\\]/.test(path);
  homeFolder = isOne ? new RegExp(`(?<![\\w/\\\\.-])${path.replace(/[^\w/]/g, '\\$&')}(?![\\w.-])`, 'g') : null;
}

/** A path, or a text with paths, as people write them: with `~` for the home folder. */
export function fromHome(text: string): string {
  return homeFolder === null ? text : text.replace(homeFolder, '~');
}

/** Third-party text cut to at most this many characters. */
export function foreignCut(text: string, length: number): string {
  return foreign(text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text);
}

/** A path as it may be shown. */
export function place(path: string, length = 1000): string {
  return foreignCut(fromHome(path), length);
}

/**
 * A message of the server as a sentence of a page: terminals have it begin in lower case, and name commands for what can
 * be done here.
 */
export function message(text: string, length = 2000): string {
  const onPage = fromHome(text)
    .replace('Run repertoire validate --fix on it', 'Apply the fix that its page offers')
    .replace(/^Review it: repertoire scan .*/s, 'Read what was found on its page, and decide about it under Get.');
  const begun = onPage.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return foreignCut(begun, length);
}
