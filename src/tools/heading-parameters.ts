import { cut } from '../kernel/text.ts';
import type { Json } from '../skill/types.ts';
import { coerceParameters } from './coerce.ts';
import { noParameters } from './schema-parts.ts';
import type { JsonSchema } from './types.ts';

const most = 100;
const opening = /^\s*\*\*Parameters?\b[^:]*:/i;
const item =
  /^\s*[-*+]\s+(?:`([^`]+)`|\*\*`?([^*`]+?)`?\*\*|([\w-]+)(?=\s*[(:]))\s*(?:\(([^()]*)\))?\s*[:–—-]*\s*(.*)$/;

/** Types by the words people use for them; only the note in brackets is looked at, for a text may speak of anything. */
const typeWords: readonly (readonly [RegExp, string])[] = [
  [/\b(?:integer|int)\b/i, 'integer'],
  [/\b(?:number|float|double)\b/i, 'number'],
  [/\b(?:boolean|bool|flag)\b/i, 'boolean'],
  [/\b(?:array|list)\b|\[\]/i, 'array'],
  [/\b(?:object|json)\b/i, 'object'],
];

/** The parameters that a text lists after `**Parameters:**`; null where it does not. */
export function parametersFrom(lines: readonly string[]): JsonSchema | null {
  const start = lines.findIndex((line) => opening.test(line));
  if (start === -1) return null;
  const found: { name: string; schema: JsonSchema; isRequired: boolean }[] = [];
  for (const line of lines.slice(start + 1)) {
    const read = parameterFrom(line);
    if (read !== null && found.length < most) found.push(read);
    else if (line.trim() !== '' && !/^\s{2,}\S/.test(line)) break;
  }
  const required = found.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = Object.fromEntries(found.map(({ name, schema }) => [name, schema]));
  return { ...noParameters, properties, ...(required.length > 0 ? { required } : {}) };
}

/** `` - `count` (optional, integer, default: 5): How many. `` */
function parameterFrom(line: string): { name: string; schema: JsonSchema; isRequired: boolean } | null {
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
