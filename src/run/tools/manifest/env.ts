import { isObject } from '../../../core/formats/documents.ts';
import { type Parsed, parsed, problem, shown } from '../../../core/schema/parsed.ts';
import { parseEnvName } from '../../policy/names.ts';
import { type Place, refuse, taken, within } from './findings.ts';
import { type Reader, texts } from './readers.ts';

export type Env = Readonly<Record<string, string>>;

const most = 200;

/** A table of plain values for the environment. Nothing is taken from the environment of this process. */
export const envTable: Reader<Env> = (place) => {
  const { value } = place;
  if (!isObject(value)) {
    return refuse(place, { message: `must be a table, not ${shown(value)}`, remedy: 'Write it as NAME = "value".' });
  }
  const names = Object.keys(value);
  if (names.length > most) return refuse(place, { message: `more than ${most} variables`, remedy: 'Use fewer.' });
  return entriesOf(names.map((name) => [within(place, name), name, value[name]]));
};

/** A list of values for the environment, as containers have it: `["NAME=value"]`. */
export const envList: Reader<Env> = (place) => {
  if (isObject(place.value)) return envTable(place);
  const list = texts(place);
  if (list === undefined) return undefined;
  return entriesOf(
    list.map((item, index) => {
      const at = item.indexOf('=');
      const value = at === -1 ? undefined : item.slice(at + 1);
      return [within(place, index), at === -1 ? item : item.slice(0, at), value];
    }),
  );
};

function entriesOf(entries: readonly (readonly [Place, string, unknown])[]): Env {
  const env = entries.flatMap(([place, name, value]) => {
    const known = taken(place, parseEnvName(name));
    const set = known === undefined ? undefined : taken(place, plainValue(value, place.findings.isLenient));
    return known === undefined || set === undefined ? [] : [[known, set] as const];
  });
  return Object.fromEntries(env);
}

function plainValue(value: unknown, isLenient: boolean): Parsed<string> {
  if (value === undefined) {
    return problem('no value', 'Write NAME=value; a variable of the host is asked for in [capabilities] env.');
  }
  if (typeof value === 'number' || typeof value === 'boolean') return parsed(String(value));
  if (typeof value !== 'string') return problem(`${shown(value)} is not a plain value`, 'Write a quoted string.');
  if (value.includes('\0')) return problem('a NUL character', 'Remove it.');
  if (!isLenient && /\$\{[^}]*\}/.test(value)) {
    const remedy = 'Write the value itself, or name the variable in [capabilities] env, where it must be granted.';
    return problem('variables of the host are not filled in', remedy);
  }
  return value.length > 32_768 ? problem('longer than 32,768 characters', 'Put it into a file.') : parsed(value);
}
