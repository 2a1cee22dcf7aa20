import { basename, dirname, join } from 'node:path';
import { pluginFolder } from '../agents/providers.ts';
import { foldersIn, isThere, realPathOrSelf } from '../core/disk/files.ts';
import { channelFolder, remotesFolder } from '../core/disk/own-folders.ts';
import { expandPath } from '../core/disk/paths.ts';
import { projectFiles, projectFolders } from '../core/disk/project.ts';
import type { Environment } from '../core/environment.ts';
import { claudeFolder, codexFolder, type DiscoveryOptions, movedPlugins } from '../discovery/roots.ts';
import type { Scan } from '../discovery/scan.ts';

/** The folders where a change can affect the outcome of a scan. All paths are real ones. */
export interface Watched {
  /** Folders in which everything counts: those that were searched. */
  readonly folders: ReadonlyMap<string, unknown>;
  /**
   * Entry points: folders of which only the named entries count, or, with null, all. A home changes every second, its
   * agents seldom.
   */
  readonly entryPoints: ReadonlyMap<string, ReadonlySet<string> | null>;
}

/** The folders to watch in order to notice whatever would change the outcome of a scan. */
export function watchedAfter(
  scan: Scan,
  options: DiscoveryOptions,
  environment: Environment,
  files: readonly { readonly path: string }[] = [],
): Watched {
  const entryPoints = new EntryPoints();
  for (const { path } of files) entryPoints.await(path); // settings disable skills
  for (const folder of projectFolders(environment)) {
    for (const name of projectFiles.manifest) entryPoints.await(join(folder, name)); // and manifests name some
  }
  for (const path of scan.missing) entryPoints.await(path);
  for (const { root } of scan.roots) entryPoints.await(root.path); // a root may be replaced, or be a link that is
  if (options.remotes !== 'off') entryPoints.tree(remotesFolder(environment), 1);
  if (options.cluster !== undefined)
    entryPoints.await(channelFolder(environment, options.clusterName, options.clusterChannel));
  if (!options.skipPlugins) awaitPlugins(scan, options, environment, entryPoints);
  return { folders: scan.folders, entryPoints: entryPoints.found };
}

class EntryPoints {
  readonly found = new Map<string, Set<string> | null>();
  readonly #real = new Map<string, string | null>();

  /** Watches for a path to appear, change or go: in its folder or, if that is missing, in the nearest one around it. */
  await(path: string): void {
    let [folder, name] = [dirname(path), basename(path)];
    let real = this.#realOf(folder);
    while (real === null && folder !== dirname(folder)) {
      [folder, name] = [dirname(folder), basename(folder)];
      real = this.#realOf(folder);
    }
    if (real === null || this.found.get(real) === null) return;
    const names = this.found.get(real) ?? new Set();
    this.found.set(real, names.add(name));
  }

  /** Watches everything in a folder, and in its folders down to this depth. */
  tree(folder: string, depth: number): void {
    this.await(folder);
    const real = this.#realOf(folder);
    if (real === null) return;
    this.found.set(real, null);
    for (const name of depth > 0 ? foldersIn(real) : []) this.tree(join(real, name), depth - 1);
  }

  /** The real path of a folder, or null if it does not exist. Most are requested many times over. */
  #realOf(folder: string): string | null {
    let real = this.#real.get(folder);
    if (real === undefined) {
      real = isThere(folder) ? realPathOrSelf(folder) : null;
      this.#real.set(folder, real);
    }
    return real;
  }
}

const manifests = [
  'plugin.json',
  '.claude-plugin/plugin.json',
  '.codex-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
  '.plugin/plugin.json',
  '.github/plugin/plugin.json',
  'gemini-extension.json',
  'skills',
];

/**
 * Watches for plugins. They come and go by lists, switches and folders, and each says in a file of its own where its
 * skills are.
 */
function awaitPlugins(scan: Scan, options: DiscoveryOptions, environment: Environment, entryPoints: EntryPoints): void {
  const [claude, codex] = [claudeFolder(environment), codexFolder(environment)];
  const projects = projectFolders(environment);
  const root = expandPath(movedPlugins(options, environment) ?? pluginFolder('claude', environment), environment);
  const files = [
    expandPath(options.pluginsFile ?? join(root, 'installed_plugins.json'), environment),
    join(root, 'known_marketplaces.json'),
    join(claude, 'settings.json'),
    join(environment.systemDir, 'claude-code', 'managed-settings.json'),
    ...projects.flatMap((folder) =>
      ['settings.json', 'settings.local.json'].map((name) => join(folder, '.claude', name)),
    ),
    join(codex, 'config.toml'),
  ];
  for (const file of files) entryPoints.await(file);
  const trees: [string, number][] = [
    [join(root, 'synced'), 0],
    [join(root, 'marketplaces'), 0],
    [join(pluginFolder('codex', environment), 'cache'), 2],
    [pluginFolder('gemini', environment), 0],
    [pluginFolder('copilot', environment), 1],
    ...[...projects, environment.home].map((base): [string, number] => [join(base, '.agents', 'plugins'), 1]),
  ];
  for (const [folder, depth] of trees) entryPoints.tree(folder, depth);
  for (const name of foldersIn(join(root, 'marketplaces'))) {
    entryPoints.await(join(root, 'marketplaces', name, '.claude-plugin', 'marketplace.json'));
  }
  const roots = [...scan.roots, ...scan.hidden].map((one) => one.root);
  const plugins = new Set(roots.flatMap(({ plugin, container }) => (plugin && container ? [container] : [])));
  for (const dir of plugins) for (const path of manifests) entryPoints.await(join(dir, path));
}
