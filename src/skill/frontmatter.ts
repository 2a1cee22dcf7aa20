import { type Diagnostic, type DiagnosticCode, diagnostic, type Position } from '../core/diagnostics.ts';
import { endsUnclosed, type Fences, hasBothFields, splitFences } from './fences.ts';
import { limits } from './limits.ts';
import { type Mended, mendYaml } from './repair.ts';
import type { ParseResult } from './types.ts';
import { inPlainWords, readYaml, type YamlEntry, type YamlProblem, type YamlResult } from './yaml.ts';

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
