import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Diagnostic, diagnostic, type Position } from '../../core/diagnostics.ts';
import { realPathOf, realPathOrSelf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { isObject, type JsonObject, readJson } from '../../core/formats/documents.ts';
import { categoryDepth, type Root } from '../roots.ts';

/** An installed plugin: a folder, and its name in the agent that owns it. */
export interface Plugin {
  readonly dir: string;
  readonly name: string;
  readonly marketplace: string | null;
  readonly provider: string;
  /**
   * Paths where its manifest may lie, first match wins. A root `plugin.json` counts only with the Agent Plugins schema.
   */
  readonly manifests: readonly string[];
  /** The marketplace's entry for it; may carry any field of the manifest. */
  readonly entry?: JsonObject;
}

/** The outcome for plugins: roots to scan, roots that were left out with the reason, and diagnostics. */
export interface PluginFindings {
  readonly roots: Root[];
  readonly hidden: HiddenRoot[];
  readonly diagnostics: Diagnostic[];
}

export function noFindings(): PluginFindings {
  return { roots: [], hidden: [], diagnostics: [] };
}

/** The key of a plugin, `plugin@marketplace`, as agents write it. */
export function pluginKey({ name, marketplace }: Pick<Plugin, 'name' | 'marketplace'>): string {
  return marketplace === null ? name : `${name}@${marketplace}`;
}

/** A root not scanned, kept so that `why` can look into it. */
export interface HiddenRoot {
  readonly root: Root;
  readonly reason: Diagnostic;
}

const schemaPrefix = 'https://agent-plugins.org/schemas/';

export function isAgentPlugin(manifest: unknown): manifest is JsonObject {
  return isObject(manifest) && typeof manifest['$schema'] === 'string' && manifest['$schema'].startsWith(schemaPrefix);
}

interface Manifest {
  readonly file: string;
  readonly value: JsonObject;
}

/** The manifest of a plugin, null if it has none, or a diagnostic if it cannot be used. */
export function manifestOf(plugin: Pick<Plugin, 'dir' | 'manifests' | 'name'>): Manifest | Diagnostic | null {
  const container = realPathOrSelf(plugin.dir);
  for (const path of plugin.manifests) {
    const file = join(plugin.dir, path);
    const read = readJson(file, container);
    if (read.kind === 'absent') continue;
    if (read.kind === 'invalid') return broken(plugin.name, file, read.message, read.at);
    if (!isObject(read.value)) return broken(plugin.name, file, 'not a JSON object');
    if (path === 'plugin.json' && !isAgentPlugin(read.value)) continue;
    return { file, value: read.value };
  }
  return null;
}

/** The diagnostic for a manifest that cannot be used. */
export function broken(name: string, file: string, message: string, at?: Position): Diagnostic {
  const remedy = 'Reinstall or update the plugin; until then none of its skills is published.';
  return diagnostic('plugin-manifest-invalid', file, `plugin "${name}": manifest is ${message}`, remedy, at);
}

/** The roots in which a plugin's skills lie. */
function rootsOfPlugin(plugin: Plugin): { roots: Root[]; diagnostics: Diagnostic[] } {
  const real = realPathOf(plugin.dir);
  if (!real.ok) {
    const message = `plugin "${plugin.name}" is installed, but its folder cannot be opened (${real.reason})`;
    const remedy = 'Update or reinstall the plugin in its agent.';
    return { roots: [], diagnostics: [diagnostic('plugin-missing', plugin.dir, message, remedy)] };
  }
  const manifest = manifestOf(plugin);
  if (manifest !== null && 'code' in manifest) return { roots: [], diagnostics: [manifest] };
  const root = (path: string, depth: number): Root => ({
    path,
    provider: plugin.provider,
    location: 'plugin',
    plugin: { name: plugin.name, key: pluginKey(plugin) },
    depth,
    named: false,
    holdsPlugins: false,
    container: real.value,
  });
  if (manifest !== null && isAgentPlugin(manifest.value)) {
    const standard = join(plugin.dir, 'skills');
    const strayed = outside(plugin, real.value, standard);
    if (strayed !== null) return { roots: [], diagnostics: [strayed] };
    return { roots: [{ ...root(standard, 1), belowOnly: true }], diagnostics: [] };
  }
  const listed = listedFolders(plugin, manifest);
  if ('code' in listed) return { roots: [], diagnostics: [listed] };
  const diagnostics: Diagnostic[] = [];
  const inside = (folder: string): boolean => {
    const strayed = outside(plugin, real.value, folder);
    if (strayed !== null) diagnostics.push(strayed);
    return strayed === null;
  };
  const folders = listed.folders.filter((folder) => realPathOf(folder).ok && inside(folder));
  const chosen = chooseRoots(plugin, folders, listed.complete);
  const roots = chosen.filter(([path]) => folders.includes(path) || inside(path));
  return { roots: roots.map(([path, depth]) => root(path, depth)), diagnostics };
}

/** The diagnostic for a folder that exists, but not in the plugin. */
function outside(plugin: Plugin, container: string, folder: string): Diagnostic | null {
  const target = realPathOf(folder);
  if (!target.ok || isInside(container, target.value)) return null;
  const message = `plugin "${plugin.name}" names a skill folder outside itself; it is not read`;
  return diagnostic('plugin-path-outside', folder, message, 'Report this to the author of the plugin.');
}

/** Adds a plugin's roots to those to be searched or, if there is a reason, to those left out. */
export function publish(plugin: Plugin, reason: Diagnostic | null, findings: PluginFindings): void {
  const { roots, diagnostics } = rootsOfPlugin(plugin);
  if (reason === null) {
    findings.roots.push(...roots);
    findings.diagnostics.push(...diagnostics);
  } else {
    findings.hidden.push(...roots.map((root) => ({ root, reason })));
    findings.diagnostics.push(reason);
  }
}

/**
 * Chooses the roots: listed folders add to `skills/`; a complete list replaces it; a plugin with neither may be one
 * skill itself.
 */
function chooseRoots(plugin: Plugin, folders: readonly string[], complete: boolean): [string, number][] {
  const standard = join(plugin.dir, 'skills');
  if (complete && folders.length > 0) return folders.map((folder) => [folder, categoryDepth]);
  if (folders.length === 0 && !existsSync(standard)) return [[plugin.dir, 0]];
  return [...new Set([standard, ...folders])].map((folder) => [folder, categoryDepth]);
}

interface Listed {
  readonly folders: readonly string[];
  /** Whether the list is the whole set: the way several plugins share one marketplace folder. */
  readonly complete: boolean;
}

/** Number of folders read: more than any plugin lists, and few enough to be quick. */
const mostFolders = 1000;

function listedFolders(plugin: Plugin, manifest: Manifest | null): Listed | Diagnostic {
  const { entry } = plugin;
  const whole = entry?.['strict'] === false;
  const sources = [entry?.['skills'], whole ? undefined : manifest?.value['skills']];
  const lists = sources.map((value) => pathsIn(value));
  const fault = lists.find((list) => typeof list === 'string');
  if (fault !== undefined) return broken(plugin.name, manifest?.file ?? plugin.dir, `wrong: "skills" ${fault}`);
  const paths = lists.filter((list) => typeof list !== 'string').flat();
  const source = entry?.['source'];
  const sharesMarketplace = typeof source === 'string' && /^\.?\/?$/.test(source);
  const complete = sharesMarketplace && entry?.['skills'] !== undefined;
  return { folders: [...new Set(paths.map((path) => resolve(plugin.dir, path)))], complete };
}

/** The paths of a `skills` field, or what is wrong with it. */
function pathsIn(value: unknown): readonly string[] | string {
  const list: unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  if (!list.every((item): item is string => typeof item === 'string')) return 'must be a path or a list of paths';
  return list.length > mostFolders ? `lists more than ${mostFolders} paths` : list;
}
