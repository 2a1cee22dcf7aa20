import { isAbsolute, join, resolve } from 'node:path';
import { type Diagnostic, diagnostic } from '../../kernel/diagnostics.ts';
import { type DocumentResult, isObject, type JsonObject, readJson } from '../../kernel/documents.ts';
import { type Environment, variable } from '../../kernel/environment.ts';
import { entriesOf, isThere, realPathOf } from '../../kernel/files.ts';
import { expandPath, isInside } from '../../kernel/paths.ts';
import { projectFolders } from '../../kernel/project.ts';
import { byText } from '../../kernel/text.ts';
import type { DiscoveryOptions } from '../roots.ts';
import { manifestOf, type Plugin, type PluginFindings, rootsOfPlugin } from './manifest.ts';

export const claudeManifests = ['.claude-plugin/plugin.json', 'plugin.json'] as const;

interface Installation {
  readonly scope: string;
  readonly installPath: string;
  readonly projectPath: string | undefined;
  readonly lastUpdated: string;
}

/** Skills of the plugins that Claude Code has installed, with its own scopes and switches honoured. */
export function claudePlugins(options: DiscoveryOptions, environment: Environment): PluginFindings {
  const configDir = variable(environment, 'CLAUDE_CONFIG_DIR') ?? join(environment.home, '.claude');
  const given =
    options.pluginsRoot ?? variable(environment, 'CLAUDE_CODE_PLUGIN_CACHE_DIR') ?? join(configDir, 'plugins');
  const pluginsRoot = expandPath(given, environment);
  const file = expandPath(options.pluginsFile ?? join(pluginsRoot, 'installed_plugins.json'), environment);
  const findings: PluginFindings = { roots: [], hidden: [], diagnostics: [] };
  const read = readJson(file);
  if (read.kind === 'invalid') {
    const remedy = 'Correct or remove the file, or run with --no-plugins.';
    findings.diagnostics.push(diagnostic('plugin-file-invalid', file, read.message, remedy, read.at));
  }
  const marketplaces = marketplaceReader(pluginsRoot);
  const switches = enabledPlugins(configDir, environment, findings.diagnostics);
  for (const [key, installations] of installedPlugins(read, file, findings.diagnostics)) {
    const [name, marketplace] = splitKey(key);
    const chosen = choose(installations, environment);
    const installation = chosen ?? installations[0];
    if (installation === undefined) continue;
    const entry = marketplace === null ? undefined : marketplaces(marketplace, name);
    const dir = resolve(pluginsRoot, installation.installPath);
    const plugin: Plugin = {
      dir,
      name,
      marketplace,
      provider: 'claude',
      manifests: claudeManifests,
      ...(entry && { entry }),
    };
    const reason =
      chosen === undefined ? otherProject(key, file, installation) : disabled(key, file, switches.get(key), plugin);
    publish(plugin, reason, findings);
  }
  for (const plugin of syncedPlugins(pluginsRoot)) publish(plugin, null, findings);
  return findings;
}

function publish(plugin: Plugin, reason: Diagnostic | null, findings: PluginFindings): void {
  const { roots, diagnostics } = rootsOfPlugin(plugin);
  if (reason === null) {
    findings.roots.push(...roots);
    findings.diagnostics.push(...diagnostics);
  } else {
    findings.hidden.push(...roots.map((root) => ({ root, reason })));
    findings.diagnostics.push(reason);
  }
}

function splitKey(key: string): [string, string | null] {
  const at = key.lastIndexOf('@');
  return at > 0 ? [key.slice(0, at), key.slice(at + 1)] : [key, null];
}

/** The file has changed shape over time: a map of objects, a map of lists, a flat list. All are read. */
function installedPlugins(read: DocumentResult, file: string, diagnostics: Diagnostic[]): Map<string, Installation[]> {
  const found = new Map<string, Installation[]>();
  if (read.kind !== 'value') return found;
  const refuse = (what: string): void => {
    const remedy = 'Reinstall the plugin in Claude Code, or run with --no-plugins.';
    diagnostics.push(diagnostic('plugin-file-invalid', file, what, remedy));
  };
  const add = (key: string, value: unknown): void => {
    const installation = installationOf(value);
    if (typeof installation === 'string') refuse(`plugin "${key}": ${installation}`);
    else found.set(key, [...(found.get(key) ?? []), installation]);
  };
  const top = read.value;
  const plugins = isObject(top) && top['plugins'] !== undefined ? top['plugins'] : top;
  if (Array.isArray(plugins)) {
    for (const item of plugins) {
      const [name, marketplace] = isObject(item) ? [item['name'], item['marketplace']] : [];
      if (typeof name !== 'string') refuse('an entry has no name');
      else add(typeof marketplace === 'string' ? `${name}@${marketplace}` : name, item);
    }
  } else if (isObject(plugins)) {
    for (const [key, value] of Object.entries(plugins)) {
      if (key === 'version' && plugins === top) continue;
      for (const item of Array.isArray(value) ? value : [value]) add(key, item);
    }
  } else {
    refuse('holds no list of plugins');
  }
  return found;
}

function installationOf(value: unknown): Installation | string {
  if (!isObject(value)) return 'its entry is not an object';
  const path = value['installPath'];
  if (typeof path !== 'string' || path === '') return 'it has no installPath';
  if (path.split(/[/\\]/).includes('..')) return 'its installPath holds ".."; it is not followed';
  const text = (key: string): string | undefined => (typeof value[key] === 'string' ? value[key] : undefined);
  return {
    scope: text('scope') ?? 'user',
    installPath: path,
    projectPath: text('projectPath'),
    lastUpdated: text('lastUpdated') ?? text('installedAt') ?? '',
  };
}

const scopeOrder = ['managed', 'local', 'project', 'user'];

/** The installation that counts here: the narrowest scope, then the newest. */
function choose(installations: readonly Installation[], environment: Environment): Installation | undefined {
  const rank = (one: Installation): number => scopeOrder.indexOf(one.scope) + 1 || scopeOrder.length + 1;
  return installations
    .filter((one) => appliesHere(one, environment))
    .sort((a, b) => rank(a) - rank(b) || byText(b.lastUpdated, a.lastUpdated))[0];
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

interface Switch {
  readonly enabled: boolean;
  readonly file: string;
}

/** Only an explicit `false` turns a plugin off; with no word anywhere its own default decides. */
function disabled(key: string, file: string, set: Switch | undefined, plugin: Plugin): Diagnostic | null {
  if (set?.enabled === true) return null;
  if (set?.enabled === false) {
    const message = `plugin "${key}" is switched off by enabledPlugins`;
    return diagnostic('plugin-disabled', set.file, message, `Set "${key}": true there to publish its skills.`);
  }
  const manifest = manifestOf(plugin);
  const own = manifest !== null && 'value' in manifest ? manifest.value['defaultEnabled'] : undefined;
  if ((plugin.entry?.['defaultEnabled'] ?? own) !== false) return null;
  const remedy = `Set "${key}": true under enabledPlugins in Claude Code's settings.`;
  return diagnostic('plugin-disabled', file, `plugin "${key}" is off by default`, remedy);
}

/** Who decides, strongest first: the machine's managers, this checkout, the project, the user. */
function enabledPlugins(configDir: string, environment: Environment, diagnostics: Diagnostic[]): Map<string, Switch> {
  const managed =
    environment.platform === 'darwin'
      ? '/Library/Application Support/ClaudeCode/managed-settings.json'
      : join(environment.systemDir, 'claude-code', 'managed-settings.json');
  const projects = projectFolders(environment).map((folder) => join(folder, '.claude'));
  const files = [
    managed,
    ...projects.map((folder) => join(folder, 'settings.local.json')),
    ...projects.map((folder) => join(folder, 'settings.json')),
    join(configDir, 'settings.json'),
  ];
  const switches = new Map<string, Switch>();
  for (const file of new Set(files)) {
    const read = readJson(file);
    if (read.kind === 'invalid') {
      const message = `enabledPlugins cannot be read: the file is ${read.message}`;
      diagnostics.push(diagnostic('plugin-file-invalid', file, message, 'Correct the file.', read.at));
    }
    const set = read.kind === 'value' && isObject(read.value) ? read.value['enabledPlugins'] : undefined;
    for (const [key, enabled] of Object.entries(isObject(set) ? set : {})) {
      if (typeof enabled === 'boolean' && !switches.has(key)) switches.set(key, { enabled, file });
    }
  }
  return switches;
}

/** Looks a plugin up in its marketplace's catalogue; each catalogue is read once. */
function marketplaceReader(pluginsRoot: string): (marketplace: string, plugin: string) => JsonObject | undefined {
  const known = readJson(join(pluginsRoot, 'known_marketplaces.json'));
  const catalogues = new Map<string, readonly JsonObject[]>();
  return (marketplace, plugin) => {
    let entries = catalogues.get(marketplace);
    if (entries === undefined) {
      const record = known.kind === 'value' && isObject(known.value) ? known.value[marketplace] : undefined;
      const place = isObject(record) ? record['installLocation'] : undefined;
      const folder = typeof place === 'string' ? place : join(pluginsRoot, 'marketplaces', marketplace);
      const read = readJson(join(folder, '.claude-plugin', 'marketplace.json'));
      const plugins = read.kind === 'value' && isObject(read.value) ? read.value['plugins'] : undefined;
      entries = Array.isArray(plugins) ? plugins.filter(isObject) : [];
      catalogues.set(marketplace, entries);
    }
    return entries.find((entry) => entry['name'] === plugin);
  };
}

/** Plugins that claude.ai keeps in step with the account. */
function syncedPlugins(pluginsRoot: string): readonly Plugin[] {
  const folder = join(pluginsRoot, 'synced');
  const entries = isThere(folder) ? entriesOf(folder) : null;
  if (!entries?.ok) return [];
  const names = entries.value.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.sort(byText).map((name) => ({
    dir: join(folder, name),
    name,
    marketplace: 'synced',
    provider: 'claude',
    manifests: claudeManifests,
  }));
}

/** A folder among plain Claude skills that brings a manifest is a plugin of its own. */
export function skillsDirPlugin(dir: string, folderName: string): Plugin {
  const unnamed = { dir, name: folderName, manifests: claudeManifests };
  const manifest = manifestOf(unnamed);
  const name = manifest !== null && 'value' in manifest ? manifest.value['name'] : undefined;
  return {
    ...unnamed,
    name: typeof name === 'string' && name !== '' ? name : folderName,
    marketplace: 'skills-dir',
    provider: 'claude',
  };
}
