import type { DiagnosticCode, Position } from '../../core/diagnostics.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Json } from '../types.ts';
import { longest } from '../types.ts';
import { type Finding, kindOf, lengthOf } from './finding.ts';
import type { Field } from './strict.ts';

/** The fields that the format defines. A strict reader refuses every other. */
const specFields: readonly string[] = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

const claude = ['Claude Code'];

/** Fields that clients have added, and which clients. */
const clientFields: Readonly<Record<string, readonly string[]>> = {
  when_to_use: claude,
  'argument-hint': claude,
  arguments: claude,
  'disable-model-invocation': ['Claude Code', 'Cursor', 'OpenClaw', 'pi'],
  'user-invocable': ['Claude Code', 'OpenClaw'],
  'disallowed-tools': claude,
  model: claude,
  effort: claude,
  context: claude,
  agent: claude,
  background: claude,
  hooks: claude,
  paths: claude,
  shell: claude,
  'command-dispatch': ['OpenClaw'],
  'command-tool': ['OpenClaw'],
};

/** A field outside of the six: a misspelt one, a client's own, or data that has its place in `metadata`. */
function unknownField({ key, at }: Field): Finding {
  const code = 'rule-unknown-field';
  const shown = oneLine(key);
  const meant = specFields.find((field) => bare(field) === bare(key));
  if (meant !== undefined) {
    return { code, message: `"${shown}" is not a field of the format`, remedy: `Write ${meant} instead.`, at };
  }
  const clients = Object.hasOwn(clientFields, key) ? clientFields[key] : undefined;
  if (clients !== undefined) {
    const message = `"${shown}" is not a field of the format; it is one of ${clients.join(', ')}`;
    const remedy = 'Keep it if the skill is for that client alone; strict readers refuse the skill because of it.';
    return { code, message, remedy, at };
  }
  const message = `"${shown}" is not a field of the format`;
  return { code, message, remedy: 'Move it below metadata:, where any name with a text value is allowed.', at };
}

function bare(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

type FieldRule = (field: Field, folder: string) => Iterable<Finding>;

/** The rules of each field that the format defines. */
const rules: Readonly<Record<string, FieldRule>> = {
  name: nameRules,
  description: textRule(
    'rule-description',
    longest.description,
    'what it does and when to use it; details belong in the body',
  ),
  compatibility: textRule('rule-compatibility', longest.compatibility, 'what the skill needs to work'),
  license: textRule('rule-license', Number.POSITIVE_INFINITY, 'the name of the licence or of its file'),
  metadata: metadataRules,
  'allowed-tools': toolRules,
};

const required = { name: 'rule-name', description: 'rule-description' } as const;

/** Everything that is wrong with the fields of one front matter. */
export function* fieldRules(fields: readonly Field[], folder: string): Iterable<Finding> {
  const known = fields.filter((field) => !field.duplicate);
  for (const [key, code] of Object.entries(required)) {
    if (!known.some((field) => field.key === key && !isEmpty(field))) yield missing(key, code, known);
  }
  for (const field of known) {
    const isMissing = Object.hasOwn(required, field.key) && isEmpty(field);
    if (!specFields.includes(field.key)) yield unknownField(field);
    else if (!isMissing) yield* rules[field.key]?.(field, folder) ?? [];
  }
}

function missing(key: string, code: DiagnosticCode, fields: readonly Field[]): Finding {
  const at: Position = fields.find((field) => field.key === key)?.at ?? { line: 1, column: 1 };
  return { code, message: `${key} is missing or empty`, remedy: `Add a line ${key}: … to the front matter.`, at };
}

function isEmpty({ value }: Field): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function textRule(code: DiagnosticCode, most: number, content: string): FieldRule {
  return function* ({ key, value, valueAt }) {
    if (typeof value !== 'string') {
      const remedy = value === null ? `Say ${content}, or remove the field.` : `Write ${key} as one quoted string.`;
      yield { code, message: `${key} is ${kindOf(value)}, not text`, remedy, at: valueAt };
      return;
    }
    const length = lengthOf(value.trim());
    if (length === 0) {
      yield { code, message: `${key} is empty`, remedy: `Say ${content}, or remove the field.`, at: valueAt };
    } else if (length > most) {
      const message = `${key} has ${length} characters; at most ${most} are allowed`;
      yield { code, message, remedy: `Shorten it to ${content}.`, at: valueAt };
    }
  };
}

function* metadataRules({ value, valueAt, children }: Field): Iterable<Finding> {
  const code = 'rule-metadata';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const remedy = 'Write one name: "text" in each line below metadata:, or remove the field.';
    yield { code, message: `metadata is ${kindOf(value)}, not a map of strings`, remedy, at: valueAt };
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') continue;
    const message = `metadata contains "${oneLine(key)}", which is ${kindOf(item)} and not text`;
    const remedy = 'Put the value in quotes; other values can be stored as quoted JSON.';
    yield { code, message, remedy, at: children.get(key) ?? valueAt };
  }
}

function* toolRules({ value, valueAt }: Field): Iterable<Finding> {
  const code = 'rule-allowed-tools';
  const tools = toolsOf(value);
  const wanted = tools === null ? null : spaceSeparated(tools);
  const remedy =
    wanted === null
      ? 'Write the tools in one line, separated by spaces, as in Read Bash(git:*).'
      : 'Separate the tools by spaces; repertoire validate --fix does it where it can.';
  if (typeof value !== 'string') {
    yield { code, message: `allowed-tools is ${kindOf(value)}, not one line of text`, remedy, at: valueAt };
  } else if (hasCommas(value)) {
    yield { code, message: 'allowed-tools is separated by commas, not by spaces', remedy, at: valueAt };
  }
}

const code = 'rule-name';
const inWords = 'Use lower-case letters, digits and single hyphens';

/** The rules for a name that is there. Letters and digits of every script count, as the reference validator has it. */
function* nameRules(field: Field, folder: string): Iterable<Finding> {
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
  if (length > longest.name) {
    const message = `name has ${length} characters; at most ${longest.name} are allowed`;
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
  const canTake = slugOf(wanted) === wanted && lengthOf(wanted) <= longest.name;
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

/**
 * The tools that an `allowed-tools` names, however they are separated: by spaces as the format has it, by commas, or as
 * a list. Text in parentheses belongs to its tool, spaces and commas included. Null where there is no list to read.
 */
export function toolsOf(value: Json): readonly string[] | null {
  if (typeof value === 'string') return splitOutside(value, hasCommas(value) ? /,/ : /\s/);
  if (!Array.isArray(value)) return null;
  const items: readonly Json[] = value;
  return items.every((item) => typeof item === 'string') ? items.map((item) => item.trim()) : null;
}

/** Whether commas separate the tools. */
export function hasCommas(value: string): boolean {
  return (splitOutside(value, /,/)?.length ?? 0) > 1 || /,\s*$/.test(value);
}

/** The tools in the form that the format requires; null where a space in one of them would tear it apart. */
export function spaceSeparated(tools: readonly string[]): string | null {
  const isWhole = tools.every((tool) => splitOutside(tool, /[\s,]/)?.length === 1);
  return isWhole ? tools.join(' ') : null;
}

/** The parts between separators that are not in parentheses; null when the parentheses do not match. */
function splitOutside(text: string, separator: RegExp): string[] | null {
  const parts: string[] = [];
  let [part, depth] = ['', 0];
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')' && --depth < 0) return null;
    if (depth === 0 && separator.test(character)) {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  return depth === 0 ? [...parts, part].map((one) => one.trim()).filter((one) => one !== '') : null;
}
