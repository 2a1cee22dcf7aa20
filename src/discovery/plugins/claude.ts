import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { pluginFolder } from '../../agents/providers.ts';
import { type Diagnostic, diagnostic } from '../../core/diagnostics.ts';
import { foldersIn, realPathOf, realPathOrSelf } from '../../core/disk/files.ts';
import { expandPath, isInside } from '../../core/disk/paths.ts';
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
import { getOrInsert } from '../../core/maps.ts';
import { byText } from '../../core/text/text.ts';
import { claudeFolder, type DiscoveryOptions, movedPlugins } from '../roots.ts';
import { manifestOf, noFindings, type Plugin, type PluginFindings, pluginKey, publish } from './manifest.ts';

const manifests = ['.claude-plugin/plugin.json', 'plugin.json'] as const;

/** The plugins that Claude Code has installed, with its own scopes and switches honoured. */
export function claudePlugins(options: DiscoveryOptions, environment: Environment): PluginFindings {
  const moved = movedPlugins(options, environment);
  const pluginsRoot = expandPath(moved ?? pluginFolder('claude', environment), environment);
  const file = expandPath(options.pluginsFile ?? join(pluginsRoot, 'installed_plugins.json'), environment);
  const findings = noFindings();
  const installed = installedPlugins(file, findings.diagnostics);
  const synced = syncedPlugins(pluginsRoot);
  if (installed.size + synced.length === 0) return findings;
  const switches = enabledPlugins(claudeFolder(environment), environment, findings.diagnostics);
  const lookUp = marketplaceLookup(pluginsRoot, findings.diagnostics);
  for (const [key, installations] of installed) {
    const chosen = choose(installations, environment, pluginsRoot);
    const installation = chosen ?? (installations[0] as Installation);
    const [name, marketplace] = splitKey(key);
    const entry = marketplace === null ? undefined : lookUp(marketplace, name);
    const dir = resolve(pluginsRoot, installation.installPath);
    const plugin: Plugin = { dir, name, marketplace, provider: 'claude', manifests, ...(entry && { entry }) };
    const reason = chosen ? disabled(plugin, switches) : otherProject(key, file, installation);
    publish(plugin, reason, findings);
  }
  for (const plugin of synced) publish(plugin, disabled(plugin, switches), findings);
  return findings;
}

/**
 * Returns a function that turns folders among plain skills that bring a plugin manifest into plugins of their own. The
 * switches are read once, with the first of them.
 */
export function pluginAdopter(environment: Environment): (dir: string) => PluginFindings {
  let switches: Map<string, Switch> | undefined;
  return (dir) => {
    const findings = noFindings();
    const plugin = skillsDirPlugin(dir);
    switches ??= enabledPlugins(claudeFolder(environment), environment, findings.diagnostics);
    publish(plugin, disabled(plugin, switches), findings);
    return findings;
  };
}

function splitKey(key: string): [string, string | null] {
  const at = key.lastIndexOf('@');
  return at > 0 ? [key.slice(0, at), key.slice(at + 1)] : [key, null];
}

const scopeOrder = ['managed', 'local', 'project', 'user'];

/** Chooses the installation that counts here: the narrowest scope, then the newest. */
function choose(
  installations: readonly Installation[],
  environment: Environment,
  pluginsRoot: string,
): Installation | undefined {
  const rank = (one: Installation): number => scopeOrder.indexOf(one.scope) + 1 || scopeOrder.length + 1;
  const order = installations
    .filter((one) => appliesHere(one, environment))
    .sort((a, b) => rank(a) - rank(b) || byText(b.lastUpdated, a.lastUpdated));
  return order.find((one) => realPathOf(resolve(pluginsRoot, one.installPath)).ok) ?? order[0];
}

function appliesHere({ scope, projectPath }: Installation, environment: Environment): boolean {
  if (scope !== 'project' && scope !== 'local') return true;
  if (projectPath === undefined || !isAbsolute(projectPath)) return false;
  const [project, cwd] = [realPathOf(projectPath), realPathOf(environment.cwd)];
  return project.ok && cwd.ok && isInside(project.value, cwd.value);
}

function otherProject(key: string, file: string, { scope, projectPath }: Installation): Diagnostic {
  const message = `plugin "${key}" is installed for another project (${scope}: ${projectPath ?? 'none named'})`;
  return diagnostic(
    'plugin-other-project',
    file,
    message,
    'Install it for this project, or for the user, in Claude Code.',
  );
}

/**
 * The diagnostic for a disabled plugin. Only an explicit `false` turns a plugin off; where no file mentions it, its own
 * default decides.
 */
function disabled(plugin: Plugin, switches: ReadonlyMap<string, Switch>): Diagnostic | null {
  const key = pluginKey(plugin);
  const set = switches.get(key);
  if (set?.enabled === true) return null;
  if (set?.enabled === false) {
    const message = `plugin "${key}" is switched off by enabledPlugins`;
    return diagnostic('plugin-disabled', set.file, message, `Set "${key}": true there to publish its skills.`);
  }
  const manifest = manifestOf(plugin);
  const own = manifest !== null && 'value' in manifest ? manifest.value['defaultEnabled'] : undefined;
  if ((plugin.entry?.['defaultEnabled'] ?? own) !== false) return null;
  const remedy = `Set "${key}": true under enabledPlugins in Claude Code's settings.`;
  return diagnostic('plugin-disabled', plugin.dir, `plugin "${key}" is off by default`, remedy);
}

/** Plugins that claude.ai synchronizes with the account. */
function syncedPlugins(pluginsRoot: string): readonly Plugin[] {
  const folder = join(pluginsRoot, 'synced');
  return foldersIn(folder).map((name) => ({
    dir: join(folder, name),
    name,
    marketplace: 'synced',
    provider: 'claude',
    manifests,
  }));
}

function skillsDirPlugin(dir: string): Plugin {
  const folderName = basename(dir);
  const unnamed = { dir, name: folderName, manifests };
  const manifest = manifestOf(unnamed);
  const name = manifest !== null && 'value' in manifest ? textOf(manifest.value['name']) : undefined;
  return { ...unnamed, name: name ?? folderName, marketplace: 'skills-dir', provider: 'claude' };
}

/** One entry of `installed_plugins.json`. */
interface Installation {
  readonly scope: string;
  readonly installPath: string;
  readonly projectPath: string | undefined;
  readonly lastUpdated: string;
}

/** Number of installations read: more than a plugin can have, and few enough to be quick. */
const mostInstallations = 100;

/** The installations of Claude Code, by `plugin@marketplace`. */
function installedPlugins(file: string, diagnostics: Diagnostic[]): Map<string, Installation[]> {
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
interface Switch {
  readonly enabled: boolean;
  readonly file: string;
}

/** Claude Code's `enabledPlugins`, by `plugin@marketplace`: the strongest file that speaks of a plugin decides. */
function enabledPlugins(configDir: string, environment: Environment, diagnostics: Diagnostic[]): Map<string, Switch> {
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
type MarketplaceLookup = (marketplace: string, plugin: string) => JsonObject | undefined;

/** The catalogues of the marketplaces that Claude Code knows; each is read once, when first needed. */
function marketplaceLookup(pluginsRoot: string, diagnostics: Diagnostic[]): MarketplaceLookup {
  let known: DocumentResult | undefined;
  const catalogues = new Map<string, readonly JsonObject[]>();
  return (marketplace, plugin) => {
    const entries = getOrInsert(catalogues, marketplace, () => catalogueOf(folderOf(marketplace), diagnostics));
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
