import { basename, isAbsolute, join, resolve } from 'node:path';
import { pluginFolder } from '../../agents/providers.ts';
import { type Diagnostic, diagnostic } from '../../core/diagnostics.ts';
import { foldersIn, realPathOf } from '../../core/disk/files.ts';
import { expandPath, isInside } from '../../core/disk/paths.ts';
import type { Environment } from '../../core/environment.ts';
import { textOf } from '../../core/formats/documents.ts';
import { byText } from '../../core/text/text.ts';
import { claudeFolder, type DiscoveryOptions, movedPlugins } from '../roots.ts';
import { enabledPlugins, type Installation, installedPlugins, marketplaceLookup, type Switch } from './claude-files.ts';
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
