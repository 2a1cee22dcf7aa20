import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { succeeds } from '../../../core/attempt.ts';
import { isThere } from '../../../core/disk/files.ts';
import { thisProcess } from '../../../core/disk/owner.ts';
import { sessionDir } from '../../../core/disk/paths.ts';
import type { Environment } from '../../../core/environment.ts';
import { type CgroupPlace, firstKind, type Kind, second, textOf } from './cgroup.ts';
import { findProgram } from './system-view.ts';

const ours = 'repertoire';

/** Finds the place where groups may be created, cgroup v2 first; null if only limits per process are available. */
export function findCgroupPlace(root = '/sys/fs/cgroup', membership = '/proc/self/cgroup'): CgroupPlace | null {
  const text = textOf(membership);
  return secondKindIn(root, text) ?? firstKindIn(root, text);
}

/** Finds the place on cgroup v2: as high as we may write, so that leftovers are found again. */
function secondKindIn(root: string, membership: string): CgroupPlace | null {
  if (!isThere(join(root, 'cgroup.controllers'))) return null;
  const own = /^0::(\/.*)$/m.exec(membership)?.[1] ?? '/';
  for (const folder of highestFirst(root, join(root, own))) {
    if (!isWritable(folder) || !isWritable(join(folder, 'cgroup.procs'))) continue;
    const place = join(folder, ours);
    if (offers(folder, second) && prepared(place) && offers(place, second) && isUsable(place)) {
      const folders = Object.fromEntries(second.controllers.map((name) => [name, place]));
      return { kind: second, folders, own: listIn(join(root, own)) };
    }
  }
  return null;
}

function firstKindIn(root: string, membership: string): CgroupPlace | null {
  const folders: Record<string, string> = {};
  for (const controller of firstKind.controllers) {
    const tree = join(root, controller);
    const place = join(tree, ours);
    if (!isThere(join(tree, 'cgroup.procs')) || !isWritable(tree) || !prepared(place) || !isUsable(place)) return null;
    folders[controller] = place;
  }
  const own = /^\d+:pids:(\/.*)$/m.exec(membership)?.[1];
  return { kind: firstKind, folders, own: own === undefined ? null : listIn(join(root, 'pids', own)) };
}

function listIn(folder: string): string | null {
  const file = join(folder, 'cgroup.procs');
  return isWritable(file) ? file : null;
}

function highestFirst(root: string, own: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = own; folder.startsWith(root); folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** Tells whether child groups have the controllers, enabling them if necessary. */
function offers(folder: string, kind: Kind): boolean {
  const file = join(folder, 'cgroup.subtree_control');
  const lacking = () => {
    const there = textOf(file).split(/\s+/);
    return kind.controllers.filter((controller) => !there.includes(controller));
  };
  if (lacking().length === 0) return true;
  try {
    writeFileSync(
      file,
      lacking()
        .map((controller) => `+${controller}`)
        .join(' '),
    );
  } catch {
    return false;
  }
  return lacking().length === 0;
}

function prepared(folder: string): boolean {
  try {
    if (!isThere(folder)) mkdirSync(folder);
    return true;
  } catch {
    return isThere(folder);
  }
}

function isUsable(folder: string): boolean {
  const trial = join(folder, `${thisProcess()}-trial`);
  return succeeds(() => {
    mkdirSync(trial);
    rmdirSync(trial);
  });
}

function isWritable(path: string): boolean {
  return succeeds(() => accessSync(path, constants.W_OK));
}

/** The parts of the machine that are consulted; tests pass others. */
export interface Manager {
  /** The root of the cgroup tree. */
  readonly root: string;
  /** The file that names the group of this process. */
  readonly membership: string;
  readonly user: number;
  /** The runtime folder of the session, in which the manager listens. */
  readonly session: string | undefined;
  /** The program that talks to it; null if there is none. */
  readonly busctl: string | null;
}

export function managerOfUser(environment: Environment): Manager {
  return {
    root: '/sys/fs/cgroup',
    membership: '/proc/self/cgroup',
    user: process.getuid?.() ?? 0,
    session: sessionDir(environment),
    busctl: findProgram('busctl'),
  };
}

const controllers = ['memory', 'pids'];
/** Milliseconds the manager may take to answer, and to move us. */
const answerMs = 2000;
const moveMs = 500;

/**
 * Moves this process into a scope of its own. A process started in a login session is in a group of root's, and can
 * create none; the user's own systemd owns a part of the tree, and moves processes of the user there on request.
 * Returns whether it was moved, so that groups can be searched for once more.
 */
export function enterScope({ root, membership, user, session, busctl }: Manager): boolean {
  const service = `/user.slice/user-${user}.slice/user@${user}.service`;
  const own = groupIn(membership);
  // A service has limits of its own, which it would escape.
  const isOfLogin = own !== null && new RegExp(`^/user\\.slice/user-${user}\\.slice/session-[^/]+\\.scope$`).test(own);
  if (user === 0 || !isOfLogin || busctl === null || session === undefined) return false;
  const offered = textOf(join(root, service, 'cgroup.subtree_control')).split(/\s+/);
  if (!controllers.every((one) => offered.includes(one)) || !existsSync(join(session, 'bus'))) return false;
  const bus = `unix:path=${join(session, 'bus')}`;
  try {
    const options = { env: { DBUS_SESSION_BUS_ADDRESS: bus, XDG_RUNTIME_DIR: session }, timeout: answerMs };
    execFileSync(busctl, scopeRequest(process.pid), { ...options, stdio: 'ignore' });
  } catch {
    return false; // no answer, or not allowed
  }
  for (let waited = 0; waited < moveMs && groupIn(membership) === own; waited += 5) sleep(5);
  return groupIn(membership) !== own;
}

/** The request for a scope with this process in it. The scope disappears with the process. */
function scopeRequest(pid: number): readonly string[] {
  const manager = ['org.freedesktop.systemd1', '/org/freedesktop/systemd1', 'org.freedesktop.systemd1.Manager'];
  const properties = ['3', 'Description', 's', 'Repertoire', 'Delegate', 'b', 'true', 'PIDs', 'au', '1', String(pid)];
  const types = 'ssa(sv)a(sa(sv))';
  const call = ['StartTransientUnit', types, `repertoire-${pid}.scope`, 'fail', ...properties, '0'];
  return ['--user', '--quiet', 'call', ...manager, ...call];
}

/** The group of a process, on cgroup v2 only. */
function groupIn(membership: string): string | null {
  return /^0::(\/.*)$/.exec(textOf(membership).trim())?.[1] ?? null;
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
