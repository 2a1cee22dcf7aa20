import { chmodSync, type FSWatcher, readlinkSync, renameSync, symlinkSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { reasonOf } from '../../kernel/errors.ts';
import { isReadable, linkStatOf, realPathOf, statOf } from '../../kernel/files.ts';
import { oneLine } from '../../kernel/text.ts';
import { guardedAs } from '../../policy/guarded-names.ts';
import type { Outcome, RunSpec, SandboxRuntime, Watcher } from '../types.ts';
import { changedAt, findGuards, type Guards, guardedIn, type WatchedFolder } from './find.ts';

/** The nearest ones; the others are looked at when it is over. */
const mostWatched = 64;

/**
 * Runs something that may write to folders of the host, and keeps it from what programs of the host would run or obey there. What
 * exists is mounted read-only. What does not exist cannot be held so: a run that makes it is ended, and what it made is set aside.
 */
export async function runGuarded(runtime: SandboxRuntime, spec: RunSpec, watcher: Watcher): Promise<Outcome> {
  if (!spec.mounts.some(({ access }) => access === 'write')) return runtime.run(spec, watcher);
  const guards = findGuards(spec.mounts);
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
    const planted = setAside(guards, spec.id);
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
    watching.on('error', () => undefined); // looked at in the end
    return watching;
  } catch {
    return null;
  }
}

/** Takes away what was not there before and may not be, under another name, so that nothing is lost. In words what. */
function setAside({ folders, others, links }: Guards, id: string): string[] {
  const known = new Set(folders.map(({ path }) => path));
  const made = folders
    .map(({ path }) => join(path, 'skills'))
    .filter((path) => !known.has(path) && statOf(path).ok)
    .map((path) => ({ path, before: new Set<string>(), holdsSkills: true }));
  const changed = [...others]
    .filter(([path, before]) => changedAt(path) !== before)
    .map(([path]) => ({ path, before: new Set<string>(), holdsSkills: false }));
  const planted = [...folders, ...made, ...changed].flatMap((folder) => plantedIn(folder));
  const turned = links.filter(({ path, leadsTo }) => linkIn(path) !== leadsTo);
  const words = [...planted, ...turned.map(({ path }) => path)].map((path) => moved(path, id));
  for (const { path, leadsTo } of turned) if (!linkStatOf(path).ok) symlinkSync(leadsTo, path);
  return words;
}

function plantedIn({ path, before, holdsSkills }: WatchedFolder): readonly string[] {
  const real = realPathOf(path);
  if (!real.ok || real.value !== path) return []; // somebody else has put something in its place
  // What cannot be listed can still be opened by its name.
  if (!isReadable(path)) chmodSync(path, 0o700);
  return guardedIn(path, holdsSkills)
    .filter((name) => !before.has(name))
    .map((name) => join(path, name));
}

function linkIn(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function wrote(path: string): string {
  return `it wrote ${oneLine(path)}, which no tool may write (${guardedAs(basename(path)) ?? 'what lies beside or in it'})`;
}

function moved(path: string, id: string): string {
  const aside = `${path}.refused-${id.slice(0, 8)}`;
  if (!linkStatOf(path).ok) return `it removed ${oneLine(path)}, which no tool may write; it was put back`;
  try {
    renameSync(path, aside);
    return `${wrote(path)}; it was renamed to ${oneLine(basename(aside))}`;
  } catch (error) {
    return `${wrote(path)}; it could not be renamed (${reasonOf(error)}): look at it, and remove it`;
  }
}
