import { type Head, type Line, yamlOf } from '../head.ts';
import { type Field, readStrictly } from '../rules/strict.ts';
import { hasCommas, spaceSeparated, toolsOf } from '../rules/tools.ts';
import { readYaml } from '../yaml.ts';
import { quoteValues } from './quotes.ts';
import type { Fixed, Repair, Repaired } from './types.ts';

/** In this order: fields can be mended once it is clear where they end. Lines above them move last. */
export const repairs: readonly Repair[] = [
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

/** Blank lines go; comments become comments of the front matter. */
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

/** Puts a text in the place of a field's value, unless a comment stands between that would be lost. */
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
