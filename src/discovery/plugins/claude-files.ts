import { dirname, join } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/diagnostics.ts';
import { realPathOrSelf } from '../../core/disk/files.ts';
import { isTrusted, projectFolders } from '../../core/disk/project.ts';
import type { Environment } from '../../core/environment.ts';
import {
  type DocumentResult,
  fieldOf,
  isObject,
  type JsonObject,
  objectOf,
  readJson,
  textOf,
} from '../../core/formats/documents.ts';

/** One entry of `installed_plugins.json`. */
export interface Installation {
  readonly scope: string;
  readonly installPath: string;
  readonly projectPath: string | undefined;
  readonly lastUpdated: string;
}

/** Number of installations read: more than a plugin can have, and few enough to be quick. */
const mostInstallations = 100;

/** The installations of Claude Code, by `plugin@marketplace`. */
export function installedPlugins(file: string, diagnostics: Diagnostic[]): Map<string, Installation[]> {
  const found = new Map<string, Installation[]>();
  const read = readJson(file);
  const remedy = 'Correct the file, reinstall the plugin in Claude Code, or run with --no-plugins.';
  if (read.kind === 'invalid') diagnostics.push(diagnostic('plugin-file-invalid', file, read.message, remedy, read.at));
  if (read.kind !== 'value') return found;
  for (const [key, value] of entriesIn(read.value)) {
    const installation = key === null ? 'an entry has no name' : installationOf(value);
    if (typeof installation === 'string') {
      const message = key === null ? installation : `plugin "${key}": ${installation}`;
      diagnostics.push(diagnostic('plugin-file-invalid', file, message, remedy));
    } else {
      keep(found, key as string, installation);
    }
  }
  return found;
}

function keep(found: Map<string, Installation[]>, key: string, installation: Installation): void {
  const list = found.get(key);
  if (list === undefined) found.set(key, [installation]);
  else if (list.length < mostInstallations) list.push(installation);
}

/** Reads every shape that the file has had over time: a map of objects, a map of lists, a flat list. */
function entriesIn(top: unknown): [string | null, unknown][] {
  const wrapped = isObject(top) && top['plugins'] !== undefined;
  const plugins = wrapped ? top['plugins'] : top;
  if (Array.isArray(plugins)) return plugins.map((item) => [keyOf(item), item]);
  if (!isObject(plugins)) return [[null, plugins]];
  return Object.entries(plugins)
    .filter(([key]) => wrapped || key !== 'version')
    .flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((item): [string, unknown] => [key, item]));
}

function keyOf(item: unknown): string | null {
  const name = isObject(item) ? textOf(item['name']) : undefined;
  const marketplace = isObject(item) ? textOf(item['marketplace']) : undefined;
  if (name === undefined) return null;
  return marketplace === undefined ? name : `${name}@${marketplace}`;
}

/** An installation, or what is wrong with the entry. */
function installationOf(value: unknown): Installation | string {
  if (!isObject(value)) return 'its entry is not an object';
  const path = textOf(value['installPath']);
  if (path === undefined) return 'it has no installPath';
  if (path.split(/[/\\]/).includes('..')) return 'its installPath contains ".."; it is not followed';
  return {
    scope: textOf(value['scope']) ?? 'user',
    installPath: path,
    projectPath: textOf(value['projectPath']),
    lastUpdated: textOf(value['lastUpdated']) ?? textOf(value['installedAt']) ?? '',
  };
}

/** The state of a plugin in a settings file. */
export interface Switch {
  readonly enabled: boolean;
  readonly file: string;
}

/** Claude Code's `enabledPlugins`, by `plugin@marketplace`: the strongest file that speaks of a plugin decides. */
export function enabledPlugins(
  configDir: string,
  environment: Environment,
  diagnostics: Diagnostic[],
): Map<string, Switch> {
  const switches = new Map<string, Switch>();
  for (const file of settingsFiles(configDir, environment)) {
    const read = readJson(file);
    if (read.kind === 'invalid') {
      const message = `enabledPlugins cannot be read: the file is ${read.message}`;
      diagnostics.push(diagnostic('plugin-file-invalid', file, message, 'Correct the file.', read.at));
    }
    for (const [key, enabled] of Object.entries(objectOf(read, 'enabledPlugins'))) {
      if (typeof enabled === 'boolean' && !switches.has(key)) switches.set(key, { enabled, file });
    }
  }
  return switches;
}

/** The settings files, strongest first: the machine's managers, this checkout, the project, the user. */
function settingsFiles(configDir: string, environment: Environment): Set<string> {
  const managed =
    environment.platform === 'darwin'
      ? '/Library/Application Support/ClaudeCode/managed-settings.json'
      : join(environment.systemDir, 'claude-code', 'managed-settings.json');
  const projects = projectFolders(environment).map((folder) => join(folder, '.claude'));
  const inProjects = ['settings.local.json', 'settings.json'].flatMap((name) =>
    projects.map((folder) => join(folder, name)),
  );
  return new Set([
    managed,
    ...inProjects.filter((file) => isTrusted(dirname(file), environment) && isTrusted(file, environment)),
    join(configDir, 'settings.json'),
  ]);
}

/** Looks up a marketplace's entry for a plugin. */
export type MarketplaceLookup = (marketplace: string, plugin: string) => JsonObject | undefined;

/** The catalogues of the marketplaces that Claude Code knows; each is read once, when first needed. */
export function marketplaceLookup(pluginsRoot: string, diagnostics: Diagnostic[]): MarketplaceLookup {
  let known: DocumentResult | undefined;
  const catalogues = new Map<string, readonly JsonObject[]>();
  return (marketplace, plugin) => {
    const entries = catalogues.get(marketplace) ?? catalogueOf(folderOf(marketplace), diagnostics);
    catalogues.set(marketplace, entries);
    return entries.find((entry) => entry['name'] === plugin);
  };

  function folderOf(marketplace: string): string {
    known ??= readNoted(join(pluginsRoot, 'known_marketplaces.json'), diagnostics);
    const record = fieldOf(known, marketplace);
    const place = isObject(record) ? textOf(record['installLocation']) : undefined;
    return place ?? join(pluginsRoot, 'marketplaces', marketplace);
  }
}

function readNoted(file: string, diagnostics: Diagnostic[], container?: string): DocumentResult {
  const read = readJson(file, container);
  if (read.kind === 'invalid') {
    const message = `the marketplace's list of plugins cannot be used: the file is ${read.message}`;
    diagnostics.push(
      diagnostic('plugin-file-invalid', file, message, 'Update the marketplace in Claude Code.', read.at),
    );
  }
  return read;
}

function catalogueOf(folder: string, diagnostics: Diagnostic[]): readonly JsonObject[] {
  const file = join(folder, '.claude-plugin', 'marketplace.json');
  const plugins = fieldOf(readNoted(file, diagnostics, realPathOrSelf(folder)), 'plugins');
  return Array.isArray(plugins) ? plugins.filter(isObject) : [];
}
