import type { Diagnostic } from '../diagnostics.ts';
import { SkillError } from '../errors.ts';
import { type SettingName, type Settings, settingNames, settings } from './settings.ts';

/** Who set a value. */
export interface Origin {
  readonly from: 'option' | 'environment' | 'project file' | 'user file' | 'default';
  /** The option, variable or file. */
  readonly where: string;
}

export interface Configuration {
  readonly values: Settings;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** The files that were looked for, strongest first. */
  readonly files: readonly { readonly path: string; readonly exists: boolean }[];
  /** What is wrong with files that were left out. */
  readonly problems: readonly Diagnostic[];
}

export type Given = { readonly [K in SettingName]?: Settings[K] | undefined };

/** Who may set something, and what was set. */
export interface Layer {
  readonly from: Origin['from'];
  readonly values: Given;
  readonly where: (name: SettingName) => string;
}

/** Each setting as the strongest layer that speaks of it has it. */
export function settle(layers: readonly Layer[]): Pick<Configuration, 'values' | 'origins'> {
  const values: Record<string, unknown> = {};
  const origins = {} as Record<SettingName, Origin>;
  for (const name of settingNames) {
    const layer = layers.find((one) => one.values[name] !== undefined);
    values[name] = layer === undefined ? settings[name].schema.default : layer.values[name];
    origins[name] =
      layer === undefined ? { from: 'default', where: '' } : { from: layer.from, where: layer.where(name) };
  }
  return { values: values as unknown as Settings, origins };
}

/** `a,b` is two tokens; blanks around them do not count. A list without any is a slip, and not "everything". */
export function splitTokens(text: string, place: string): string[] {
  const tokens = text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  if (tokens.length === 0) throw new SkillError('usage', `${place} is empty: '${text}'`);
  return tokens;
}
