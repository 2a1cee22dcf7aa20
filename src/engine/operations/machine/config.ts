import type { Json } from '../../../agents/setup/edit/values.ts';
import type { Origin } from '../../../core/config/layers.ts';
import { fileKey, type SettingName, settingNames, settings } from '../../../core/config/settings.ts';
import { settingFor } from '../../../core/config/values.ts';
import { SkillError } from '../../../core/errors.ts';
import { flag, type Infer, list, object, text } from '../../../core/schema/schema.ts';
import { read } from '../../../core/schema/schema-reader.ts';
import { defineOperation } from '../../operation.ts';
import { openSettings, pathFor } from '../../settings-file.ts';

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

const configureOutput = object({
  key: text(),
  file: text('The file that has the setting.'),
  changed: flag('Whether it had to be changed.'),
});
type ConfigureOutput = Infer<typeof configureOutput>;

/** Writes a setting to the user's file, or to the project's. */
export const configure = defineOperation({
  name: 'configure',
  effect: 'acts',
  concernsSkills: false,
  input: {
    key: text('The setting, as it is called in a file: repertoire config lists them.'),
    value: list(text(), 'Its value; several for a list. Without any, the setting is removed.', { default: [] }),
    project: flag("Write the project's repertoire.toml instead of your own file.", { default: false }),
  },
  output: configureOutput,
  async run(engine, { key: typed, value, project }): Promise<ConfigureOutput> {
    const key = typed.replaceAll('-', '_');
    const file = openSettings(engine, project ? 'project' : 'user');
    const name = settingFor(key, file.owner, file.path);
    const given = value.map((one) => pathFor(file, name, one, engine.environment.cwd));
    const changed = file.set(key, given.length === 0 ? undefined : valueFrom(name, given));
    return { key, file: file.path, changed };
  },
});

/** Converts typed words to the kind of value that a setting has. */
function valueFrom(name: SettingName, words: readonly string[]): Json {
  const { schema } = settings[name];
  if (schema.kind === 'list') return words;
  const [word = '', ...more] = words;
  if (more.length > 0) throw new SkillError('usage', `${fileKey(name)} has one value, not ${words.length}`);
  const reading = read(schema, word, 'words', 1);
  return reading.ok ? (reading.value as Json) : word; // its problems are reported when it is written
}
