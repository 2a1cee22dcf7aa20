import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { type Diagnostic, diagnostic } from '../kernel/diagnostics.ts';
import { type DocumentResult, isObject, readToml } from '../kernel/documents.ts';
import { type Environment, variable } from '../kernel/environment.ts';
import { SkillError } from '../kernel/errors.ts';
import { realPathOrSelf } from '../kernel/files.ts';
import { isInside, xdgDir } from '../kernel/paths.ts';
import { nearestFile, projectFiles, projectFolders } from '../kernel/project.ts';
import { type Form, pathText, read } from '../kernel/schema-reader.ts';
import { fileKey, type SettingName, type Settings, settingNames, settings } from './settings.ts';

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
interface Layer {
  readonly from: Origin['from'];
  readonly values: Given;
  readonly where: (name: SettingName) => string;
}

/**
 * Options over environment over the project's file over the user's file over defaults. A project's file that is wrong is
 * an error, unless the caller can do without it: then it is left out, and said.
 */
export async function loadConfiguration(
  given: Given,
  environment: Environment,
  { withoutProject = false }: { readonly withoutProject?: boolean } = {},
): Promise<Configuration> {
  const user = join(xdgDir(environment, 'CONFIG'), 'repertoire', 'config.toml');
  const [ofEnvironment, ofUser] = [fromEnvironment(environment), await fromFile(user, 'user')];
  const trustedProjects = [given, ofEnvironment, ofUser].find((one) => one.trustedProjects)?.trustedProjects ?? [];
  const seen = { ...environment, trustedProjects };
  const found = nearestFile(projectFiles.settings, seen);
  const project = found ?? join(environment.cwd, 'repertoire.toml');
  const problems: Diagnostic[] = [];
  const ofProject = found === null ? {} : await fromFile(found, 'project', projectFolders(seen).at(-1)).catch(leaveOut);
  const layers: Layer[] = [
    { from: 'option', values: given, where: (name) => `--${settings[name].option}` },
    { from: 'environment', values: ofEnvironment, where: (name) => settings[name].variable },
    { from: 'project file', values: ofProject, where: () => project },
    { from: 'user file', values: ofUser, where: () => user },
  ];
  const files = [
    { path: project, exists: found !== null },
    { path: user, exists: existsSync(user) },
  ];
  return { ...settle(layers), files, problems };

  function leaveOut(error: unknown): Given {
    if (!withoutProject || !(error instanceof SkillError)) throw error;
    const remedy = `${error.hint ?? 'Fix the file, or move it away.'} Until then none of its settings count.`;
    const [, line, column, message = error.message] =
      /^(?::(\d+))?(?::(\d+))?:? (.*)$/s.exec(error.message.slice(project.length)) ?? [];
    const at = line === undefined ? undefined : { line: Number(line), column: Number(column ?? 1) };
    problems.push(diagnostic('config-invalid', project, message, remedy, at));
    return {};
  }
}

/** Options over defaults, and nothing else: a library must not change with the folder it is used in. */
export function configurationOf(given: Given): Configuration {
  const checked = settingNames
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, checkValue(name, given[name], name)]);
  const values = Object.fromEntries(checked) as Given;
  return { ...settle([{ from: 'option', values, where: (name) => name }]), files: [], problems: [] };
}

/** Each setting as the strongest layer that speaks of it has it. */
function settle(layers: readonly Layer[]): Pick<Configuration, 'values' | 'origins'> {
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

/** Of a project's file, the folder that the project ends with is given as well. */
async function fromFile(file: string, owner: 'project' | 'user', project = dirname(file)): Promise<Given> {
  const document: DocumentResult = await readToml(file);
  if (document.kind === 'absent') return {};
  if (document.kind === 'invalid') {
    const line = document.at === undefined ? '' : `:${document.at.line}:${document.at.column}`;
    throw new SkillError('config', `${file}${line}: ${document.message}`, { hint: 'Fix the file, or move it away.' });
  }
  const { lineOfKey } = await import('../kernel/toml-lines.ts');
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

/** Whether paths of this setting begin at the file. The root is looked for in each project, and a user's file belongs to none. */
function isBesideFile(name: SettingName, owner: 'project' | 'user'): boolean {
  return settings[name].isPath === true && !(name === 'root' && owner === 'user');
}

/** The setting that a key of a file means, if it may stand there. */
function settingFor(key: string, owner: 'project' | 'user', place: string): SettingName {
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

/** A checkout brings skills of its own: other folders of the machine are for its user to name. */
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

function fromEnvironment(environment: Environment): Given {
  const values: Record<string, unknown> = {};
  for (const name of settingNames) {
    const setting = settings[name];
    const text = variable(environment, setting.variable);
    if (text === undefined) continue;
    values[name] = checkValue(name, fromText(name, text), setting.variable, 'words');
  }
  return values as Given;
}

/** A variable holds paths as those of programs do, and otherwise one text. */
function fromText(name: SettingName, text: string): unknown {
  const { schema, isPath } = settings[name];
  return schema.kind === 'list' && isPath ? text.split(delimiter).filter((item) => item.trim() !== '') : text;
}

/** A value of the right kind, or an error that says where it stands and what it should be. */
function checkValue(name: SettingName, value: unknown, place: string, form: Form = 'file'): unknown {
  const { schema, isPath, isSecret } = settings[name];
  const reading = read(schema, value, form);
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

/** `a,b` is two tokens; blanks around them do not count. A list without any is a slip, and not "everything". */
export function splitTokens(text: string, place: string): string[] {
  const tokens = text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
  if (tokens.length === 0) throw new SkillError('usage', `${place} is empty: '${text}'`);
  return tokens;
}
