import { dirname, relative, resolve } from 'node:path';
import { editText, valueIn } from '../agents/setup/edit/edit.ts';
import type { Json } from '../agents/setup/edit/values.ts';
import { readSettings, writeWithBackup } from '../agents/setup/edit/write.ts';
import { type SettingName, settings } from '../core/config/settings.ts';
import { checkFor } from '../core/config/values.ts';
import { SkillError } from '../core/errors.ts';
import type { Engine } from './engine.ts';

/** The owner of a file of settings: the project, or the user. */
export type Owner = 'project' | 'user';

/** A file of settings that was read, to be changed. */
export interface SettingsFile {
  readonly path: string;
  readonly owner: Owner;
  /** The list that a key has in it; empty where it has none. */
  list(key: string): readonly string[];
  /** Sets a key, or removes it, and leaves every other character as it is. Returns whether the file has changed. */
  set(key: string, value: Json | undefined): boolean;
}

/** Opens the settings of the project, which is the nearest `repertoire.toml`, or those of the user. */
export function openSettings({ configuration }: Engine, owner: Owner): SettingsFile {
  const [project, user] = configuration.files;
  const path = (owner === 'project' ? project : user)?.path;
  if (path === undefined) throw new SkillError('unavailable', 'no settings file can be written here');
  const read = readSettings(path);
  if (!read.ok) throw unwritable(path, read.reason);
  const before = read.text;

  function currentOf(key: string): Json | undefined {
    const found = valueIn('toml', before ?? '', [key]);
    if (!found.ok) throw unwritable(path ?? '', found.reason, found.line);
    return found.value;
  }

  return {
    path,
    owner,
    list: (key) => [currentOf(key) ?? []].flat().map(String),
    set(key, value) {
      if (value !== undefined) checkFor(key, value, owner, path);
      const edited = editText('toml', before ?? '', [{ at: [key], value }]);
      if (!edited.ok) throw unwritable(path, edited.reason, edited.line);
      if (edited.text === (before ?? '')) return false;
      const written = writeWithBackup(path, before, edited.text);
      if (!written.ok) throw unwritable(path, written.reason);
      return true;
    },
  };
}

/** Converts a path as it was typed to the form that it needs in a file, where paths are relative to that file. */
export function pathFor({ path, owner }: SettingsFile, name: SettingName, typed: string, cwd: string): string {
  if (!settings[name].isPath || typed.startsWith('~') || (name === 'root' && owner === 'user')) return typed;
  const whole = resolve(cwd, typed);
  return owner === 'user' ? whole : relative(dirname(path), whole) || '.';
}

function unwritable(path: string, reason: string, line: number | null = null): SkillError {
  const at = line === null ? '' : `:${line}`;
  return new SkillError('unwritable', `${path}${at} cannot be changed: ${reason}`, { hint: 'Change it by hand.' });
}
