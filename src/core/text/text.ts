import { replaceHidden } from './hidden.ts';

const ascii = /^[\x00-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** Normalizes to NFC, so that two spellings of one character are one name. */
export function normalize(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC');
}

/**
 * Folds case, close to Unicode's folding: upper-casing first unifies characters that lower-casing alone keeps apart (ß
 * and ss, ſ and s), and the final sigma is the one letter whose lower case depends on its neighbours.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

// Controls, and line separators that only some programs obey.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/gu;

/** Printable ASCII, as nearly all text is; it needs none of the expressions above, which take long to compile. */
const plain = /^[\x20-\x7e]*$/;

/** Makes third-party text safe to print: nothing in it can move a cursor, change a colour or hide. */
export function printable(text: string): string {
  return plain.test(text) ? text : replaceHidden(text.replace(controls, '\ufffd'), () => '\ufffd');
}

/** Makes third-party text safe to print, on one line. */
export function oneLine(text: string): string {
  if (plain.test(text)) return text.trim().replace(/ {2,}/g, ' ');
  return printable(text.replace(/\s+/gu, ' ').trim());
}

/** Cuts a text to one line of at most this many characters. */
export function cut(text: string, length: number): string {
  const characters = Array.from(oneLine(text));
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('');
}

/** Cuts a text as `cut` does, but not within a word, unless the word alone is longer. */
export function cutAtWord(text: string, length: number): string {
  const short = cut(text, length);
  if (!short.endsWith('…') || text.endsWith('…')) return short;
  return short.replace(/(?<=\S)[\s\p{P}]+[^\s]*…$/u, '…');
}

/** Formats a number as `12,345` in every locale; `Intl` takes long to load. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count for logs and texts that programs may read: "1 skill", "2000 skills". */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Formats a count for the page: "1 skill", "2,000 skills". */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** Quotes a word for a shell, where the shell would give a character in it a meaning. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Compares by code unit: the order is the same on every machine, whatever its locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a name has the form of the specification: 1 to 64 lower-case letters, digits and single hyphens. */
export function isKebabName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}
