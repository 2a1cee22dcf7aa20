import {
  commonSettings,
  noteSettings,
  runSettings,
  type Setting,
  type SettingName,
  searchSettings,
  serverSettings,
  settings,
} from '../../core/config/settings.ts';
import type { Field, Fields } from '../../core/schema/fields.ts';
import type { Node } from '../../core/schema/schema.ts';
import { type Option, optionsOf } from './args.ts';
import { type AnyCommand, isServer } from './command.ts';

const kinds: Readonly<Record<string, Field['kind']>> = {
  flag: 'switch',
  list: 'list',
  integer: 'integer',
  choice: 'choice',
};

/** Options that every command takes. */
export const commonFields = {
  json: { kind: 'switch', description: 'Print the result as JSON.' },
  verbose: { kind: 'switch', short: 'v', description: 'Print every diagnostic to stderr.' },
  color: { kind: 'switch', description: 'Print with colours, even where the output is not a terminal.' },
  noColor: { kind: 'switch', description: 'Print without colours (NO_COLOR does the same).' },
  help: { kind: 'switch', short: 'h', description: 'Show this help.' },
} as const satisfies Record<string, Field>;

/**
 * Options that every server takes instead of the common ones: its output goes to its clients, and its notes to the log.
 */
const serverFields = { color: commonFields.color, noColor: commonFields.noColor, help: commonFields.help } as const;

/** Converts settings to options. */
function optionsFrom(names: readonly SettingName[]): readonly Option[] {
  return names.flatMap((key) => {
    const { option } = settings[key];
    return option === null ? [] : [{ name: option, key, field: settingField(settings[key]) }];
  });
}

/** The field of a setting's option. It has no default: other sources of the setting come before that. */
function settingField({ schema, value, completes }: Setting): Field {
  const { default: _, ...field } = fieldFrom(schema);
  return { ...field, ...(value !== undefined && { value }), ...(completes !== undefined && { completes }) };
}

/** Options that select which skills are seen. */
export const settingOptions = optionsFrom(commonSettings);
/** Options of the search. */
export const searchOptions = optionsFrom(searchSettings);
/** Options of what is recorded. */
export const noteOptions = optionsFrom(noteSettings);
/** Options for running tools. */
export const runOptions = optionsFrom(runSettings);
/** Options of a server. */
export const serverOptions = optionsFrom(serverSettings);

export const allSettingOptions = [...settingOptions, ...searchOptions, ...noteOptions, ...runOptions, ...serverOptions];

/** Every option of one command. */
export function optionsFor(command: AnyCommand): readonly Option[] {
  return [
    ...ownOptionsOf(command),
    ...(isServer(command) ? serverOptions : []),
    ...(isServer(command) || command.runsTools === true ? runOptions : []),
    ...settingOptions,
    ...searchOptions,
    ...noteOptions,
  ];
}

/** The fields of a command, as they are written at a terminal. */
export function fieldsOf(command: AnyCommand): Fields {
  if (isServer(command)) return command.fields;
  const { operation, spelling = {}, instead = {} } = command;
  const made = Object.entries(operation.input).map(([key, schema]) => [
    key,
    { ...fieldFrom(schema), ...spelling[key], ...instead[key] },
  ]);
  return Object.fromEntries(made) as Fields;
}

function fieldFrom(schema: Node): Field {
  const { kind, description = '', default: fallback, optional } = schema;
  const isShown = typeof fallback === 'string' || typeof fallback === 'number';
  return {
    kind: kinds[kind] ?? 'text',
    description,
    ...(kind === 'choice' && { choices: schema.choices }),
    ...(kind === 'integer' && {
      ...(schema.min !== undefined && { min: schema.min }),
      ...(schema.max !== undefined && { max: schema.max }),
    }),
    ...(isShown && { default: fallback }),
    ...(!optional && fallback === undefined && { required: true }),
  };
}

/** Options of a command that are not settings. */
export function ownOptionsOf(command: AnyCommand): readonly Option[] {
  if (isServer(command)) return [...optionsOf(command.fields), ...optionsOf(serverFields)];
  return [...optionsOf(fieldsOf(command)), ...optionsOf(command.printOptions ?? {}), ...optionsOf(commonFields)];
}
