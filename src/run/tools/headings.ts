import { cut } from '../../core/text/text.ts';
import { splitFences } from '../../skill/fences.ts';
import type { Json } from '../../skill/types.ts';
import { coerceParameters } from './parameters/coerce.ts';
import { noParameters } from './parameters/schema-parts.ts';
import type { JsonSchema } from './types.ts';

/** A tool that the text of a SKILL.md declares under a heading. */
export interface HeadingTool {
  readonly name: string;
  readonly description: string;
  /** The schema of its parameters; null where the text lists none. */
  readonly parameters: JsonSchema | null;
  /** The line of the heading in the file. */
  readonly line: number;
}

interface Section {
  readonly level: number;
  readonly title: string;
  readonly line: number;
  readonly lines: string[];
}

const most = 200;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Headings inside a tool that name a part of it, and no tool. */
const partNames =
  /^(?:parameters?|arguments?|args|options?|examples?|usage|returns?|outputs?|notes?|inputs?|configuration)$/i;

/**
 * The tools under a heading of the second level that speaks of tools: each heading of the third level is one, unless
 * headings of the fourth level follow: then these are, and the third names a group of them.
 */
export function headingTools(text: string): readonly HeadingTool[] {
  if (!mayDescribeTools(text)) return [];
  const split = splitFences(text);
  const whole = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const body = split.kind === 'found' ? split.body : whole;
  const before = whole.slice(0, whole.length - body.length).split('\n').length;
  const sections = sectionsIn(linesIn(body, before));
  return sections
    .filter((section, index) => isTool(section, sections[index + 1]))
    .flatMap(toolFrom)
    .slice(0, most);
}

/** A line of the text: a heading of some level, or a text of none. */
interface Line {
  readonly level: number;
  readonly text: string;
  readonly number: number;
}

/** Characters of the longest heading: nobody writes a longer one, and searching a longer line takes more time. */
const longest = 1000;

/** All lines that are not fenced: what stands in a fence is an example, whatever it looks like. */
function linesIn(body: string, firstLine: number): readonly Line[] {
  const lines: Line[] = [];
  let open: string | null = null;
  for (const [index, line] of body.split('\n').entries()) {
    const before: string | null = open;
    const text = line.slice(0, longest);
    open = fenceAfter(open, text);
    if (before !== null || open !== null) continue;
    const [, marks = '', title = text] = heading.exec(text) ?? [];
    lines.push({ level: marks.length, text: title, number: firstLine + index });
  }
  return lines;
}

/** The sections of the third and fourth level below what speaks of tools. */
function sectionsIn(lines: readonly Line[]): readonly Section[] {
  const sections: Section[] = [];
  let isInside = false;
  for (const [at, { level, text, number }] of lines.entries()) {
    const isTop = level === 1 || level === 2;
    if (isTop) isInside = level === 2 && /tools/i.test(text);
    if (isTop || (isInside && isSection(lines, at))) sections.push({ level, title: text, line: number, lines: [] });
    else if (isInside) sections.at(-1)?.lines.push(text);
  }
  return sections;
}

function isSection(lines: readonly Line[], at: number): boolean {
  const { level, text } = lines[at] as Line;
  return (
    level === 3 || (level === 4 && (!partNames.test(text.replace(/[*`:]/g, '').trim()) || hasParameters(lines, at)))
  );
}

/** Lines after a heading in which its parameters begin, if it is a tool that has some. */
const mostBefore = 20;

/** Tells whether a heading is followed by parameters: a tool may be called `output`, and has them; a part has none. */
function hasParameters(lines: readonly Line[], at: number): boolean {
  const after = lines.slice(at + 1, at + 1 + mostBefore);
  const end = after.findIndex(({ level }) => level > 0);
  return after.slice(0, end === -1 ? undefined : end).some(({ text }) => opening.test(text));
}

/** The fence that is open after a line, given the one that was before. */
function fenceAfter(open: string | null, line: string): string | null {
  const [, marks = '', rest = ''] = fence.exec(line) ?? [];
  if (open === null) return marks === '' ? null : marks;
  return marks.startsWith(open) && rest.trim() === '' ? null : open;
}

function isTool({ level }: Section, next: Section | undefined): boolean {
  return level === 4 || (level === 3 && next?.level !== 4);
}

const listedTool = /^\s*[-*+]\s+`([\w.-]+)`\s*[-–—:]\s*(.*)$/;

function toolFrom({ title, line, lines }: Section): HeadingTool[] {
  const name = nameFrom(title);
  if (name === null) {
    // A group of tools, such as `### Query Tools`, may list them instead of describing each.
    const listed = /\btools\b/i.test(title) ? lines.map((one) => listedTool.exec(one)) : [];
    return listed.flatMap((found) => {
      const [, tool = '', description = ''] = found ?? [];
      return isToolName.test(tool) ? [{ name: tool, description: cut(description, 1024), parameters: null, line }] : [];
    });
  }
  const parameters = parametersFrom(lines);
  if (parameters === null && partNames.test(name)) return [];
  return [{ name, description: descriptionIn(lines), parameters, line }];
}

/** The name in a title: `` `get` ``, `get: fetches`, `get(resource)`. Several words are prose, and name no tool. */
function nameFrom(title: string): string | null {
  const bare = title
    .replace(/^\d+[.)]\s+/, '')
    .replace(/\*\*/g, '')
    .trim();
  const [, quoted, plain] = /^(?:`([\w.-]+)[^`]*`|([\w.-]+)(?=$|\s*[:(–—]|\s+-\s))/.exec(bare) ?? [];
  const name = quoted ?? plain ?? '';
  return isToolName.test(name) ? name : null;
}

const isToolName = /^[\p{L}_][\w.-]{0,63}$/u;

/** The first paragraph that is a text. */
function descriptionIn(lines: readonly string[]): string {
  const isText = (line: string): boolean =>
    line.trim() !== '' && !/^\s*(?:[-*+]\s|\||>|\*\*[^*]+:?\*\*:?\s*$|\*\*Parameters)/.test(line);
  const start = lines.findIndex((line) => line.trim() !== '');
  if (start === -1 || !isText(lines[start] ?? '')) return '';
  const end = lines.findIndex((line, index) => index > start && !isText(line));
  return cut(lines.slice(start, end === -1 ? undefined : end).join(' '), 1024);
}

const mostParameters = 100;
const opening = /^\s*\*\*Parameters?\b[^:]*:/i;
const item =
  /^\s*[-*+]\s+(?:`([^`]+)`|\*\*`?([^*`]+?)`?\*\*|([\w-]+)(?=\s*[(:]))\s*(?:\(([^()]*)\))?\s*[:–—-]*\s*(.*)$/;

/** Types by the words people use for them; only the note in brackets is searched, for a text may speak of anything. */
const typeWords: readonly (readonly [RegExp, string])[] = [
  [/\b(?:integer|int)\b/i, 'integer'],
  [/\b(?:number|float|double)\b/i, 'number'],
  [/\b(?:boolean|bool|flag)\b/i, 'boolean'],
  [/\b(?:array|list)\b|\[\]/i, 'array'],
  [/\b(?:object|json)\b/i, 'object'],
];

interface Parameter {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** The parameters that a text lists after `**Parameters:**`, or in a table of them; null where it does neither. */
function parametersFrom(lines: readonly string[]): JsonSchema | null {
  const start = lines.findIndex((line) => opening.test(line));
  const listed = start === -1 ? null : listedFrom(lines, start);
  const found = listed === null || listed.length === 0 ? (tableFrom(lines) ?? listed) : listed;
  if (found === null) return null;
  const required = found.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = Object.fromEntries(found.map(({ name, schema }) => [name, schema]));
  return { ...noParameters, properties, ...(required.length > 0 ? { required } : {}) };
}

function listedFrom(lines: readonly string[], start: number): readonly Parameter[] {
  const found: Parameter[] = [];
  for (const line of lines.slice(start + 1)) {
    const read = parameterFrom(line);
    if (read !== null && found.length < mostParameters) found.push(read);
    else if (line.trim() !== '' && !/^\s{2,}\S/.test(line)) break;
  }
  return found;
}

/** The parameters in a table whose first column has their names, and others their types or whether they are required. */
function tableFrom(lines: readonly string[]): readonly Parameter[] | null {
  const start = lines.findIndex(
    (line) => /^\s*\|\s*(?:parameters?|arguments?)\s*\|/i.test(line) && /\|\s*(?:type|required)\s*\|/i.test(line),
  );
  if (start === -1) return null;
  const columns = cellsIn(lines[start] ?? '').map((title) => title.toLowerCase());
  const found: Parameter[] = [];
  for (const line of lines.slice(start + 1)) {
    if (!/^\s*\|/.test(line) || found.length >= mostParameters) break;
    const cells = cellsIn(line);
    const cell = (title: string): string => unquoted(cells[columns.indexOf(title)] ?? '');
    const fallback = /^[-–—]?$/.test(cell('default')) ? '' : `, default: ${cell('default')}`;
    const isRequired = /^(?:yes|true|required|✓|✅|✔)/i.test(cell('required'));
    const note = `${isRequired ? 'required' : 'optional'}, ${cell('type')}${fallback}`;
    // One row says what an item of a list says.
    const read = parameterFrom(
      `- \`${unquoted(cells[0] ?? '')}\` (${note.replace(/[()]/g, '')}): ${cell('description')}`,
    );
    if (read !== null) found.push(read);
  }
  return found;
}

function cellsIn(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Reads a parameter from a line such as `` - `count` (optional, integer, default: 5): How many. `` */
function parameterFrom(line: string): Parameter | null {
  const [, quoted, bold, plain, bracketed, rest = ''] = item.exec(line) ?? [];
  const name = (quoted ?? bold ?? plain ?? '').replace(/^-+/, '').replace(/:$/, '').trim();
  if (!/^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u.test(name) || name === '__proto__') return null;
  const note = bracketed ?? '';
  const type = typeWords.find(([word]) => word.test(note.replace(/(?:default|enum)\s*:.*/i, '')))?.[1] ?? 'string';
  const base: JsonSchema = { type, ...(rest === '' ? {} : { description: cut(rest, 500) }) };
  const said = note === '' ? rest : note;
  const isRequired = /\brequired\b/i.test(said) && !/\bnot required\b/i.test(said);
  return { name, schema: { ...base, ...choicesIn(note, base), ...fallbackIn(note, base) }, isRequired };
}

function choicesIn(note: string, base: JsonSchema): { readonly enum?: Json } {
  const listed = /\b(?:enum|one of)\s*:?\s*([^,]+)/i.exec(note)?.[1] ?? '';
  const choices = listed
    .split(/[|/]/)
    .map(unquoted)
    .filter((choice) => choice !== '');
  return choices.length < 2 ? {} : { enum: choices.map((choice) => typed(base, choice)) };
}

function fallbackIn(note: string, base: JsonSchema): { readonly default?: Json } {
  const said = /\bdefaults?(?:\s+to)?\s*[:=]?\s*([^,]+)/i.exec(note)?.[1];
  if (said === undefined || /^(?:none|null|-)$/i.test(said.trim())) return {};
  const value = typed(base, unquoted(said));
  return typeof value === 'string' && base['type'] !== 'string' ? {} : { default: value };
}

function unquoted(text: string): string {
  return text.trim().replace(/^[`"']+|[`"']+$/g, '');
}

function typed(schema: JsonSchema, text: string): Json {
  return coerceParameters({ properties: { value: schema } }, [['value', text]])['value'] ?? text;
}

/** Tells, without reading further, whether a text may have a heading below which tools are described. */
export function mayDescribeTools(text: string): boolean {
  return /^ {0,3}##[ \t].*tools/im.test(text);
}
