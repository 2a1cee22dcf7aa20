import { dirname } from 'node:path';
import { statOf } from '../../../core/files.ts';
import { isInside } from '../../../core/paths.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import type { Enforcement } from '../types.ts';
import type { Machine } from './machine.ts';

/** One process tree in a sandbox of its own: all that it sees, and what it is. */
export interface LaunchPlan {
  /** Of the execution; unique. */
  readonly id: string;
  /** The program by its path inside, and its arguments. */
  readonly argv: readonly string[];
  /** The whole environment. Never seen in a list of processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Inside. */
  readonly cwd: string;
  /** Folders and files of the host, besides the system's. Later ones cover earlier ones. */
  readonly binds: readonly Mount[];
  /** Folders of its own that some of the binds lie in; the program can close them to itself. */
  readonly folders?: readonly string[];
  /** Those of the binds that were looked at before, by their real paths: nothing is started where they are no longer so. */
  readonly exact?: readonly Mount[];
  /** The same for those that lie in others, and hold what may not be written there. */
  readonly guards?: readonly Mount[];
  /** Whether there is a `/proc`. */
  readonly proc: boolean;
  readonly limits: Limits;
  /** Bytes are best where all of them are known: they can be read again by name, as `/dev/stdin`. */
  readonly stdin: 'pipe' | 'none' | Uint8Array;
  /** The socket of the proxy it may use; none for no network at all. */
  readonly socket?: string;
  /**
   * Where the program is one of ours that waits by itself: it says that it is there, is told this line, and has a
   * channel to speak to us. Then nothing is inside but the binds, not even a shell, and `env` is no secret.
   */
  readonly told?: string;
  /** Aborted to give up while it is being set up. */
  readonly signal?: AbortSignal;
}

/** What holds a run to what, on this machine. */
export function enforcementOf(machine: Machine, plan: Pick<LaunchPlan, 'socket'>): readonly Enforcement[] {
  const group = machine.cgroups?.kind.name ?? null;
  return [
    { what: 'files', by: 'bubblewrap (mount namespace)' },
    {
      what: 'network',
      by: plan.socket === undefined ? 'bubblewrap (no network)' : 'bubblewrap (no network but the egress proxy)',
    },
    { what: 'processes', by: group === null ? 'rlimit, in a namespace of its own' : `${group} and rlimit` },
    { what: 'memory', by: group ?? 'watched, of the whole tree; rlimit (RLIMIT_DATA) behind it' },
    {
      what: 'cpu',
      by:
        group === null
          ? 'watched, of the whole tree; rlimit, per process, behind it'
          : `${group} (counted) and rlimit, per process`,
    },
    { what: 'time', by: 'timer, SIGKILL of the PID namespace' },
    { what: 'output', by: 'bytes counted, SIGKILL of the PID namespace' },
    { what: 'scratch', by: 'tmpfs of that size' },
    {
      what: 'user',
      by: `${machine.isRoot ? 'a user of its own' : 'your user'}, without privileges; ${
        machine.callFilter === null
          ? 'no filter of system calls on this processor'
          : 'our filter of system calls (seccomp)'
      }`,
    },
  ];
}

/** Above every user that people, distributions and containers make; a process has as many as a byte can count. */
const first = 0x4000_0000;
const perProcess = 256;

const taken = new Set<number>();

export interface RunUser {
  readonly id: number;
  release(): void;
}

/**
 * A user of its own for one run, where we are root and must not let the run be. Two runs never share one, be they of
 * two processes: neither can then signal, trace or count against the other.
 */
export function takeUser(): RunUser | null {
  for (let slot = 0; slot < perProcess; slot++) {
    if (taken.has(slot)) continue;
    taken.add(slot);
    return { id: first + process.pid * perProcess + slot, release: () => void taken.delete(slot) };
  }
  return null;
}

/** Whether a file belongs to another run, of which it tells who made it. */
export function isOfOtherRun(user: number, own: RunUser | null): boolean {
  return user >= first && user !== own?.id;
}

const enteredByOthers = 0o001;

/** Those that can be mounted. Runs of root are a user that owns nothing: what it cannot reach it cannot write either. */
export function reachableGuards(guards: readonly Mount[], mounts: readonly Mount[], isRoot: boolean): readonly Mount[] {
  return isRoot ? guards.filter((guard) => mounts.some((mount) => isOpenBelow(mount.source, guard.source))) : guards;
}

function isOpenBelow(folder: string, path: string): boolean {
  if (!isInside(folder, path)) return false;
  for (let above = dirname(path); above !== folder; above = dirname(above)) {
    const stats = statOf(above);
    if (!stats.ok || (stats.value.mode & enteredByOthers) === 0) return false;
  }
  return true;
}

/** What lies deeper is mounted later, and covers what it lies in. */
export function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  return mounts.toSorted((one, other) => one.target.length - other.target.length);
}
