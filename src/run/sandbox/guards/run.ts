import {
  chmodSync,
  closeSync,
  constants,
  type FSWatcher,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  watch,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isReadable, linkStatOf, realPathOf, statOf } from '../../../core/disk/files.ts';
import { reasonOf } from '../../../core/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { createSlicer, type Slicer } from '../../../core/time-slice.ts';
import { guardedAs, isSkillFile } from '../../policy/refused-paths.ts';
import type { Outcome, RunSpec, SandboxRuntime, Watcher } from '../types.ts';
import { changedAt, findGuards, type Guards, guardedIn, skillsFolder, type WatchedFolder } from './find.ts';

/** Number of folders watched during a run, the nearest first; the others are checked when it is over. */
const mostWatched = 64;

/**
 * Runs a tool that may write to folders of the host, and protects entries there that programs of the host would execute
 * or obey. Existing ones are mounted read-only. Missing ones cannot be protected so: a run that creates one is ended,
 * and the new entry is set aside.
 */
export async function runGuarded(runtime: SandboxRuntime, spec: RunSpec, watcher: Watcher): Promise<Outcome> {
  if (!spec.mounts.some(({ access }) => access === 'write')) return runtime.run(spec, watcher);
  const guards = await findGuards(
    spec.mounts,
    createSlicer(() => watcher.signal.throwIfAborted()),
  );
  const stop = new AbortController();
  let seen: string | null = null;
  const onPlanted = (path: string) => {
    seen = path;
    stop.abort();
  };
  const watchers = guards.folders.slice(0, mostWatched).map((folder) => watchFolder(folder, onPlanted));
  try {
    const signal = AbortSignal.any([watcher.signal, stop.signal]);
    const outcome = await runtime.run({ ...spec, guards: guards.mounts }, { ...watcher, signal });
    const planted = await setAside(guards, spec.id, createSlicer());
    if (planted.length === 0 && seen !== null) planted.push(wrote(seen));
    return planted.length === 0 ? outcome : { ...outcome, reason: 'denied', message: planted.join('; ') };
  } finally {
    for (const one of watchers) one?.close();
  }
}

function watchFolder({ path, before }: WatchedFolder, onPlanted: (path: string) => void): FSWatcher | null {
  try {
    const watching = watch(path, { persistent: false }, (_event, name) => {
      if (name === null || before.has(name) || guardedAs(name) === null) return;
      if (linkStatOf(join(path, name)).ok) onPlanted(join(path, name));
    });
    watching.on('error', () => undefined); // checked at the end
    return watching;
  } catch {
    return null;
  }
}

/** Renames forbidden entries that the run created, so that nothing is lost. Returns a sentence for each. */
async function setAside({ folders, others, links }: Guards, id: string, slicer: Slicer): Promise<string[]> {
  const known = new Set(folders.map(({ path }) => path));
  const changed: WatchedFolder[] = [];
  for (const [path, before] of others) {
    if (changedAt(path) !== before) changed.push({ path, before: new Set<string>(), holdsSkills: false });
    if (slicer.isDue) await slicer.pause();
  }
  const made = [...folders, ...changed]
    .map(({ path }) => join(path, skillsFolder))
    .filter((path) => !known.has(path) && statOf(path).ok)
    .map((path) => ({ path, before: new Set<string>(), holdsSkills: true }));
  const planted: string[] = [];
  for (const folder of [...folders, ...made, ...changed]) {
    planted.push(...plantedIn(folder));
    if (slicer.isDue) await slicer.pause();
  }
  const turned = links.filter(({ path, leadsTo }) => linkIn(path) !== leadsTo);
  const words = [...new Set([...planted, ...turned.map(({ path }) => path)])].map((path) => moved(path, id));
  for (const { path, leadsTo } of turned) {
    inFolder(dirname(path), (place) => {
      const link = join(place, basename(path));
      if (!linkStatOf(link).ok) symlinkSync(leadsTo, link);
    });
  }
  return words;
}

function plantedIn({ path, before, holdsSkills }: WatchedFolder): readonly string[] {
  const planted = inFolder(path, (place) => {
    // Entries of a folder that cannot be listed can still be opened by name.
    if (!isReadable(place)) chmodSync(place, 0o700);
    return guardedIn(place, holdsSkills).filter((name) => !before.has(name));
  });
  return (planted ?? []).map((name) => join(path, name));
}

/** `O_PATH`: works on any folder without opening a file. Only Linux has it, and names for open descriptors. */
const openPath = 0o10000000;

/**
 * Works in a folder that another run may move or replace at any moment, through a name that stays bound to it. Returns
 * null if something else has taken its place.
 */
function inFolder<T>(path: string, work: (place: string) => T): T | null {
  if (process.platform !== 'linux') {
    const real = realPathOf(path);
    return real.ok && real.value === path ? work(path) : null;
  }
  let descriptor: number;
  try {
    descriptor = openSync(path, openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  try {
    const place = `/proc/self/fd/${descriptor}`;
    return readlinkSync(place) === path ? work(place) : null;
  } finally {
    closeSync(descriptor);
  }
}

function linkIn(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function wrote(path: string): string {
  const name = basename(path);
  const holds = guardedAs(name) ?? (isSkillFile(name) ? 'a skill' : 'what lies beside or in it');
  return `it wrote ${oneLine(path)}, which no tool may write (${holds})`;
}

function moved(path: string, id: string): string {
  const name = basename(path);
  const aside = `${name}.refused-${id.slice(0, 8)}`;
  if (!linkStatOf(path).ok) return `it removed ${oneLine(path)}, which no tool may write; it was put back`;
  try {
    const isDone = inFolder(dirname(path), (place) => {
      renameSync(join(place, name), join(place, aside));
      return true;
    });
    if (isDone === true) return `${wrote(path)}; it was renamed to ${oneLine(aside)}`;
    return `${wrote(path)}; its folder was moved meanwhile: look for it, and remove it`;
  } catch (error) {
    return `${wrote(path)}; it could not be renamed (${reasonOf(error)}): look at it, and remove it`;
  }
}
