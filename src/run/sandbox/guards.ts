import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  type FSWatcher,
  openSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  watch,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { entriesOf, linkStatOf, realPathOf, statOf } from '../../core/disk/files.ts';
import { isRepository, isRepositoryPart } from '../../core/disk/git-repository.ts';
import { isInside } from '../../core/disk/paths.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { createSlicer, type Slicer } from '../../core/time-slice.ts';
import { guardedAs, guardedByContent, isSkillFile } from '../policy/refused-paths.ts';
import type { Mount } from '../policy/types.ts';
import type { Outcome, RunSpec, SandboxRuntime, Watcher } from './types.ts';

/** Number of folders watched during a run: those with guarded entries, then others, the nearest first. All are checked when it is over. */
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
  const others = [...guards.others.keys()].map((path) => ({ path, before: new Set<string>() }));
  const watchers = [...guards.folders, ...others].slice(0, mostWatched).map((folder) => watchFolder(folder, onPlanted));
  try {
    const signal = AbortSignal.any([watcher.signal, stop.signal]);
    const outcome = await runtime.run({ ...spec, guards: guards.mounts }, { ...watcher, signal });
    const planted = await setAside(guards, createSlicer());
    if (planted.length === 0 && seen !== null) planted.push(wrote(seen));
    return planted.length === 0 ? outcome : { ...outcome, reason: 'denied', message: planted.join('; ') };
  } finally {
    for (const one of watchers) one?.close();
  }
}

function watchFolder(
  { path, before }: Pick<WatchedFolder, 'path' | 'before'>,
  onPlanted: (path: string) => void,
): FSWatcher | null {
  try {
    const watching = watch(path, { persistent: false }, (_event, name) => {
      if (name === null || before.has(name)) return;
      const isPlanted = isRepositoryPart(name) ? isRepository(namesOf(listed(path))) : guardedAs(name) !== null;
      if (isPlanted && linkStatOf(join(path, name)).ok) onPlanted(join(path, name));
    });
    watching.on('error', () => undefined); // checked at the end
    return watching;
  } catch {
    return null;
  }
}

/** Renames forbidden entries that the run created, so that nothing is lost. Returns a sentence for each. */
async function setAside({ folders, others, links }: Guards, slicer: Slicer): Promise<string[]> {
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
  const closed: Closed[] = [];
  const planted: string[] = [];
  for (const folder of [...folders, ...made, ...changed]) {
    planted.push(...plantedIn(folder, closed));
    if (slicer.isDue) await slicer.pause();
  }
  const turned = links.filter(({ path, leadsTo }) => attempt(() => readlinkSync(path), null) !== leadsTo);
  const words = [...new Set([...planted, ...turned.map(({ path }) => path)])].map(moved);
  for (const { path, leadsTo } of turned) {
    inFolder(dirname(path), (place) => {
      const link = join(place, basename(path));
      if (!linkStatOf(link).ok) symlinkSync(leadsTo, link);
    });
  }
  const unharmed = closed.filter(({ path }) => !planted.some((one) => dirname(one) === path));
  for (const { path, mode } of unharmed.reverse()) inFolder(path, (place) => chmodSync(place, mode));
  return words;
}

/** A folder that the run had closed to us, and the mode that it gave it. */
interface Closed {
  readonly path: string;
  readonly mode: number;
}

/** The guarded entries that a run has made in a folder. Opens the folder where the run has closed it to us. */
function plantedIn({ path, before, holdsSkills }: WatchedFolder, closed: Closed[]): readonly string[] {
  const planted = inFolder(path, (place) => {
    // Entries of a folder that cannot be listed can still be opened by name, and those of one that is read-only not renamed.
    if (!isOpen(place)) {
      closed.push({ path, mode: statSync(place).mode & 0o777 });
      chmodSync(place, 0o700);
    }
    return guardedIn(place, holdsSkills).filter((name) => !before.has(name));
  });
  if (planted !== null) return planted.map((name) => join(path, name));
  const link = linkTo(path);
  return link !== null && guardedIn(path, holdsSkills).length > 0 ? [link] : [];
}

function isOpen(folder: string): boolean {
  const { R_OK, W_OK, X_OK } = constants;
  return attempt(() => {
    accessSync(folder, R_OK | W_OK | X_OK);
    return true;
  }, false);
}

/** The link that has taken the place of a folder, or of one above it; null where there is none. */
function linkTo(path: string): string | null {
  const above = foldersAbove(path.slice(1)).map((part) => `/${part}`);
  return [...above, path].find((part) => isLink(part)) ?? null;
}

function isLink(path: string): boolean {
  const stats = linkStatOf(path);
  return stats.ok && stats.value.isSymbolicLink();
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

function wrote(path: string): string {
  const name = basename(path);
  const holds = guardedAs(name) ?? (isSkillFile(name) ? 'a skill' : 'what lies beside or in it');
  return `it wrote ${oneLine(path)}, which no tool may write (${holds})`;
}

function moved(path: string): string {
  const name = basename(path);
  // The run must not know this name beforehand, and a file system must take it: else the entry would stay.
  const aside = `${name.slice(0, 50)}.refused-${randomBytes(4).toString('hex')}`;
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

/** Limits of the search. bubblewrap takes a quarter of a second for 200 mounts, and its time grows quadratically. */
const most = { folders: 20_000, mounts: 200 };

/** Folders not searched: they hold only installed packages, and far too many of them. */
const skipped = new Set(['node_modules']);

/** A folder in which no guarded entry may appear, and those that were there before. */
interface WatchedFolder {
  readonly path: string;
  /** Guarded names, and paths of the files that make skills. */
  readonly before: ReadonlySet<string>;
  /** Whether it contains skills, so that another skill would be discovered too, at any depth. */
  readonly holdsSkills: boolean;
}

/** A guarded name that is a link: nothing can be mounted over it, so it is compared after the run. */
interface GuardedLink {
  readonly path: string;
  readonly leadsTo: string;
}

interface Guards {
  /** Guarded entries of writable folders, mounted read-only; and the folders above them, which then cannot be moved. */
  readonly mounts: readonly Mount[];
  readonly folders: readonly WatchedFolder[];
  /** Folders without guarded entries, with their change times, which no program can forge. */
  readonly others: ReadonlyMap<string, number>;
  readonly links: readonly GuardedLink[];
}

interface Found {
  readonly mounts: Map<string, Mount>;
  /** Folders to be watched, and whether they contain skills. */
  readonly folders: Map<string, boolean>;
  readonly others: Map<string, number>;
  readonly links: GuardedLink[];
}

/** Finds everything in the writable folders of a run that it may not write to. Throws if there is too much of it. */
export async function findGuards(
  mounts: readonly Mount[],
  slicer: Slicer = createSlicer(),
  limits = most,
): Promise<Guards> {
  const found: Found = { mounts: new Map(), folders: new Map(), others: new Map(), links: [] };
  for (const mount of mounts) {
    // Folders mounted inside have access rights of their own.
    const inner = mounts.filter((other) => other !== mount && isInside(mount.target, other.target));
    const within: Within = { others: new Set(inner.map(({ target }) => target)), limits, slicer };
    if (mount.access === 'write') await search(mount, within, found);
  }
  const folders: WatchedFolder[] = [];
  for (const [path, holdsSkills] of found.folders) {
    folders.push({ path, holdsSkills, before: new Set(guardedIn(path, holdsSkills)) });
    if (slicer.isDue) await slicer.pause();
  }
  const { others, links } = found;
  for (const { path } of folders) others.delete(path);
  return { mounts: outermost([...found.mounts.values()]), folders, others, links };
}

/** Drops mounts below a read-only one: they are not needed, and a writable one would open it again. */
function outermost(mounts: readonly Mount[]): readonly Mount[] {
  const closed = mounts.filter(({ access }) => access === 'read').map(({ target }) => target);
  return mounts.filter(({ target }) => !closed.some((above) => above !== target && isInside(above, target)));
}

interface Within {
  /** Targets of other mounts. */
  readonly others: ReadonlySet<string>;
  readonly limits: typeof most;
  readonly slicer: Slicer;
}

async function search(mount: Mount, { others, limits, slicer }: Within, found: Found): Promise<void> {
  const folders = [''];
  for (let count = 0; count < folders.length; count++) {
    if (count >= limits.folders) throw tooManyFolders(mount, limits.folders);
    const folder = folders[count] ?? '';
    const inner = searchFolder(mount, folder, found).map((name) => join(folder, name));
    folders.push(...inner.filter((path) => !others.has(join(mount.target, path))));
    if (found.mounts.size > limits.mounts) throw tooManyMounts(mount, found, limits.mounts);
    if (slicer.isDue) await slicer.pause();
  }
}

/** Guards the entries of a folder, given by its path within the mount; returns the subfolders still to be searched. */
function searchFolder(mount: Mount, folder: string, found: Found): readonly string[] {
  const whole = join(mount.source, folder);
  const entries = entriesIn(whole);
  const content = folder === '' ? null : guardedByContent(namesOf(entries));
  if (content !== null) {
    protect(mount, folder, found);
    watched(dirname(whole), content === 'a skill', found);
    return [];
  }
  const guarded = entries.filter(({ name }) => guardedAs(name) !== null);
  for (const entry of guarded) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) guardLink(mount, path, found);
    else protect(mount, path, found);
  }
  const toSkills = entries.filter(isLinkToSkills);
  for (const { name } of toSkills) {
    const real = realPathOf(join(whole, name));
    if (real.ok && isInside(mount.source, real.value)) watched(real.value, true, found);
  }
  const holdsSkills = (folder === '' ? mount.source : basename(folder)).split('/').includes(skillsFolder);
  if (folder === '' || guarded.length + toSkills.length > 0 || holdsSkills) watched(whole, holdsSkills, found);
  else found.others.set(whole, changedAt(whole));
  const left = entries.filter((entry) => entry.isDirectory() && !guarded.includes(entry) && !skipped.has(entry.name));
  return namesOf(left);
}

/** Mounts a path read-only, and each folder above it as a mount of its own, because only mounts cannot be renamed. */
function protect(mount: Mount, path: string, { mounts }: Found): void {
  for (const part of [path, ...foldersAbove(path)]) {
    const target = join(mount.target, part);
    const access = part === path || mounts.get(target)?.access === 'read' ? 'read' : 'write';
    mounts.set(target, { source: join(mount.source, part), target, access });
  }
}

function guardLink(mount: Mount, path: string, found: Found): void {
  const link = join(mount.source, path);
  found.links.push({ path: link, leadsTo: readlinkSync(link) });
  const real = realPathOf(link);
  if (!real.ok || real.value === mount.source || !isInside(mount.source, real.value)) return;
  protect(mount, real.value.slice(mount.source.length + 1), found);
}

function changedAt(folder: string): number {
  const stats = statOf(folder);
  return stats.ok ? stats.value.ctimeMs : 0;
}

function watched(path: string, holdsSkills: boolean, { folders }: Found): void {
  folders.set(path, holdsSkills || folders.get(path) === true);
}

/** The name by which a project's folder of skills is found. */
const skillsFolder = 'skills';

function isLinkToSkills(entry: Dirent): boolean {
  return entry.name === skillsFolder && entry.isSymbolicLink();
}

/**
 * The names of guarded entries in a folder; for a bare repository, the file that makes it one. Where it contains skills, also
 * the paths of what a scan would find one by.
 */
function guardedIn(folder: string, holdsSkills: boolean): readonly string[] {
  const entries = entriesIn(folder);
  const isGuarded = (entry: Dirent) =>
    guardedAs(entry.name) !== null || (isLinkToSkills(entry) && skillPathsIn(join(folder, entry.name)).length > 0);
  return [
    ...namesOf(entries.filter(isGuarded)),
    ...(isRepository(namesOf(entries)) ? namesOf(entries).filter((name) => name.toLowerCase() === 'head') : []),
    ...(holdsSkills ? skillPathsIn(folder) : []),
  ];
}

/**
 * The paths of the files in a folder that make skills, at any depth, and of links that lead to such a file. Where there
 * are more folders than can be looked through, the folder itself.
 */
function skillPathsIn(folder: string): readonly string[] {
  const found = new Set<string>();
  const followed = new Set<string>();
  const folders: Entered[] = [{ path: '', link: null }];
  for (const { path, link } of folders) {
    if (folders.length > most.folders) return ['.'];
    const entries = listed(join(folder, path));
    for (const { name } of entries.filter((entry) => isSkillFile(entry.name))) found.add(link ?? join(path, name));
    for (const entry of entries.filter((one) => isEntered(one, join(folder, path), followed))) {
      const inner = join(path, entry.name);
      folders.push({ path: inner, link: link ?? (entry.isSymbolicLink() ? inner : null) });
    }
  }
  return [...found];
}

interface Entered {
  readonly path: string;
  /** The link by which it was reached. */
  readonly link: string | null;
}

/** Whether a search for skills goes on in an entry. Links are followed once to each place. */
function isEntered(entry: Dirent, folder: string, followed: Set<string>): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory() && !skipped.has(entry.name);
  const real = realPathOf(join(folder, entry.name));
  if (!real.ok || followed.has(real.value)) return false;
  followed.add(real.value);
  return true;
}

/** The entries of a folder; none where it cannot be listed. */
function listed(folder: string): readonly Dirent[] {
  const entries = entriesOf(folder);
  return entries.ok ? entries.value : [];
}

function namesOf(entries: readonly Dirent[]): readonly string[] {
  return entries.map(({ name }) => name);
}

/** Lists a folder. Throws if our own is unreadable: unlike another user's, the run could make it readable again. */
function entriesIn(folder: string): readonly Dirent[] {
  const entries = entriesOf(folder);
  if (entries.ok) return entries.value;
  const stats = statOf(folder);
  if (!stats.ok || !stats.value.isDirectory() || stats.value.uid !== process.getuid?.()) return [];
  throw new SkillError('denied', `${folder}, which a tool may write to, cannot be listed (${entries.reason})`, {
    hint: `Make it readable: chmod u+rx ${folder}`,
  });
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function tooManyFolders({ target }: Mount, limit: number): SkillError {
  return new SkillError('denied', `${target}, which a tool may write to, holds more than ${limit} folders`, {
    hint: 'Grant a folder in it that holds less.',
  });
}

/** The error for too many guarded paths; names the folder with most of them, which the tool often does not need. */
function tooManyMounts({ target }: Mount, { mounts }: Found, limit: number): SkillError {
  const counts = new Map<string, number>();
  for (const inside of mounts.keys()) {
    if (!isInside(target, inside)) continue;
    const top = join(target, inside.slice(target.length).split('/').find(Boolean) ?? '');
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  const [fullest = target] = [...counts].toSorted(([, one], [, other]) => other - one).map(([top]) => top);
  const what = 'repositories, settings of agents and editors, skills and the folders above them';
  return new SkillError(
    'denied',
    `${target}, which a tool may write to, holds more than ${limit} places to protect in it (${what}), most of them in ${fullest}`,
    { hint: `Grant a folder in it that holds less, such as a single project; or move ${fullest} elsewhere.` },
  );
}
