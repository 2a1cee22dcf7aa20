import { SkillError } from '../core/errors.ts';
import { type Fields, object, type ValuesOf } from '../core/schema/schema.ts';
import { type Issue, pathText, read } from '../core/schema/schema-reader.ts';
import { type Request, spelled } from './engine.ts';

/** Reads the values of the given fields; anything that does not fit them is an error that says so. */
export function readInput<F extends Fields>(fields: F, given: unknown, request: Request): ValuesOf<F> {
  const reading = read(object(fields), given, request.form, 1);
  if (reading.ok) return reading.value;
  throw refusal(reading.issues[0], fields, request);
}

function refusal({ kind, path, expected, message, remedy }: Issue, fields: Fields, request: Request): SkillError {
  const [field = '', ...rest] = path.map(String);
  if (kind === 'unknown' && rest.length === 0) {
    const hint = `Known parameters: ${expected}.`;
    return new SkillError('usage', `unknown parameter '${field.slice(0, 100)}'`, { hint });
  }
  const name = spelled(request, pathText(path));
  const hint = remedy ?? fields[field]?.description;
  return new SkillError('usage', `${name} ${message}`, { ...(hint !== undefined && { hint }) });
}
