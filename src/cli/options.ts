import { commandSettings, settings } from '../config/settings.ts';
import type { Field } from '../kernel/fields.ts';
import { type Option, optionsOf } from './args.ts';
import type { Command } from './command.ts';

/** Options that every command takes. */
export const commonFields = {
  json: { kind: 'switch', description: 'Print the result as JSON.' },
  verbose: { kind: 'switch', short: 'v', description: 'Print every diagnostic to stderr.' },
  noColor: { kind: 'switch', description: 'Print without colours (NO_COLOR does the same).' },
  help: { kind: 'switch', short: 'h', description: 'Show this help.' },
} as const satisfies Record<string, Field>;

/** The settings as options. */
export const settingOptions: readonly Option[] = commandSettings.map((name) => ({
  name: settings[name].option,
  key: name,
  field: settings[name].field,
}));

/** Every option of one command. */
export function optionsFor({ operation, printOptions = {} }: Command): readonly Option[] {
  return [...optionsOf(operation.fields), ...optionsOf(printOptions), ...optionsOf(commonFields), ...settingOptions];
}
