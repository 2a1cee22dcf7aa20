import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../kernel/environment.ts';
import { sessionDir } from '../../kernel/paths.ts';
import { findProgram } from './find-programs.ts';

/** What of the machine is looked at; tests have another one. */
export interface Manager {
  /** The tree of control groups. */
  readonly root: string;
  /** In which group this process is. */
  readonly membership: string;
  readonly user: number;
  /** The folder of the session, in which the manager listens. */
  readonly session: string | undefined;
  /** The program that speaks to it; null where there is none. */
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
/** How long the manager may take to answer, and to move us. */
const answerMs = 2000;
const moveMs = 500;

/**
 * A process that was started in a login session is in a group of root's, and can make none. The user's own systemd has a
 * part of the tree, and moves processes of the user there when asked to, into a scope of their own. Returns whether this
 * process was moved: then groups can be looked for once more.
 */
export function enterScope({ root, membership, user, session, busctl }: Manager): boolean {
  const service = `/user.slice/user-${user}.slice/user@${user}.service`;
  const own = groupIn(membership);
  // A service has limits of its own, which it would leave.
  const isOfLogin = own !== null && new RegExp(`^/user\\.slice/user-${user}\\.slice/session-[^/]+\\.scope$`).test(own);
  if (user === 0 || !isOfLogin || busctl === null || session === undefined) return false;
  const offered = textOf(join(root, service, 'cgroup.subtree_control')).split(/\s+/);
  if (!controllers.every((one) => offered.includes(one)) || !existsSync(join(session, 'bus'))) return false;
  const bus = `unix:path=${join(session, 'bus')}`;
  try {
    const options = { env: { DBUS_SESSION_BUS_ADDRESS: bus, XDG_RUNTIME_DIR: session }, timeout: answerMs };
    execFileSync(busctl, scopeRequest(process.pid), { ...options, stdio: 'ignore' });
  } catch {
    return false; // nobody answers, or it is not allowed
  }
  for (let waited = 0; waited < moveMs && groupIn(membership) === own; waited += 5) sleep(5);
  return groupIn(membership) !== own;
}

/** Asks for a scope with this process in it. It is gone when the process is. */
function scopeRequest(pid: number): readonly string[] {
  const manager = ['org.freedesktop.systemd1', '/org/freedesktop/systemd1', 'org.freedesktop.systemd1.Manager'];
  const properties = ['3', 'Description', 's', 'Repertoire', 'Delegate', 'b', 'true', 'PIDs', 'au', '1', String(pid)];
  const types = 'ssa(sv)a(sa(sv))';
  const call = ['StartTransientUnit', types, `repertoire-${pid}.scope`, 'fail', ...properties, '0'];
  return ['--user', '--quiet', 'call', ...manager, ...call];
}

/** On the newer kind of control groups alone. */
function groupIn(membership: string): string | null {
  return /^0::(\/.*)$/.exec(textOf(membership).trim())?.[1] ?? null;
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
