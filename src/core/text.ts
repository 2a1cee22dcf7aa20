import { replaceHidden } from './hidden.ts';

const ascii = /^[\x00-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** NFC, so that two spellings of one character are one name. */
export function normalize(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC');
}

/**
 * Case folding close to Unicode's: upper-casing first unifies characters that lower-casing alone keeps apart
 * (ß and ss, ſ and s), and the final sigma is the one letter whose lower case depends on its neighbours.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

// Controls, and separators of lines that only some programs obey.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/gu;

/** Nearly all text is of these; for it the expressions above, which take long to be made, are not needed. */
const plain = /^[\x20-\x7e]*$/;

/** Text of strangers made safe to print: nothing in it can move a cursor, change a colour or hide. */
export function printable(text: string): string {
  return plain.test(text) ? text : replaceHidden(text.replace(controls, '\ufffd'), () => '\ufffd');
}

/** The same, on one line. */
export function oneLine(text: string): string {
  if (plain.test(text)) return text.trim().replace(/ {2,}/g, ' ');
  return printable(text.replace(/\s+/gu, ' ').trim());
}

/** On one line, and of no more characters than this. */
export function cut(text: string, length: number): string {
  const characters = Array.from(oneLine(text));
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('');
}

/** `12,345`, wherever the machine is; `Intl` takes long to be loaded. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "1 skill", "2000 skills": in logs and texts that programs may read. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** "1 skill", "2,000 skills": on the page. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** A word as it is typed at a shell, in quotes where the shell would give a sign in it a meaning. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Plain string order: the same on every machine, whatever its locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
