import { delimiter, dirname, isAbsolute, resolve } from 'node:path';
import { realPathOrSelf } from '../disk/files.ts';
import { isInside } from '../disk/paths.ts';
import { type Environment, variable } from '../environment.ts';
import { SkillError } from '../errors.ts';
import { type DocumentResult, isObject, readToml } from '../formats/documents.ts';
import { lineOfKey } from '../formats/toml-lines.ts';
import { type Form, pathText, read } from '../schema/schema-reader.ts';
import { type Configuration, type Given, settle, splitTokens } from './layers.ts';
import { fileKey, type SettingName, settingNames, settings } from './settings.ts';

/** The configuration from options and defaults alone: a library must not change with the folder it is used in. */
export function configurationOf(given: Given): Configuration {
  const checked = settingNames
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, checkValue(name, given[name], name)]);
  const values = Object.fromEntries(checked) as Given;
  return { ...settle([{ from: 'option', values, where: (name) => name }]), files: [], problems: [] };
}

/** Reads the settings in a file. For a project's file, the folder at which the project ends is passed as well. */
export async function fromFile(file: string, owner: 'project' | 'user', project = dirname(file)): Promise<Given> {
  const document: DocumentResult = await readToml(file);
  if (document.kind === 'absent') return {};
  if (document.kind === 'invalid') {
    const line = document.at === undefined ? '' : `:${document.at.line}:${document.at.column}`;
    throw new SkillError('config', `${file}${line}: ${document.message}`, { hint: 'Fix the file, or move it away.' });
  }
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(isObject(document.value) ? document.value : {})) {
    const line = lineOfKey(document.text, [key]);
    const place = line === null ? file : `${file}:${line}`;
    const name = settingFor(key, owner, place);
    const checked = checkValue(name, value, `${place}: ${key}`);
    values[name] = isBesideFile(name, owner) ? relativeTo(dirname(file), checked) : checked;
    if (owner === 'project' && settings[name].isPath) refuseOutside(name, values[name], project, place);
  }
  return values as Given;
}

/** Checks a value that is to be written to a file of this owner; throws where it may not be. */
export function checkFor(key: string, value: unknown, owner: 'project' | 'user', place: string): void {
  checkValue(settingFor(key, owner, place), value, key);
}

/**
 * Tells whether paths of this setting are relative to the file. The root is looked for in each project, and a user's
 * file belongs to none.
 */
function isBesideFile(name: SettingName, owner: 'project' | 'user'): boolean {
  return settings[name].isPath === true && !(name === 'root' && owner === 'user');
}

/** The setting that a key of a file means, if it is allowed there. */
export function settingFor(key: string, owner: 'project' | 'user', place: string): SettingName {
  const name = settingNames.find((one) => fileKey(one) === key);
  if (name === undefined) {
    const hint = `Known keys: ${settingNames.map(fileKey).join(', ')}.`;
    throw new SkillError('config', `${place}: unknown key "${key}"`, { hint });
  }
  if (owner === 'project' && settings[name].userOnly) {
    const { option } = settings[name];
    const first = option === null ? '' : `--${option}, `;
    const hint = `Set it with ${first}${settings[name].variable}, or in your user file.`;
    throw new SkillError('config', `${place}: a project may not set "${key}"`, { hint });
  }
  return name;
}

/**
 * Refuses paths outside of the project: a checkout brings skills of its own, and other folders are for the machine's
 * user to name.
 */
function refuseOutside(name: SettingName, value: unknown, project: string, place: string): void {
  const paths = (Array.isArray(value) ? value : [value]) as readonly string[];
  const isBelow = (path: string): boolean =>
    isInside(realPathOrSelf(project), realPathOrSelf(path.replace(/\?scope=.*$/s, '')));
  const outside = paths.find((path) => !isBelow(path));
  if (outside === undefined) return;
  const { option, variable: variableName } = settings[name];
  const hint = `Set it with --${option}, ${variableName}, or in your user file.`;
  const message = `${place}: a project may not set "${fileKey(name)}" to a path outside of it: ${outside}`;
  throw new SkillError('config', message, { hint });
}

function relativeTo(folder: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => relativeTo(folder, item));
  return typeof value === 'string' && !value.startsWith('~') && !isAbsolute(value) ? resolve(folder, value) : value;
}

/** Reads the settings in environment variables. */
export function fromEnvironment(environment: Environment): Given {
  const values: Record<string, unknown> = {};
  for (const name of settingNames) {
    const setting = settings[name];
    const text = variable(environment, setting.variable);
    if (text === undefined) continue;
    values[name] = checkValue(name, fromText(name, text), setting.variable, 'words');
  }
  return values as Given;
}

/** Converts a variable's text: a list of paths as in PATH, or one text. */
function fromText(name: SettingName, text: string): unknown {
  const { schema, isPath } = settings[name];
  return schema.kind === 'list' && isPath ? text.split(delimiter).filter((item) => item.trim() !== '') : text;
}

/** Returns a value of the right kind, or throws an error that says where it stands and what it should be. */
function checkValue(name: SettingName, value: unknown, place: string, form: Form = 'file'): unknown {
  const { schema, isPath, isSecret } = settings[name];
  const reading = read(schema, value, form, 1);
  if (!reading.ok) {
    const [{ path, expected, message, remedy }] = reading.issues;
    const said = isSecret ? `must be ${expected}` : message;
    throw new SkillError('config', `${place}${pathText(path)} ${said}`, {
      ...(remedy !== undefined && { hint: remedy }),
    });
  }
  if (schema.kind !== 'list') return reading.value;
  const items = reading.value as readonly string[];
  if (!isPath) return items.flatMap((item) => splitTokens(item, place));
  if (items.some((path) => path.replace(/\?scope=.*$/s, '').trim() === '')) {
    throw new SkillError('config', `${place} contains an empty path`);
  }
  return items;
}
