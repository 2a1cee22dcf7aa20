import type { Origin } from '../../../core/config/layers.ts';
import { fileKey, type SettingName, settingNames, settings } from '../../../core/config/settings.ts';
import { settingFor } from '../../../core/config/values.ts';
import { list, text } from '../../../core/schema/schema.ts';
import { defineOperation } from '../../operation.ts';

export interface ConfigOutput {
  readonly settings: readonly {
    readonly name: SettingName;
    readonly value: unknown;
    readonly from: Origin['from'];
    /** Option, variable or file that set the value. */
    readonly where: string | null;
    readonly option: string | null;
    readonly variable: string;
    readonly fileKey: string;
  }[];
  /** Configuration files that are looked for, strongest first. */
  readonly files: readonly { readonly path: string; readonly exists: boolean }[];
}

export const config = defineOperation({
  name: 'config',
  effect: 'reads',
  input: { keys: list(text(), 'Only these settings, as they are called in a file.', { default: [] }) },
  async run({ configuration }, { keys }): Promise<ConfigOutput> {
    const names = keys.map((key) => settingFor(key.replaceAll('-', '_'), 'user', 'repertoire config'));
    return {
      settings: (keys.length === 0 ? settingNames : names).map((name) => {
        const { option, variable } = settings[name];
        const { from, where } = configuration.origins[name];
        return {
          name,
          value: shown(name, configuration.values[name]),
          from,
          where: where === '' ? null : where,
          option: option === null ? null : `--${option}`,
          variable,
          fileKey: fileKey(name),
        };
      }),
      files: configuration.files,
    };
  },
});

function shown(name: SettingName, value: unknown): unknown {
  return settings[name].isSecret && value !== undefined ? '(secret)' : (value ?? null);
}
