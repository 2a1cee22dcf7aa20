import { isAscii, isUtf8 } from 'node:buffer';
import { type Diagnostic, diagnostic, type Position, positionAt } from '../core/diagnostics.ts';
import { showHidden } from '../core/text/hidden.ts';
import { count, oneLine } from '../core/text/text.ts';
import { isClosingFence } from './fences.ts';
import { inFile, Notes, readFrontmatter } from './frontmatter.ts';
import { isPathLike, labelOf, plainName } from './name.ts';
import type { Frontmatter, Json, ParsedSkill, ParseResult } from './types.ts';
import type { YamlEntry } from './yaml.ts';

/** Parses a SKILL.md leniently: whatever has a name and a description is a skill, and every liberty taken is noted. */
export function parseSkill(bytes: Buffer, file: string, folder: string): ParseResult {
  const notes = new Notes(file);
  const text = decode(bytes, notes);
  const read = text === null ? null : readFrontmatter(text, notes);
  if (read === null) return notes.none();
  const hidden = hiddenIn(bytes, file);
  if (hidden !== null) notes.list.push(hidden);
  const { entries, firstLine, repaired } = read;
  const place = (at: { line: number; column: number }) => inFile(at, firstLine);
  return { skill: skillOf(entries, { notes, folder, place, firstLine, repaired }), diagnostics: notes.list };
}

/** Decodes UTF-8, with invalid bytes shown as such; null for text that was never UTF-8 at all. */
function decode(bytes: Buffer, notes: Notes): string | null {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16 || bytes.subarray(0, 512).includes(0)) {
    notes.add('text-encoding', 'the file is UTF-16 or binary, not UTF-8 text', 'Save SKILL.md as UTF-8.');
    return null;
  }
  if (isUtf8(bytes)) return bytes.toString('utf8', 0, headEnd(bytes));
  const text = bytes.toString('utf8');
  const bad = text.indexOf('\ufffd');
  const at = { line: text.slice(0, bad).split('\n').length, column: bad - text.lastIndexOf('\n', bad - 1) };
  notes.add('text-invalid-utf8', 'bytes that are not UTF-8 are shown as \ufffd', 'Save SKILL.md as UTF-8.', at);
  return text;
}

/**
 * The end of the front matter, fence included. Only this much becomes text: a slice of the rest would otherwise keep
 * the whole file in memory. A file that does not start with a fence is taken whole.
 */
function headEnd(bytes: Buffer): number {
  const start = bytes[0] === 0xef ? 3 : 0; // a byte order mark
  if (bytes.toString('latin1', start, start + 3) !== '---') return bytes.length;
  for (let at = bytes.indexOf('\n---', start); at !== -1; at = bytes.indexOf('\n---', at + 1)) {
    const lineEnd = bytes.indexOf(10, at + 1);
    const end = lineEnd === -1 ? bytes.length : lineEnd;
    if (isClosingFence(bytes.toString('latin1', at + 1, end).replace(/\r$/, ''))) return end;
  }
  return bytes.length;
}

interface Context {
  readonly notes: Notes;
  /** The name of the skill's folder. */
  readonly folder: string;
  /** Maps a position in the front matter to one in the file. */
  readonly place: (at: Position) => Position;
  readonly firstLine: number;
  readonly repaired: boolean;
}

/** The two fields every skill must have, and all the others as they are. Null when one of the two is missing. */
export function skillOf(entries: readonly YamlEntry[], context: Context): ParsedSkill | null {
  const fields = firstOfEach(entries, context);
  const written = textField('name', fields, context);
  const description = textField('description', fields, context);
  if (written === '' || description === '') return null;
  const name = labelOf(written, context.folder);
  const plain = plainName(written);
  if (name !== plain) {
    const what = isPathLike(plain) ? 'contains a path separator or ".."' : 'begins like an option or a filter';
    const message = `name ${what}; it is published as "${name}"`;
    const at = context.place(fields.get('name')?.at ?? { line: 1, column: 1 });
    context.notes.add('name-unsafe', message, 'Use lower-case letters, digits and hyphens.', at);
  }
  const frontmatter: Frontmatter = Object.fromEntries([...fields].map(([key, entry]) => [key, entry.value]));
  return { name, description, frontmatter, repaired: context.repaired || fields.size < entries.length };
}

function firstOfEach(entries: readonly YamlEntry[], { notes, place }: Context): Map<string, YamlEntry> {
  const fields = new Map<string, YamlEntry>();
  for (const entry of entries) {
    if (!entry.duplicate) {
      fields.set(entry.key, entry);
      continue;
    }
    const message = `field "${oneLine(entry.key)}" appears twice; the first one is used`;
    notes.add('field-duplicate', message, 'Remove one of the two.', place(entry.at));
  }
  return fields;
}

function textField(key: 'name' | 'description', fields: Map<string, YamlEntry>, context: Context): string {
  const { notes, place, firstLine } = context;
  const entry = fields.get(key);
  const text = entry === undefined ? '' : asText(entry).trim();
  if (entry !== undefined && !canBeText[key](entry.value)) {
    const message = `${key} is ${kindOf(entry.value)}, not text`;
    notes.add(
      'field-missing',
      message,
      `Write the ${key} as text, in quotes if it begins with [ or {.`,
      place(entry.at),
    );
    return '';
  }
  if (text === '') {
    const close = [...fields.keys()].find((other) => other !== key && other.trim().toLowerCase() === key);
    const hint = close === undefined ? '' : ` (found "${oneLine(close)}": field names are lower-case)`;
    const at = entry === undefined ? { line: firstLine, column: 1 } : place(entry.at);
    notes.add('field-missing', `${key} is missing or empty${hint}`, `Add a line ${key}: … to the front matter.`, at);
  } else if (entry !== undefined && typeof entry.value !== 'string') {
    const message = `${key} is ${kindOf(entry.value)}; it is read as text`;
    notes.add('field-converted', message, `Put ${key} in quotes.`, place(entry.at));
  }
  return text;
}

/**
 * Predicates by field for values that can be text: a list of sentences can be a description; nothing else that has
 * parts is a text.
 */
const canBeText = {
  name: (value: Json) => value === null || typeof value !== 'object',
  description: (value: Json) => value === null || typeof value !== 'object' || Array.isArray(value),
};

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

/** Converts a value to text: numbers and booleans as they were written, lists joined. */
function asText({ value, source }: YamlEntry): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (!Array.isArray(value)) return source;
  return value.map((item: Json) => (typeof item === 'string' ? item : JSON.stringify(item))).join(', ');
}

const listed = 5;

/** The diagnostic for a file with hidden characters, at the first of them; null if there are none. */
export function hiddenIn(bytes: Buffer, file: string): Diagnostic | null {
  if (isAscii(bytes)) return null;
  const text = bytes.toString('utf8');
  const { count: number, kinds, first } = showHidden(text);
  if (number === 0) return null;
  const named = `${kinds.slice(0, listed).join(', ')}${kinds.length > listed ? ', …' : ''}`;
  const message = `${count(number, 'character')} that cannot be seen (${named}); models see <${kinds[0]}> instead`;
  const remedy = 'Remove them, unless you know what they are there for.';
  return diagnostic('text-hidden', file, message, remedy, positionAt(text, first));
}
