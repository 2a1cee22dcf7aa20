import { watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pluginFolder } from '../agents/providers.ts';
import { foldersIn, isThere, realPathOrSelf } from '../core/disk/files.ts';
import { channelFolder, remotesFolder } from '../core/disk/own-folders.ts';
import { expandPath } from '../core/disk/paths.ts';
import { projectFiles, projectFolders } from '../core/disk/project.ts';
import type { Environment } from '../core/environment.ts';
import { reasonOf } from '../core/errors.ts';
import { createSlicer, each, runSliced, type SlicedTask, type Slicer } from '../core/time-slice.ts';
import { claudeFolder, codexFolder, type DiscoveryOptions, movedPlugins } from '../discovery/roots.ts';
import type { Scan } from '../discovery/scan.ts';

export interface WatcherOptions {
  readonly platform: NodeJS.Platform;
  /** Called when something may have changed. Only a scan can tell what. */
  readonly onHint: () => void;
  /** Called once if not everything can be watched, with the reason. */
  readonly onLimit: (reason: string) => void;
  /** Opens the watch on one folder; the system's own by default. */
  readonly openWatch?: OpenWatch;
}

export interface Watcher {
  /** Watches these folders and no others. A later call takes over from one that is not done yet. */
  sync(watched: Watched): Promise<void>;
  /** Whether everything is watched, or not yet, or not everything can be. */
  readonly state: 'whole' | 'behind' | 'limited';
  /** Number of folders watched. */
  readonly folders: number;
  close(): void;
}

type OnEvent = (event: 'rename' | 'change', name: string | null) => void;
export type OpenWatch = (folder: string, extent: Extent, onEvent: OnEvent) => { close(): void };

/** The extent of a watch: a folder alone, or with everything below it. */
type Extent = 'folder' | 'tree';
type Plan = ReadonlyMap<string, Extent>;

/** Errors that mean that watches have run out, or do not exist; any other error concerns one folder. */
const exhausted = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM', 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM']);

/**
 * The maximum number of watches. The user has other programs that watch: not all of the system's watches are ours to
 * take.
 */
const most = 100_000;

/** Number of folders above which watching is delayed when a process starts: it has its first requests to answer. */
const few = 200;
const startMs = 250;

/**
 * Watches folders for hints that something changed. The scan is the truth; a hint only says that it is time for one. So
 * events mean nothing else, and whatever they miss or get wrong, the next scan puts right.
 */
export function createWatcher({ platform, onHint, onLimit, openWatch = systemWatch }: WatcherOptions): Watcher {
  const watches = new Map<string, { close(): void }>();
  /** Folders that could not be watched; not tried again for as long as they are wanted. */
  const refused = new Set<string>();
  /** Folders that were moved or removed: their watches, and all below, now watch something else, or nothing. */
  const stale = new Set<string>();
  let wanted: Watched = { folders: new Map(), entryPoints: new Map() };
  let latest = 0;
  let isBehind = true;
  let isLimited = false;
  let isLimitTold = false;
  let isClosed = false;

  function noticed(folder: string, event: 'rename' | 'change', name: string | null): void {
    // An event without a name, or with the folder's own, is about the folder itself.
    const isOwn = name === null || name === basename(folder);
    if (isOwn && event === 'rename') stale.add(folder);
    if (isOwn || wanted.folders.has(folder) || wanted.entryPoints.get(folder)?.has(name) !== false) onHint();
  }

  /** Opens a watch, and returns whether the folder is watched now. */
  function open(folder: string, extent: Extent): boolean {
    if (watches.size >= most) return stopAt(`more than ${most} folders`);
    try {
      const one = openWatch(folder, extent, (event, name) => noticed(folder, event, name));
      watches.set(folder, one);
      return true;
    } catch (error) {
      const reason = reasonOf(error);
      if (exhausted.has(reason)) return stopAt(reason);
      refused.add(folder);
      return false;
    }
  }

  function stopAt(reason: string): false {
    isLimited = true;
    if (!isLimitTold) onLimit(reason);
    isLimitTold = true;
    return false;
  }

  /** Closes moved folders before anything is opened: opened first, they would be watched under their old names. */
  function* closeSteps(plan: Plan): SlicedTask<void> {
    const moved = [...stale];
    yield* each(watches, ([folder, one]) => {
      if (plan.has(folder) && (stale.size === 0 || !isBelowAny(folder, stale))) return;
      one.close();
      watches.delete(folder);
    });
    for (const folder of moved) stale.delete(folder);
    yield* each(refused, (folder) => !plan.has(folder) && refused.delete(folder));
  }

  /** The folders of a plan that are not watched yet. */
  function* newSteps(plan: Plan): SlicedTask<[string, Extent][]> {
    const fresh: [string, Extent][] = [];
    yield* each(plan, (one) => {
      if (!watches.has(one[0]) && !refused.has(one[0])) fresh.push(one);
    });
    return fresh;
  }

  /** Opens one watch after the other, until the system grants no more or a later turn takes over. */
  async function openAll(fresh: readonly [string, Extent][], turn: number, slicer: Slicer): Promise<number> {
    let opened = 0;
    for (const [folder, extent] of fresh) {
      if (slicer.isDue) await slicer.pause();
      if (turn !== latest || isLimited) break;
      if (open(folder, extent)) opened++;
    }
    return opened;
  }

  async function sync(watched: Watched): Promise<void> {
    if (isClosed) return;
    const turn = ++latest;
    const isFirst = turn === 1;
    const slicer = createSlicer();
    // Set at once: a caller before the plan is made must not see that everything is watched.
    isBehind ||= hasMore(watched, wanted);
    wanted = watched;
    const plan = await runSliced(planFor(platform, watched), slicer);
    if (turn === latest) await runSliced(closeSteps(plan), slicer);
    const fresh = await runSliced(newSteps(plan), slicer);
    if (turn !== latest) return;
    [isBehind, isLimited] = [fresh.length > 0, false];
    if (isFirst && fresh.length > few) await sleep(startMs, undefined, { ref: false });
    const opened = await openAll(fresh, turn, slicer);
    if (turn === latest) isBehind = false;
    // A change between the scan and now has not been reported.
    if (opened > 0 && !isClosed) onHint();
  }

  return {
    sync,
    get state() {
      return isBehind ? 'behind' : isLimited ? 'limited' : 'whole';
    },
    get folders() {
      return watches.size;
    },
    close() {
      isClosed = true;
      latest++;
      for (const one of watches.values()) one.close();
      watches.clear();
    },
  };
}

/** Tells whether one of them has a folder that the other does not. */
function hasMore({ folders, entryPoints }: Watched, known: Watched): boolean {
  for (const folder of folders.keys()) if (!known.folders.has(folder)) return true;
  for (const folder of entryPoints.keys()) if (!known.entryPoints.has(folder)) return true;
  return false;
}

function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (folders.has(folder)) return true;
    if (folder === dirname(folder)) return false;
  }
}

function systemWatch(folder: string, extent: Extent, onEvent: OnEvent): { close(): void } {
  const one = watch(folder, { persistent: false, recursive: extent === 'tree' }, onEvent);
  one.on('error', () => onEvent('rename', null)); // the folder is gone, or the system gave up on it
  return one;
}

/**
 * Plans the watches. On Linux each folder is watched by itself: Node makes recursive watches out of such ones there,
 * and loses what happens after a rename. macOS and Windows have recursive watches of their own, cheap and whole, while
 * many single ones keep folders from being renamed on Windows; so there it is one for each tree. Tried on Linux only.
 */
function* planFor(platform: NodeJS.Platform, { folders, entryPoints }: Watched): SlicedTask<Plan> {
  const isRecursive = platform === 'darwin' || platform === 'win32';
  const plan = new Map<string, Extent>();
  // The entry points come first: they are few, and where watches run out they cover whole roots.
  yield* each(entryPoints.keys(), (folder) => plan.set(folder, 'folder'));
  yield* each(folders.keys(), (folder) => {
    if (!isRecursive) plan.set(folder, 'folder');
    else if (!folders.has(dirname(folder))) plan.set(folder, 'tree');
  });
  return plan;
}

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
