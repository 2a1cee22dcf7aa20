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
import type { Field, Fields } from '../../core/fields.ts';
import type { Node } from '../../core/schema.ts';
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
  noColor: { kind: 'switch', description: 'Print without colours (NO_COLOR does the same).' },
  help: { kind: 'switch', short: 'h', description: 'Show this help.' },
} as const satisfies Record<string, Field>;

/** Options that every server takes, in place of those: what it says goes to its clients, and its notes to the log. */
const serverFields = { noColor: commonFields.noColor, help: commonFields.help } as const;

/** Settings as options. */
function optionsFrom(names: readonly SettingName[]): readonly Option[] {
  return names.flatMap((key) => {
    const { option } = settings[key];
    return option === null ? [] : [{ name: option, key, field: settingField(settings[key]) }];
  });
}

/** A setting's default is not that of its option, which other places come before. */
function settingField({ schema, value, completes }: Setting): Field {
  const { default: _, ...field } = fieldFrom(schema);
  return { ...field, ...(value !== undefined && { value }), ...(completes !== undefined && { completes }) };
}

/** Which skills are seen. */
export const settingOptions = optionsFrom(commonSettings);
/** How they are searched. */
export const searchOptions = optionsFrom(searchSettings);
/** What is written down of it. */
export const noteOptions = optionsFrom(noteSettings);
/** How their tools are run. */
export const runOptions = optionsFrom(runSettings);
/** How a server serves them. */
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

/** What a command takes, as it is written at a terminal. */
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

/** Those that are not settings. */
export function ownOptionsOf(command: AnyCommand): readonly Option[] {
  if (isServer(command)) return [...optionsOf(command.fields), ...optionsOf(serverFields)];
  return [...optionsOf(fieldsOf(command)), ...optionsOf(command.printOptions ?? {}), ...optionsOf(commonFields)];
}
