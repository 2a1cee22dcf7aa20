import { isUtf8 } from 'node:buffer';
import { type Diagnostic, type DiagnosticCode, diagnostic, type Position } from '../kernel/diagnostics.ts';
import { normalize, oneLine } from '../kernel/text.ts';
import { type Fences, splitFences } from './fences.ts';
import { limits } from './limits.ts';
import { labelOf } from './name.ts';
import { quoteAllValues, repairYaml } from './repair.ts';
import type { Frontmatter, Json, ParseResult } from './types.ts';
import { readYaml, type YamlEntry, type YamlProblem, type YamlResult } from './yaml.ts';

/** What a file's bytes say, leniently: whatever has a name and a description is a skill, and every liberty is noted. */
export function parseSkill(bytes: Buffer, file: string, folder: string): ParseResult {
  const notes = new Notes(file);
  const text = decode(bytes, notes);
  if (text === null) return notes.none();
  const fences = closed(splitFences(text), notes);
  if (fences === null) return notes.none();
  const { yaml, firstLine } = fences;
  if (Buffer.byteLength(yaml) > limits.frontmatterBytes) {
    const message = `front matter is larger than ${limits.frontmatterBytes} bytes`;
    return notes.none('frontmatter-too-large', message, 'Move the long text into the body below the closing ---.');
  }
  const read = readLeniently(yaml, firstLine, notes);
  if (read === null) return notes.none();
  return fieldsOf(read.entries, { notes, folder, firstLine, repaired: read.repaired || fences.late || fences.mended });
}

/** Collects the diagnostics of one file. */
class Notes {
  readonly file: string;
  readonly list: Diagnostic[] = [];

  constructor(file: string) {
    this.file = file;
  }

  add(code: DiagnosticCode, message: string, remedy: string, at?: Position): void {
    this.list.push(diagnostic(code, this.file, message, remedy, at));
  }

  none(code?: DiagnosticCode, message = '', remedy = '', at?: Position): ParseResult {
    if (code !== undefined) this.add(code, message, remedy, at);
    return { skill: null, diagnostics: this.list };
  }
}

function decode(bytes: Buffer, notes: Notes): string | null {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || bytes.subarray(0, 512).includes(0)) {
    notes.add('text-encoding', 'the file is UTF-16 or binary, not UTF-8 text', 'Save SKILL.md as UTF-8.');
    return null;
  }
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes)) {
    const bad = text.indexOf('\ufffd');
    const line = text.slice(0, bad).split('\n').length;
    const at = { line, column: bad - text.lastIndexOf('\n', bad - 1) };
    notes.add('text-invalid-utf8', 'bytes that are not UTF-8 are shown as \ufffd', 'Save SKILL.md as UTF-8.', at);
  }
  return text;
}

interface Closed {
  readonly yaml: string;
  readonly firstLine: number;
  readonly late: boolean;
  readonly mended: boolean;
}

function closed(fences: Fences, notes: Notes): Closed | null {
  switch (fences.kind) {
    case 'found':
      if (fences.late) {
        const at = { line: fences.firstLine - 1, column: 1 };
        const remedy = 'Move the opening --- to line 1; several agents do not see it elsewhere.';
        notes.add('frontmatter-not-first', 'front matter does not start on the first line', remedy, at);
      }
      return { ...fences, mended: false };
    case 'missing': {
      const remedy = 'Start the file with a line ---, then name: and description:, then a line ---.';
      notes.add('frontmatter-missing', 'no front matter at the start of the file', remedy, { line: 1, column: 1 });
      return null;
    }
    case 'language': {
      const message = `front matter in "${fences.language}" is never read or run`;
      notes.add('frontmatter-language', message, 'Write the front matter as YAML between plain --- lines.', {
        line: fences.line,
        column: 4,
      });
      return null;
    }
    case 'unclosed':
      return closeAtBlankLine(fences, notes);
  }
}

/** Without a closing fence the first blank line or heading ends the front matter, if that much has both fields. */
function closeAtBlankLine(fences: Extract<Fences, { kind: 'unclosed' }>, notes: Notes): Closed | null {
  const lines = fences.yaml.split('\n');
  const end = lines.findIndex((line) => line.trim() === '' || /^#{1,6} /.test(line));
  const yaml = lines.slice(0, end === -1 ? lines.length : end).join('\n');
  const at = { line: fences.line, column: 1 };
  const remedy = 'Add a line --- after the last field.';
  if (/^name:/m.test(yaml) && /^description:/m.test(yaml)) {
    notes.add('frontmatter-repaired', 'front matter is never closed; it was ended at the first blank line', remedy, at);
    return { yaml, firstLine: fences.line + 1, late: false, mended: true };
  }
  notes.add('frontmatter-unclosed', 'front matter is opened by --- but never closed', remedy, at);
  return null;
}

interface Read {
  readonly entries: readonly YamlEntry[];
  readonly repaired: boolean;
}

function readLeniently(yaml: string, firstLine: number, notes: Notes): Read | null {
  const place = (at: Position): Position => ({ line: at.line + firstLine - 1, column: at.column });
  const first = readYaml(yaml);
  if (first.kind !== 'error') return accept(first, { firstLine, notes, repaired: false });
  const problem: YamlProblem = first.problems[0] ?? { message: 'unreadable', at: { line: 1, column: 1 } };
  const attempts = [
    repairYaml(
      yaml,
      first.problems.map((one) => one.at.line),
    ),
    quoteAllValues(yaml),
  ];
  for (const text of attempts) {
    const again = text === null ? first : readYaml(text);
    if (again.kind !== 'map') continue;
    const message = `read after quoting what strict YAML refuses: ${sentence(problem.message)}`;
    const remedy =
      'Run repertoire validate --fix on it, or quote the value: agents with a strict parser skip this skill.';
    notes.add('frontmatter-repaired', message, remedy, place(problem.at));
    return accept(again, { firstLine, notes, repaired: true });
  }
  const message = `front matter is not YAML: ${sentence(problem.message)}`;
  notes.add(
    'frontmatter-unreadable',
    message,
    'Correct the line; quote values that hold : # [ ] { } or quotes.',
    place(problem.at),
  );
  return null;
}

interface Acceptance {
  readonly firstLine: number;
  readonly notes: Notes;
  readonly repaired: boolean;
}

function accept(result: YamlResult, { firstLine, notes, repaired }: Acceptance): Read | null {
  const at = { line: firstLine, column: 1 };
  if (result.kind === 'map') return { entries: result.entries, repaired };
  if (result.kind === 'too-complex') {
    notes.add('frontmatter-too-complex', `front matter is ${result.message}`, 'Simplify the front matter.', at);
  } else {
    const remedy = 'Write one field per line, as in name: my-skill.';
    notes.add('frontmatter-not-a-map', 'front matter holds no key: value fields', remedy, at);
  }
  return null;
}

interface FieldContext extends Acceptance {
  readonly folder: string;
}

function fieldsOf(entries: readonly YamlEntry[], context: FieldContext): ParseResult {
  const { notes, firstLine } = context;
  const place = (at: Position): Position => ({ line: at.line + firstLine - 1, column: at.column });
  const fields = new Map<string, YamlEntry>();
  for (const entry of entries) {
    if (entry.duplicate) {
      const message = `field "${oneLine(entry.key)}" appears twice; the first one counts`;
      notes.add('field-duplicate', message, 'Remove one of the two.', place(entry.at));
    } else {
      fields.set(entry.key, entry);
    }
  }
  const texts = (['name', 'description'] as const).map((key) => {
    const entry = fields.get(key);
    const text = entry === undefined ? '' : asText(entry).trim();
    if (text === '') {
      const close = entries.find((other) => other.key !== key && other.key.trim().toLowerCase() === key);
      const hint = close === undefined ? '' : ` (found "${oneLine(close.key)}": field names are lower-case)`;
      const at = entry === undefined ? { line: firstLine, column: 1 } : place(entry.at);
      notes.add('field-missing', `${key} is missing or empty${hint}`, `Add a line ${key}: … to the front matter.`, at);
    } else if (entry !== undefined && typeof entry.value !== 'string') {
      const kind = Array.isArray(entry.value)
        ? 'a list'
        : typeof entry.value === 'object'
          ? 'a map'
          : `a ${typeof entry.value}`;
      notes.add('field-converted', `${key} is ${kind}; it is read as text`, `Put ${key} in quotes.`, place(entry.at));
    }
    return text;
  });
  const [written = '', description = ''] = texts;
  const repaired = context.repaired || entries.some((entry) => entry.duplicate);
  if (written === '' || description === '') return notes.none();
  const name = labelOf(written, context.folder);
  if (name !== normalize(oneLine(written))) {
    const message = `name holds a path separator or ".."; it is published as "${name}"`;
    const at = place(fields.get('name')?.at ?? { line: 1, column: 1 });
    notes.add('name-unsafe', message, 'Use lower-case letters, digits and hyphens.', at);
  }
  const frontmatter: Frontmatter = Object.fromEntries([...fields].map(([key, entry]) => [key, entry.value]));
  return { skill: { name, description, frontmatter, repaired }, diagnostics: notes.list };
}

/** Numbers and booleans as they were written, lists joined; a map can only be shown as its own source. */
function asText(entry: YamlEntry): string {
  const { value, source } = entry;
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (Array.isArray(value))
    return value.map((item: Json) => (typeof item === 'string' ? item : JSON.stringify(item))).join(', ');
  return source;
}

function sentence(message: string): string {
  return oneLine(message.split('\n')[0] ?? '').replace(/[.:]+$/, '');
}
