import { join } from 'node:path';
import { pluginFolder } from '../../agents/providers.ts';
import { diagnostic } from '../../core/diagnostics.ts';
import { foldersIn, realPathOrSelf } from '../../core/disk/files.ts';
import { isTrusted, projectFolders } from '../../core/disk/project.ts';
import type { Environment } from '../../core/environment.ts';
import { fieldOf, isObject, objectOf, readJson, readToml, textOf } from '../../core/formats/documents.ts';
import { notOwned } from '../not-owned.ts';
import { codexFolder, type DiscoveryOptions } from '../roots.ts';
import { claudePlugins } from './claude.ts';
import { broken, isAgentPlugin, noFindings, type Plugin, type PluginFindings, pluginKey, publish } from './manifest.ts';

export { pluginAdopter } from './claude.ts';

const codexManifests = [
  'plugin.json',
  '.codex-plugin/plugin.json',
  '.claude-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
];
const copilotManifests = [
  '.plugin/plugin.json',
  'plugin.json',
  '.github/plugin/plugin.json',
  '.claude-plugin/plugin.json',
];

/** The roots of every installed plugin, of whichever agent. */
export async function findPlugins(options: DiscoveryOptions, environment: Environment): Promise<PluginFindings> {
  const claude = claudePlugins(options, environment);
  const others = await otherPlugins(environment);
  return {
    roots: [...claude.roots, ...others.roots],
    hidden: [...claude.hidden, ...others.hidden],
    diagnostics: [...claude.diagnostics, ...others.diagnostics],
  };
}

/** Skills of the plugins of Codex, Gemini CLI and Copilot CLI, and of Agent Plugins folders. */
async function otherPlugins(environment: Environment): Promise<PluginFindings> {
  const findings = noFindings();
  const codex = codexPlugins(environment);
  const off = codex.length === 0 ? new Map<string, string>() : await codexSwitches(environment, findings);
  const plugins = [
    ...codex,
    ...geminiExtensions(environment, findings),
    ...copilotPlugins(environment),
    ...agentPlugins(environment, findings),
  ];
  for (const plugin of plugins) {
    const key = pluginKey(plugin);
    const file = plugin.provider === 'codex' ? off.get(key) : undefined;
    const remedy = `Set enabled = true under [plugins."${key}"] there.`;
    const reason =
      file === undefined ? null : diagnostic('plugin-disabled', file, `Codex plugin "${key}" is switched off`, remedy);
    publish(plugin, reason, findings);
  }
  return findings;
}

/**
 * Codex's plugins in `plugins/cache/<marketplace>/<plugin>/<version>`; the newest version counts, `local` before all.
 */
function codexPlugins(environment: Environment): readonly Plugin[] {
  const cache = join(pluginFolder('codex', environment), 'cache');
  return foldersIn(cache).flatMap((marketplace) =>
    foldersIn(join(cache, marketplace)).flatMap((name) => {
      const version = foldersIn(join(cache, marketplace, name)).reduce<string | undefined>(newest, undefined);
      if (version === undefined) return [];
      const dir = join(cache, marketplace, name, version);
      return [{ dir, name, marketplace, provider: 'codex', manifests: codexManifests }];
    }),
  );
}

function newest(a: string | undefined, b: string): string {
  if (a === undefined || b === 'local') return b;
  if (a === 'local') return a;
  return compareVersions(a, b) < 0 ? b : a;
}

/** Compares versions by number; a pre-release comes before its release. */
function compareVersions(a: string, b: string): number {
  const [[first = '', ...before], [second = '', ...after]] = [a.split('-'), b.split('-')];
  const byNumber = (x: string, y: string): number => x.localeCompare(y, 'en', { numeric: true });
  const isRelease = (rest: readonly string[]): number => (rest.length === 0 ? 1 : 0);
  return byNumber(first, second) || isRelease(before) - isRelease(after) || byNumber(before.join('-'), after.join('-'));
}

/** The plugins that Codex's configuration switches off, each with the file that says so. */
async function codexSwitches(environment: Environment, findings: PluginFindings): Promise<Map<string, string>> {
  const file = join(codexFolder(environment), 'config.toml');
  const off = new Map<string, string>();
  const read = await readToml(file);
  if (read.kind === 'invalid') {
    const message = `Codex's plugin switches cannot be read: the file is ${read.message}`;
    findings.diagnostics.push(diagnostic('plugin-file-invalid', file, message, 'Correct the file.', read.at));
  }
  for (const [key, value] of Object.entries(objectOf(read, 'plugins'))) {
    if (isObject(value) && value['enabled'] === false) off.set(key, file);
  }
  return off;
}

function geminiExtensions(environment: Environment, findings: PluginFindings): readonly Plugin[] {
  const folder = pluginFolder('gemini', environment);
  return foldersIn(folder).map((dirName) => {
    const dir = join(folder, dirName);
    const file = join(dir, 'gemini-extension.json');
    const read = readJson(file, realPathOrSelf(dir));
    if (read.kind === 'invalid') {
      const message = `extension "${dirName}" goes by the name of its folder: its manifest is ${read.message}`;
      findings.diagnostics.push(diagnostic('plugin-manifest-invalid', file, message, 'Correct the file.', read.at));
    }
    const name = textOf(fieldOf(read, 'name')) ?? dirName;
    return { dir, name, marketplace: null, provider: 'gemini', manifests: ['plugin.json'] };
  });
}

/** Copilot CLI's plugins in `installed-plugins/<marketplace>/<plugin>`; `_direct` holds those without a marketplace. */
function copilotPlugins(environment: Environment): readonly Plugin[] {
  const folder = pluginFolder('copilot', environment);
  return foldersIn(folder).flatMap((marketplace) =>
    foldersIn(join(folder, marketplace)).map((name) => ({
      dir: join(folder, marketplace, name),
      name,
      marketplace: marketplace === '_direct' ? null : marketplace,
      provider: 'copilot',
      manifests: copilotManifests,
    })),
  );
}

/** Folders with an Agent Plugins manifest below `.agents/plugins`, in the project and at home. */
function agentPlugins(environment: Environment, findings: PluginFindings): readonly Plugin[] {
  const bases = new Set([...projectFolders(environment), environment.home]);
  const isOthers = (path: string): boolean => {
    if (isTrusted(path, environment)) return false;
    findings.diagnostics.push(...notOwned([path], []));
    return true;
  };
  return [...bases].flatMap((base) => {
    const folder = join(base, '.agents', 'plugins');
    if (isOthers(folder)) return [];
    return foldersIn(folder).flatMap((dirName) => {
      const dir = join(folder, dirName);
      if (isOthers(dir)) return [];
      const file = join(dir, 'plugin.json');
      const read = readJson(file, realPathOrSelf(dir));
      if (read.kind === 'invalid') findings.diagnostics.push(broken(dirName, file, read.message, read.at));
      if (read.kind !== 'value' || !isAgentPlugin(read.value)) return [];
      const name = textOf(read.value['name']) ?? dirName;
      return [{ dir, name, marketplace: null, provider: 'agents', manifests: ['plugin.json'] }];
    });
  });
}
