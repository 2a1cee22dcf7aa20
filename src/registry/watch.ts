import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../core/errors.ts';
import { createSlicer, each, runSliced, type SlicedTask, type Slicer } from '../core/time-slice.ts';
import type { Watched } from './watched.ts';

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
