import { isDeepStrictEqual } from 'node:util';
import type { DiagnosticCode } from '../core/diagnostics.ts';
import { type Head, headOf, type Line, splitFences, textOf, yamlOf } from './fences.ts';
import { parseSkill } from './parse.ts';
import { mendYaml } from './repair.ts';
import { hasCommas, spaceSeparated, toolsOf } from './rules/fields.ts';
import { type Field, readStrictly } from './rules/strict.ts';
import type { Json, ParsedSkill } from './types.ts';
import { readYaml } from './yaml.ts';

/** A text, and the repairs made in it. */
interface Fix {
  readonly text: string;
  /** The repairs; empty when the text is as it was. */
  readonly fixed: readonly Fixed[];
}

/**
 * Repairs what can be repaired without changing what a SKILL.md says. Each repair is proven before it is kept: loading
 * the new text must give the very skill that loading the old one gave, and the body must be the same.
 */
export function fixSkill(text: string): Fix {
  const skill = loaded(text);
  const head = skill === null ? null : headOf(text);
  if (skill === null || head === null) return { text, fixed: [] };
  const fixed: Fixed[] = [];
  let current: Head = head;
  for (const repair of repairs) {
    const repaired = repair(current);
    if (repaired === null || !saysTheSame(repaired.head, skill)) continue;
    current = repaired.head;
    fixed.push(...repaired.fixed);
  }
  return { text: textOf(current), fixed: fixed.sort((a, b) => a.line - b.line) };
}

/** Loads a well-formed text: one with half a surrogate pair does not come back from its bytes as it was. */
function loaded(text: string): ParsedSkill | null {
  const bytes = Buffer.from(text);
  return bytes.toString() === text ? parseSkill(bytes, '', '').skill : null;
}

function saysTheSame(head: Head, before: ParsedSkill): boolean {
  const text = textOf(head);
  const fences = splitFences(text);
  if (fences.kind !== 'found' || fences.body !== head.body.replace(/\r\n?/g, '\n')) return false;
  const after = loaded(text);
  return after !== null && isDeepStrictEqual(meaningOf(after), meaningOf(before));
}

/** A skill without the two things that a repair may write differently: blanks around the name, and between tools. */
function meaningOf({ name, description, frontmatter }: ParsedSkill): unknown {
  const fields = Object.entries(frontmatter).map(([key, value]) => [key, plainValue(key, value)]);
  return [name, description, fields];
}

function plainValue(key: string, value: Json): Json {
  if (key === 'name' && typeof value === 'string') return value.trim();
  return key === 'allowed-tools' ? (toolsOf(value) ?? value) : value;
}

/** Repairs, in this order: fields can be mended once it is clear where they end. Lines above them move last. */
const repairs: readonly Repair[] = [
  closeFrontMatter,
  quoteValues,
  separateTools,
  trimName,
  plainOpening,
  removeMark,
  moveToFirstLine,
];

function closeFrontMatter(head: Head): Repaired | null {
  if (head.closing !== null) return null;
  const end = head.opening.end === '' ? '\n' : head.opening.end;
  const yaml = head.yaml.map((line) => (line.end === '' ? { ...line, end } : line));
  const { number } = head.yaml.at(-1) ?? head.opening;
  const fixed: Fixed = {
    code: 'frontmatter-unclosed',
    line: number,
    message: 'closed the front matter with a line ---',
  };
  return { head: { ...head, yaml, closing: { text: '---', end, number } }, fixed: [fixed] };
}

function separateTools(head: Head): Repaired | null {
  const field = fieldIn(head, 'allowed-tools');
  if (field === undefined || (typeof field.value === 'string' && !hasCommas(field.value))) return null;
  const tools = toolsOf(field.value);
  const text = tools === null || tools.length === 0 ? null : spaceSeparated(tools);
  if (text === null) return null;
  return replaceValue(head, field, text, { code: 'rule-allowed-tools', message: 'separated allowed-tools by spaces' });
}

function trimName(head: Head): Repaired | null {
  const field = fieldIn(head, 'name');
  if (field === undefined || typeof field.value !== 'string') return null;
  const name = field.value.trim();
  if (name === field.value || name === '') return null;
  return replaceValue(head, field, name, { code: 'rule-name', message: 'removed the whitespace around the name' });
}

function plainOpening(head: Head): Repaired | null {
  const { opening } = head;
  if (opening.text.trimEnd() === '---') return null;
  const fixed: Fixed = { code: 'rule-frontmatter', line: opening.number, message: 'wrote the opening line as ---' };
  return { head: { ...head, opening: { ...opening, text: '---' } }, fixed: [fixed] };
}

function removeMark(head: Head): Repaired | null {
  if (head.mark === '') return null;
  const fixed: Fixed = { code: 'rule-encoding', line: 1, message: 'removed the byte order mark' };
  return { head: { ...head, mark: '' }, fixed: [fixed] };
}

/** Moves the front matter to the first line: blank lines go, and comments become comments of the front matter. */
function moveToFirstLine(head: Head): Repaired | null {
  const { before, opening } = head;
  if (before.length === 0) return null;
  const comments = before
    .filter((line) => line.text.trim() !== '')
    .map((line) => (line.text.trim().startsWith('#') ? line : { ...line, text: `# ${line.text.trim()}` }));
  const message = 'moved the front matter to the first line';
  const moved: Head = { ...head, before: [], yaml: [...comments, ...head.yaml] };
  return { head: moved, fixed: [{ code: 'rule-frontmatter', line: opening.number, message }] };
}

/** A field of front matter that is sound; of two with one name, neither. */
function fieldIn(head: Head, key: string): Field | undefined {
  const { fields, mended } = readStrictly(yamlOf(head));
  const found = mended ? [] : (fields?.filter((field) => field.key === key) ?? []);
  return found.length === 1 ? found[0] : undefined;
}

/** Replaces a field's value by a text, unless a comment stands between that would be lost. */
function replaceValue(head: Head, field: Field, text: string, change: Omit<Fixed, 'line'>): Repaired | null {
  const yaml = yamlOf(head);
  const [keyEnd, valueEnd] = field.range;
  const start = yaml.indexOf(':', keyEnd) + 1;
  const old = yaml.slice(start, valueEnd).trimEnd();
  if (start === 0 || /(?:^|\s)#/.test(old)) return null;
  const written = /^\s*["']/.test(old) ? JSON.stringify(text) : plainOrQuoted(text);
  const first = yaml.slice(0, start).split('\n').length - 1;
  const last = yaml.slice(0, start + old.length).split('\n').length - 1;
  const before = yaml.slice(yaml.lastIndexOf('\n', start - 1) + 1, start);
  const after = yaml.slice(start + old.length).split('\n')[0] ?? '';
  const number = head.yaml[first]?.number ?? head.opening.number;
  const line: Line = { text: `${before} ${written}${after}`, end: head.yaml[last]?.end ?? '', number };
  const lines = [...head.yaml.slice(0, first), line, ...head.yaml.slice(last + 1)];
  return { head: { ...head, yaml: lines }, fixed: [{ ...change, line: number }] };
}

function plainOrQuoted(text: string): string {
  const read = readYaml(`key: ${text}`);
  return read.kind === 'map' && read.entries[0]?.value === text ? text : JSON.stringify(text);
}

/** Changed lines up to which each is tried without its change: a trial reads the whole front matter. */
const mostTrials = 50;

/** A line of the front matter, and its replacement: another text, or nothing. */
interface Rewrite {
  readonly line: Line;
  readonly text: string | null;
}

/** Quotes what strict YAML refuses the way loading reads it, in as few lines as possible. */
function quoteValues(head: Head): Repaired | null {
  const yaml = yamlOf(head);
  const read = readYaml(yaml);
  const mended = read.kind === 'error' ? mendYaml(yaml, read.problems)?.text.split('\n') : undefined;
  if (mended === undefined || mended.length !== head.yaml.length || isUnclear(head.yaml)) return null;
  const all = head.yaml.map((line, index) => rewriteOf(line, mended[index] ?? ''));
  const wanted = valuesIn(all);
  if (wanted === null) return null;
  const least = leastOf(all, wanted);
  const fixed = least.flatMap((one) => changeIn(one));
  const lines = least.flatMap(({ line, text }) => (text === null ? [] : [{ ...line, text }]));
  return { head: { ...head, yaml: lines }, fixed };
}

/** The replacement of a line. Mending empties lines that it took into the value above; comments are not in it. */
function rewriteOf(line: Line, mended: string): Rewrite {
  const written = line.text.trim();
  if (mended !== '' || written === '') return { line, text: written === '' ? line.text : mended };
  return { line, text: written.startsWith('#') ? line.text : null };
}

/** Takes back every change without which the front matter reads the same. */
function leastOf(all: readonly Rewrite[], wanted: unknown): readonly Rewrite[] {
  const changed = all.flatMap(({ line, text }, index) => {
    const takesMore = all[index + 1]?.text === null;
    return text === null || text === line.text || takesMore ? [] : [index];
  });
  if (changed.length > mostTrials) return all;
  let least = all;
  for (const index of changed) {
    const { line } = all[index] as Rewrite;
    for (const text of [line.text, line.text.replace(/^\t/, '')]) {
      const trial = least.with(index, { line, text });
      if (isDeepStrictEqual(valuesIn(trial), wanted)) {
        least = trial;
        break;
      }
    }
  }
  return least;
}

function valuesIn(rewrites: readonly Rewrite[]): unknown {
  const texts = rewrites.flatMap(({ text }) => (text === null ? [] : [text]));
  const read = readYaml(texts.join('\n'));
  return read.kind === 'map' ? read.entries.map(({ key, value }) => [key, value]) : null;
}

function changeIn({ line, text }: Rewrite): Fixed[] {
  if (text === null || text === line.text) return [];
  const key = /^[^:]*/.exec(text)?.[0].trim() ?? '';
  const isIndent = text.trim() === line.text.trim();
  const message = isIndent ? 'removed a tab' : `quoted the value of ${key}`;
  return [{ code: 'rule-yaml', line: line.number, message }];
}

/** Tells whether only the author knows the meaning: two versions of one text, or a tab that may be an indent. */
function isUnclear(yaml: readonly Line[]): boolean {
  const texts = yaml.map((line) => line.text).filter((text) => !/^\s*(?:#|$)/.test(text));
  return texts.some((text, index) => {
    const isAfterNested = /^(?: |\t\t)|:\s*$/.test(texts[index - 1] ?? '');
    return /^(?:<{7}|={7}|>{7})/.test(text) || (text.startsWith('\t') && isAfterNested);
  });
}

/** A fault that was fixed: a diagnostic of something that is gone. */
interface Fixed {
  /** The rule that was broken. */
  readonly code: DiagnosticCode;
  /** Line number in the file as it was. */
  readonly line: number;
  readonly message: string;
}

interface Repaired {
  readonly head: Head;
  readonly fixed: readonly Fixed[];
}

/** Changes a head, or finds nothing to do. Whether the change may stay is decided elsewhere. */
type Repair = (head: Head) => Repaired | null;
