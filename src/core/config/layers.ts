import type { Diagnostic } from '../diagnostics.ts';
import { SkillError } from '../errors.ts';
import { type SettingName, type Settings, settingNames, settings } from './settings.ts';

/** The origin of a value. */
export interface Origin {
  readonly from: 'option' | 'environment' | 'project file' | 'user file' | 'default';
  /** The option, variable or file that set it. */
  readonly where: string;
}

export interface Configuration {
  readonly values: Settings;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** The files that were looked for, strongest first. */
  readonly files: readonly { readonly path: string; readonly exists: boolean }[];
  /** Problems with files that were left out. */
  readonly problems: readonly Diagnostic[];
}

export type Given = { readonly [K in SettingName]?: Settings[K] | undefined };

/** One source of settings, and what it set. */
export interface Layer {
  readonly from: Origin['from'];
  readonly values: Given;
  readonly where: (name: SettingName) => string;
}

/** Settles each setting by the strongest layer that sets it. */
export function settle(layers: readonly Layer[]): Pick<Configuration, 'values' | 'origins'> {
  const values: Record<string, unknown> = {};
  const origins = {} as Record<SettingName, Origin>;
  for (const name of settingNames) {
    const setting = layers.filter((one) => one.values[name] !== undefined);
    const [layer] = setting;
    values[name] = layer === undefined ? settings[name].schema.default : layer.values[name];
    if (settings[name].unites && setting.length > 1) values[name] = setting.flatMap((one) => one.values[name]);
    origins[name] =
      layer === undefined ? { from: 'default', where: '' } : { from: layer.from, where: layer.where(name) };
  }
  return { values: values as unknown as Settings, origins };
}

/**
 * Splits `a,b` into two tokens, without the spaces around them. A list without any token is a slip, and not
 * "everything".
 */
export function splitTokens(text: string, place: string): string[] {
  const tokens = text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  if (tokens.length === 0) throw new SkillError('usage', `${place} is empty: '${text}'`);
  return tokens;
}
