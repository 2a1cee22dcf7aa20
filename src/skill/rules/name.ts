import { oneLine } from '../../kernel/text.ts';
import { type Finding, kindOf, lengthOf } from './finding.ts';
import type { Field } from './strict.ts';

const longest = 64;
const code = 'rule-name';
const inWords = 'Use lower-case letters, digits and single hyphens';

/** The rules for a name that is there. Letters and digits of every script count, as the reference validator has it. */
export function* nameRules(field: Field, folder: string): Iterable<Finding> {
  const { value: written, valueAt } = field;
  if (typeof written !== 'string') {
    yield { code, message: `name is ${kindOf(written)}, not text`, remedy: 'Put the name in quotes.', at: valueAt };
    return;
  }
  const trimmed = written.trim();
  if (trimmed !== written) {
    yield { code, message: 'name has whitespace around it', remedy: 'Remove them.', at: valueAt };
  }
  const name = trimmed.normalize('NFKC');
  const length = lengthOf(name);
  if (length > longest) {
    const message = `name has ${length} characters; at most ${longest} are allowed`;
    yield { code, message, remedy: 'Choose a shorter one.', at: valueAt };
  }
  yield* characterRules(name, field);
  yield* hyphenRules(name, field);
  yield* folderRule(name, folder, field);
}

function* characterRules(name: string, field: Field): Iterable<Finding> {
  const wrong = new Map<string, number>();
  let [place, offset, first] = [0, 0, -1];
  for (const character of name) {
    place++;
    if (!isAllowed(character) && !wrong.has(character)) {
      wrong.set(character, place);
      if (first === -1) first = offset;
    }
    offset += character.length;
  }
  if (wrong.size === 0) return;
  const shown = [...wrong].slice(0, 5).map(([character, at]) => `${describe(character)} at character ${at}`);
  const more = wrong.size > shown.length ? ` and ${wrong.size - shown.length} more` : '';
  const slug = slugOf(name);
  const remedy = `${inWords}${slug === '' ? '' : `: ${slug}`}.`;
  yield { code, message: `name contains ${shown.join(', ')}${more}`, remedy, at: positionIn(field, name, first) };
}

function* hyphenRules(name: string, field: Field): Iterable<Finding> {
  const slug = slugOf(name);
  const remedy = `${inWords}${slug === '' ? '' : `: ${slug}`}.`;
  const faults: [boolean, string, number][] = [
    [name.startsWith('-'), 'name starts with a hyphen', 0],
    [name.length > 1 && name.endsWith('-'), 'name ends with a hyphen', name.length - 1],
    [name.includes('--'), 'name has two hyphens in a row', name.indexOf('--')],
  ];
  for (const [isSo, message, offset] of faults) {
    if (isSo) yield { code, message, remedy, at: positionIn(field, name, offset) };
  }
}

function* folderRule(name: string, folder: string, field: Field): Iterable<Finding> {
  const wanted = folder.normalize('NFKC');
  if (name === wanted) return;
  const message = `name is "${oneLine(name)}", but the folder is called "${oneLine(folder)}"`;
  const canTake = slugOf(wanted) === wanted && lengthOf(wanted) <= longest;
  const remedy = canTake ? `Write name: ${wanted}, or rename the folder.` : 'Give the folder and the skill one name.';
  yield { code: 'rule-name-folder', message, remedy, at: field.valueAt };
}

function isAllowed(character: string): boolean {
  return /[\p{L}\p{N}-]/u.test(character) && character.toLowerCase() === character;
}

function describe(character: string): string {
  if (character === ' ') return 'a space';
  if (/[\p{C}\p{M}\p{Z}]/u.test(character)) {
    const point = character.codePointAt(0) ?? 0;
    return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return character.toLowerCase() === character ? `"${character}"` : `the upper-case "${character}"`;
}

/** The column of one character, where the file shows the name just as it is read; that of the value elsewhere. */
function positionIn({ value, valueAt, textAt }: Field, name: string, offset: number): Field['valueAt'] {
  return textAt === null || value !== name ? valueAt : { line: textAt.line, column: textAt.column + offset };
}

/** The nearest name that breaks no rule. */
function slugOf(name: string): string {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '').join('-');
}
