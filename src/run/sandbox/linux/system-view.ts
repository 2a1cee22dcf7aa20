import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isProgram, isThere, linkStatOf, realPathOf, statOf } from '../../../core/disk/files.ts';
import { thisProcess } from '../../../core/disk/owner.ts';
import { discard } from '../../../core/disk/replace.ts';
import type { Mount } from '../../policy/types.ts';

/** Entries of the root folder that every program of the system needs. */
const topFolders = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/** Entries of `/etc` that programs need: none reveals anything about this machine or its users. */
const settings = [
  'ld.so.cache',
  'alternatives',
  'localtime',
  'ssl/certs',
  'ssl/openssl.cnf',
  'pki/tls/certs',
  'pki/ca-trust/extracted',
  'crypto-policies',
];

/** The user that a run sees itself as, whatever it is outside. */
export const insideUser = 1000;

const ownFiles: Readonly<Record<string, string>> = {
  passwd: `run:x:${insideUser}:${insideUser}:run:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`,
  group: `run:x:${insideUser}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
};

/** Empty places at which root's launchers show things, each in a mount namespace of its own. */
export interface Stage {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

const stagePlaces = 32;

export interface SystemView {
  readonly stage: Stage;
  /** Arguments of bubblewrap: for the root folder, and for the entries of `/etc` once that exists. */
  readonly top: readonly string[];
  readonly settings: readonly string[];
  /** The folder that becomes `/etc` inside. */
  readonly etc: string;
  /** Folders of the host that a run sees at their own paths. */
  readonly folders: readonly string[];
}

/** Prefix of the folders that processes keep for their runs. */
export const folderPrefix = 'repertoire-run-';

/**
 * Creates a folder of this process for sockets and the like, removed when the process ends normally. Others can open
 * entries that they know by name, so each entry has to be closed to them itself.
 */
export function createRuntimeFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, `${folderPrefix}${thisProcess()}-`));
  if (process.getuid?.() === 0) chmodSync(folder, 0o711);
  mkdirSync(privateFolder(folder), { mode: 0o700 });
  if (made.size === 0) process.once('exit', removeAll);
  made.add(folder);
  return folder;
}

const made = new Set<string>();

function removeAll(): void {
  for (const folder of made) discard(folder);
}

/** Removes the folder early, when nobody needs it any more. */
export function removeRuntimeFolder(folder: string): void {
  discard(folder);
  made.delete(folder);
  if (made.size === 0) process.off('exit', removeAll);
}

/** The folder inside it that is closed to other users. */
export function privateFolder(runtimeFolder: string): string {
  return join(runtimeFolder, 'private');
}

/** Creates the view of the system that runs see: the same for all of them, so it is computed once. */
export function createSystemView(runtimeFolder: string): SystemView {
  const folders: string[] = [];
  const top = topFolders.flatMap((name) => {
    const stats = linkStatOf(`/${name}`);
    if (!stats.ok) return [];
    if (stats.value.isSymbolicLink()) return ['--symlink', readlinkSync(`/${name}`), `/${name}`];
    folders.push(`/${name}`);
    return ['--ro-bind', `/${name}`, `/${name}`];
  });
  const etc = join(runtimeFolder, 'etc');
  openFolder(etc);
  for (const [name, text] of Object.entries(ownFiles)) openFile(join(etc, name), text);
  return { top, settings: settingsFor(etc), etc, folders, stage: stageIn(runtimeFolder) };
}

function stageIn(runtimeFolder: string): Stage {
  if (process.getuid?.() !== 0) return { folders: [], files: [] };
  const places = (kind: string) =>
    Array.from({ length: stagePlaces }, (_, index) => join(runtimeFolder, `${kind}-${index}`));
  const stage = { folders: places('folder'), files: places('file') };
  for (const folder of stage.folders) openFolder(folder);
  for (const file of stage.files) openFile(file, '');
  return stage;
}

function settingsFor(etc: string): readonly string[] {
  return settings.flatMap((name) => {
    const source = realPathOf(`/etc/${name}`);
    if (!source.ok) return [];
    placeholder(etc, name, source.value);
    return ['--ro-bind', source.value, `/etc/${name}`];
  });
}

/** Creates an empty entry, to be covered by the real one. */
function placeholder(etc: string, name: string, source: string): void {
  const stats = statOf(source);
  const isFolder = stats.ok && stats.value.isDirectory();
  const parts = (isFolder ? `${name}/` : name).split('/').slice(0, -1);
  for (let count = 1; count <= parts.length; count++) openFolder(join(etc, ...parts.slice(0, count)));
  if (!isFolder) openFile(join(etc, name), '');
}

/** Creates a folder that every user can read, whatever our umask is: the folder above is private. */
function openFolder(path: string): void {
  if (!isThere(path)) mkdirSync(path);
  chmodSync(path, 0o755);
}

function openFile(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o644);
}

const enteredByOthers = 0o001;

/** Tells whether a folder above is closed to users that own nothing. */
export function isHidden(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = statOf(folder);
    if (!stats.ok || (stats.value.mode & enteredByOthers) === 0) return true;
    if (folder === dirname(folder)) return false;
  }
}

export function isFolder(path: string): boolean {
  const stats = statOf(path);
  return stats.ok && stats.value.isDirectory();
}

/** `O_PATH`: only identifies the file. Nothing is read, and no permission to read is needed. */
const pathOnly = 0o10000000;

/**
 * Checks that a process sees the files it was meant to see. Paths were checked before they were mounted, and in between
 * somebody who may write beside them could have replaced one by a link. Nothing has been started by then, so nothing
 * has been seen if this finds one. Returns a sentence that names it, or null.
 */
export function turnedPath(pid: number, mounts: readonly Mount[]): string | null {
  const turned = mounts.find(({ source, target }) => !isSame(source, `/proc/${pid}/root${target}`));
  return turned === undefined ? null : `${turned.source} was replaced while the run was starting`;
}

/**
 * Tells whether both paths are the same file. The kernel reports the path by which a file was reached: any other than
 * the requested one went through a link.
 */
function isSame(source: string, shown: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(source, pathOnly);
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== source) return false;
    const [meant, seen] = [fstatSync(descriptor), statSync(shown)];
    return meant.ino === seen.ino && meant.dev === seen.dev;
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Folders of system programs. The caller's PATH is never used: what holds the sandbox up must come from the system. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** The path of a program of the system; null if it is not installed. */
export function findProgram(name: string): string | null {
  for (const folder of folders) {
    const path = `${folder}/${name}`;
    if (isProgram(path)) return path;
  }
  return null;
}
