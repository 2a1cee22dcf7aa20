import { SkillError } from '../../core/errors.ts';
import { type Field, type Fields, optionName } from '../../core/schema/fields.ts';

/** An option as the command line knows it: its dashed name, and the key its value goes to. */
export interface Option {
  readonly name: string;
  readonly key: string;
  readonly field: Field;
}

export function optionsOf(fields: Fields): Option[] {
  return Object.entries(fields)
    .filter(([, field]) => field.positional === undefined)
    .map(([key, field]) => ({ name: optionName(key), key, field }));
}

export function positionalsOf(fields: Fields): [string, Field][] {
  return Object.entries(fields).filter(([, field]) => field.positional === true);
}

/** The arguments before `--`: nothing after it is ever an option. */
export function beforeDashes(argv: readonly string[]): readonly string[] {
  const dashes = argv.indexOf('--');
  return dashes === -1 ? argv : argv.slice(0, dashes);
}

export type Values = Record<string, string | number | boolean | readonly string[] | undefined>;

/** Reads arguments by the given options; the remaining positional arguments go to the positional fields. */
export function parseArguments(argv: readonly string[], options: readonly Option[], fields: Fields): Values {
  const values: Values = {};
  const places: string[] = [];
  const rest = [...argv];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--') {
      places.push(...rest.splice(0));
    } else if (argument === '-' || !argument.startsWith('-')) {
      places.push(argument);
    } else {
      const [name, inline] = splitOnce(argument);
      const option = optionNamed(name, options);
      if (option === undefined) throw unknownOption(name, options);
      take(option, inline, rest, values);
    }
  }
  placePositionals(places, fields, values);
  return withDefaults(values, [
    ...options,
    ...positionalsOf(fields).map(([key, field]) => ({ name: key, key, field })),
  ]);
}

/** The option that a word with dashes names. */
export function optionNamed(word: string, options: readonly Option[]): Option | undefined {
  return options.find(
    ({ name, field }) => word === `--${name}` || (field.short !== undefined && word === `-${field.short}`),
  );
}

/** Whether a word looks like an option but is not one of these. */
export function isStrange(word: string, options: readonly Option[]): boolean {
  return /^--?[a-z]/i.test(word) && optionNamed(splitOnce(word)[0], options) === undefined;
}

export function splitOnce(argument: string): [string, string | undefined] {
  const equals = argument.indexOf('=');
  return equals === -1 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}

function take({ name, key, field }: Option, inline: string | undefined, rest: string[], values: Values): void {
  if (field.kind === 'switch') {
    if (inline !== undefined) throw new SkillError('usage', `--${name} takes no value`);
    values[key] = true;
    return;
  }
  const text = inline ?? rest.shift();
  if (text === undefined || text === '' || (inline === undefined && /^--?[a-z]/i.test(text))) {
    const wanted =
      field.kind === 'choice' ? `one of ${field.choices?.join(', ')}` : `--${name} ${field.value ?? 'VALUE'}`;
    throw new SkillError('usage', `--${name} needs a value: ${wanted}`);
  }
  if (field.kind === 'list') values[key] = [...((values[key] as string[] | undefined) ?? []), text];
  else values[key] = readValue(text, field, `--${name}`);
}

function readValue(text: string, field: Field, label: string): string | number {
  if (field.kind === 'choice' && !field.choices?.includes(text)) {
    const [only, ...others] = field.choices ?? [];
    const wanted = others.length === 0 ? `expected ${only}` : `${label} must be one of ${field.choices?.join(', ')}`;
    throw new SkillError('usage', `${wanted}, not '${text}'`);
  }
  if (field.kind !== 'integer') return text;
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = field;
  if (number >= min && number <= max) return number;
  throw new SkillError('usage', `${label} must be a whole number from ${min} to ${max}, not '${text}'`);
}

function placePositionals(places: string[], fields: Fields, values: Values): void {
  for (const [key, field] of positionalsOf(fields)) {
    if (field.kind === 'list') values[key] = places.splice(0);
    else {
      const text = places.shift();
      if (text !== undefined) values[key] = readValue(text, field, label(key, field));
    }
    const got = values[key];
    if (field.required && (got === undefined || (Array.isArray(got) && got.length === 0))) {
      throw new SkillError('usage', `missing argument: ${label(key, field)}`);
    }
  }
  if (places.length > 0) throw new SkillError('usage', `unexpected argument '${places[0]}'`);
}

function label(key: string, field: Field): string {
  return field.value ?? key.toUpperCase();
}

function withDefaults(values: Values, options: readonly Option[]): Values {
  for (const { key, field } of options) {
    if (values[key] !== undefined) continue;
    if (field.default !== undefined) values[key] = field.default;
    else if (field.kind === 'list') values[key] = [];
    else if (field.kind === 'switch') values[key] = false;
  }
  return values;
}

function unknownOption(name: string, options: readonly Option[]): SkillError {
  return new SkillError('usage', `unknown option ${name}`, {
    suggestions: options.map((option) => `--${option.name}`),
  });
}
