import { SkillError } from '../../../core/errors.ts';
import type { Kind, Node, ObjectSchema } from '../../../core/schema/schema.ts';
import { type Issue, read } from '../../../core/schema/schema-reader.ts';
import { oneLine } from '../../../core/text/text.ts';

/** Checks the arguments of a call by the schema that the tool is listed with. */
export function checkArguments(schema: ObjectSchema, given: unknown): Readonly<Record<string, unknown>> {
  const reading = read(schema, given);
  if (reading.ok) return reading.value;
  const first = (kind: Issue['kind']): Issue | undefined => reading.issues.find((issue) => issue.kind === kind);
  throw new SkillError('usage', inWords(first('missing') ?? first('unknown') ?? reading.issues[0], schema));
}

function inWords({ kind, path, expected, found, message }: Issue, { fields }: ObjectSchema): string {
  const [name] = path;
  if (name === undefined) return 'arguments must be an object';
  if (kind === 'missing') return `\`${name}\` is required`;
  if (kind === 'unknown') return `unknown argument \`${oneLine(String(name)).slice(0, 60)}\`; known: ${expected}`;
  const field = fields[name] as Node;
  if (!isOfType(field.kind, found)) return `\`${name}\` must be ${types[field.kind]}`;
  if (field.kind === 'integer' || field.kind === 'number')
    return `\`${name}\` must be ${range(field)}, not ${String(found)}`;
  return `\`${name}\` ${field.kind === 'choice' ? `must be ${expected}` : message}`;
}

/** Type names of JSON Schema by kind, since that is what a client was given. */
const types: Partial<Readonly<Record<Kind, string>>> = {
  text: 'a string',
  choice: 'a string',
  flag: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  map: 'an object',
};

function isOfType(kind: Kind, value: unknown): boolean {
  if (kind === 'integer') return Number.isSafeInteger(value);
  if (kind === 'number') return Number.isFinite(value);
  return (kind === 'text' || kind === 'choice') && typeof value === 'string';
}

function range({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (max === undefined) return `at least ${min}`;
  return min === undefined ? `at most ${max}` : `from ${min} to ${max}`;
}
