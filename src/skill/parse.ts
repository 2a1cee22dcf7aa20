import { isAscii, isUtf8 } from 'node:buffer';
import { basename, join } from 'node:path';
import { type Diagnostic, type DiagnosticCode, diagnostic, type Position, positionAt } from '../core/diagnostics.ts';
import { readRegularFile } from '../core/disk/files.ts';
import { SkillError } from '../core/errors.ts';
import { number, object, optional, text, union } from '../core/schema/schema.ts';
import { read } from '../core/schema/schema-reader.ts';
import { showHidden } from '../core/text/hidden.ts';
import { count, oneLine } from '../core/text/text.ts';
import { endsUnclosed, type Fences, hasBothFields, isClosingFence, splitFences } from './fences.ts';
import { isPathLike, labelOf, plainName } from './name.ts';
import { type Mended, mendYaml } from './repair.ts';
import type { Frontmatter, Json, ParsedSkill, ParseResult } from './types.ts';
import { limits } from './types.ts';
import { inPlainWords, readYaml, type YamlEntry, type YamlProblem, type YamlResult } from './yaml.ts';

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

/**
 * Values that a repair quoted and that may have been meant as something other than text: a list that was never closed,
 * an alias, a tag. Such a value is not what the author would call the name or the description.
 */
const notText: readonly RegExp[] = [
  /^[^\p{L}\p{N}]*$/u, // only signs
  /^[|>%\]}]/, // the beginning of a block of text, a directive, the end of a list or map
  /^[&!]\S/, // an anchor or a tag
  /^\*[^*]*$/, // an alias; text in *emphasis* has a second star
];

const structure = /^[[{*&!|>%]/;

const readsAs: { readonly [key: string]: (text: string) => boolean } = {
  name: (text) => isText(text) && !structure.test(text),
  description: isText,
};

/** Whether the text that a repair made of a field can be that field. */
function canBe(key: string, text: string): boolean {
  return readsAs[key]?.(text) ?? true;
}

function isText(text: string): boolean {
  return !notText.some((pattern) => pattern.test(text)) && closesWhatItOpens(text);
}

/**
 * Tells whether a bracket at the start is closed: `[Beta] reads text` is text; `[a, b` and `{` are the beginning of
 * something else.
 */
function closesWhatItOpens(text: string): boolean {
  const closing = { '[': ']', '{': '}' }[text[0] ?? ''];
  return closing === undefined || text.includes(closing);
}

/** The fields of a front matter, its first line in the file, and whether it had to be repaired. */
interface ReadFrontmatter {
  readonly entries: readonly YamlEntry[];
  readonly firstLine: number;
  readonly repaired: boolean;
}

/** Reads the front matter of a SKILL.md leniently; null, with a note, when there is none. */
export function readFrontmatter(text: string, notes: Notes): ReadFrontmatter | null {
  const closed = closedFences(splitFences(text), notes);
  if (closed === null) return null;
  const { yaml, firstLine, mended } = closed;
  if (Buffer.byteLength(yaml) > limits.frontmatterBytes) {
    const message = `front matter is larger than ${limits.frontmatterBytes} bytes`;
    const at = { line: firstLine - 1, column: 1 };
    notes.add('frontmatter-too-large', message, 'Move the long text into the body below the closing ---.', at);
    return null;
  }
  const first = readYaml(yaml);
  if (first.kind !== 'error') return accept(first, closed, notes, mended);
  return readMended(closed, first.problems, notes);
}

interface Closed {
  readonly yaml: string;
  readonly firstLine: number;
  /** Whether the fences were not as they should be. */
  readonly mended: boolean;
}

function closedFences(fences: Fences, notes: Notes): Closed | null {
  switch (fences.kind) {
    case 'found':
      if (fences.late) {
        const at = { line: fences.firstLine - 1, column: 1 };
        const remedy = 'Move the opening --- to line 1; several agents do not see it elsewhere.';
        notes.add('frontmatter-not-first', 'front matter does not start on the first line', remedy, at);
      }
      return { yaml: fences.yaml, firstLine: fences.firstLine, mended: fences.late };
    case 'missing': {
      const remedy = 'Start the file with a line ---, then name: and description:, then a line ---.';
      notes.add('frontmatter-missing', 'no front matter at the start of the file', remedy, { line: 1, column: 1 });
      return null;
    }
    case 'language': {
      const message = `front matter in "${fences.language}" is never read or run`;
      const at = { line: fences.line, column: 4 };
      notes.add('frontmatter-language', message, 'Write the front matter as YAML between plain --- lines.', at);
      return null;
    }
    case 'unclosed':
      return closeAtBlankLine(fences, notes);
  }
}

/** Closes front matter without a closing fence at the first blank line or heading, if that much has both fields. */
function closeAtBlankLine(fences: Extract<Fences, { kind: 'unclosed' }>, notes: Notes): Closed | null {
  const lines = fences.yaml.split('\n');
  const end = lines.findIndex(endsUnclosed);
  const yaml = lines.slice(0, end === -1 ? lines.length : end).join('\n');
  const at = { line: fences.line, column: 1 };
  const remedy = 'Add a line --- after the last field.';
  if (hasBothFields(yaml)) {
    const message = 'front matter is never closed; it is taken to end at the first blank line';
    notes.add('frontmatter-repaired', message, remedy, at);
    return { yaml, firstLine: fences.line + 1, mended: true };
  }
  notes.add('frontmatter-unclosed', 'front matter is opened by --- but never closed', remedy, at);
  return null;
}

/** Reads front matter that strict YAML refuses, mended; null, with a note, when mending does not help. */
function readMended(
  { yaml, firstLine }: Closed,
  problems: readonly YamlProblem[],
  notes: Notes,
): ReadFrontmatter | null {
  const problem: YamlProblem = problems[0] ?? { message: 'unreadable', at: { line: 1, column: 1 } };
  const [at, said] = [inFile(problem.at, firstLine), inPlainWords(problem.message)];
  const mended = mendYaml(yaml, problems);
  const unfit = mended === null ? undefined : unfitField(yaml, mended);
  if (mended === null || unfit !== undefined) {
    const remedy = 'Correct the line; quote values that contain : # [ ] { } or quotes.';
    const field = unfit === undefined ? '' : `, and no ${unfit.key} can be read from it`;
    const place = unfit === undefined ? at : inFile(unfit.at, firstLine);
    notes.add('frontmatter-unreadable', `front matter is not YAML: ${said}${field}`, remedy, place);
    return null;
  }
  const remedy = 'Run repertoire validate --fix on it: agents with a strict parser skip this skill.';
  const causes = [...new Set(problems.map(({ message }) => inPlainWords(message)))].join('; ') || said;
  notes.add('frontmatter-repaired', `read after quoting what strict YAML refuses: ${causes}`, remedy, at);
  return { entries: mended.entries, firstLine, repaired: true };
}

/** The field that a repair turned into text, and that cannot be what it says. */
function unfitField(yaml: string, { text, entries }: Mended): YamlEntry | undefined {
  const [before, after] = [yaml.split('\n'), text.split('\n')];
  const isQuoted = ({ at: { line } }: YamlEntry): boolean => before[line - 1] !== after[line - 1];
  return entries.find((entry) => isQuoted(entry) && typeof entry.value === 'string' && !canBe(entry.key, entry.value));
}

function accept(result: YamlResult, { firstLine }: Closed, notes: Notes, repaired: boolean): ReadFrontmatter | null {
  if (result.kind === 'map') return { entries: result.entries, firstLine, repaired };
  const at = { line: firstLine, column: 1 };
  if (result.kind === 'too-complex') {
    notes.add('frontmatter-too-complex', `front matter ${result.message}`, 'Simplify the front matter.', at);
  } else {
    const remedy = 'Write one field per line, as in name: my-skill.';
    notes.add('frontmatter-not-a-map', 'front matter has no key: value fields', remedy, at);
  }
  return null;
}

/** Maps a position in the front matter to one in the file. */
export function inFile(at: Position, firstLine: number): Position {
  return { line: at.line + firstLine - 1, column: at.column };
}

/** Collects the diagnostics of one file while it is read. */
export class Notes {
  readonly list: Diagnostic[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  add(code: DiagnosticCode, message: string, remedy: string, at?: Position): void {
    this.list.push(diagnostic(code, this.#file, message, remedy, at));
  }

  /** The result for a file that is not a skill, with the reasons. */
  none(): ParseResult {
    return { skill: null, diagnostics: this.list };
  }
}

/** Reads the name and the description of the skill in a folder. */
export function describedSkill(folder: string): Pick<ParsedSkill, 'name' | 'description'> {
  return parsedIn(folder);
}

/** The version that the skill in a folder gives itself, by `metadata.version` or `version`; null where it gives none. */
export function declaredVersion(folder: string): string | null {
  const { frontmatter } = parsedIn(folder);
  const reading = read(versionSchema, frontmatter);
  if (!reading.ok) return null;
  const { metadata, version } = reading.value;
  return oneLine(String(metadata?.version ?? version ?? '')).slice(0, 100) || null;
}

const versionField = optional(union(text(), number()));
const versionSchema = object(
  { version: versionField, metadata: optional(object({ version: versionField }, undefined, { open: true })) },
  undefined,
  { open: true },
);

function parsedIn(folder: string): ParsedSkill {
  const file = join(folder, 'SKILL.md');
  const read = readRegularFile(file, limits.fileBytes);
  if (!read.ok) throw new SkillError('unreadable', `${oneLine(file)} cannot be read (${read.reason})`);
  const { skill, diagnostics } = parseSkill(read.value.bytes, file, basename(folder));
  if (skill !== null) return skill;
  throw new SkillError('unreadable', `${oneLine(file)}: ${diagnostics[0]?.message ?? 'it is not a skill'}`);
}
