import { dirname } from 'node:path';
import { statOf } from '../../../core/disk/files.ts';
import { isInside } from '../../../core/disk/paths.ts';
import type { Limits, Mount } from '../../policy/types.ts';
import type { Enforcement } from '../types.ts';
import type { Machine } from './machine.ts';

/** One process tree in a sandbox of its own: its program and everything that it sees. */
export interface LaunchPlan {
  /** The unique ID of the execution. */
  readonly id: string;
  /** The program by its path inside, and its arguments. */
  readonly argv: readonly string[];
  /** The whole environment. Never visible in a process list. */
  readonly env: Readonly<Record<string, string>>;
  /** The working directory inside. */
  readonly cwd: string;
  /** Folders and files of the host, besides the system's. Later ones cover earlier ones. */
  readonly binds: readonly Mount[];
  /** Folders of its own that contain some of the binds; the program can close them to itself. */
  readonly folders?: readonly string[];
  /** Binds that were checked before by their real paths: nothing is started if they have changed. */
  readonly exact?: readonly Mount[];
  /** Mounts inside the binds, over entries that may not be written; checked in the same way. */
  readonly guards?: readonly Mount[];
  /** Whether there is a `/proc`. */
  readonly proc: boolean;
  readonly limits: Limits;
  /** Standard input. Bytes are best if all of them are known: they can be reopened by name, as `/dev/stdin`. */
  readonly stdin: 'pipe' | 'none' | Uint8Array;
  /** The socket of the proxy it may use; absent for no network at all. */
  readonly socket?: string;
  /**
   * The line sent to a program of ours that waits by itself: it reports that it is ready, reads this line, and has a
   * channel to talk to us. Then nothing is inside but the binds, not even a shell, and `env` is not secret.
   */
  readonly startLine?: string;
  /** Aborted to give up during set-up. */
  readonly signal?: AbortSignal;
}

/** The mechanisms that enforce each limit of a run on this machine. */
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

/** The first user ID for runs, above all that people, distributions and containers create; 256 for each process. */
const first = 0x4000_0000;
const perProcess = 256;

const taken = new Set<number>();

export interface RunUser {
  readonly id: number;
  release(): void;
}

/**
 * Takes a user of its own for one run, if we are root and the run must not be. Two runs never share one, even in two
 * processes, so neither can signal, trace or count against the other.
 */
export function takeUser(): RunUser | null {
  for (let slot = 0; slot < perProcess; slot++) {
    if (taken.has(slot)) continue;
    taken.add(slot);
    return { id: first + process.pid * perProcess + slot, release: () => void taken.delete(slot) };
  }
  return null;
}

/** Tells whether a file belongs to another run, judged by its owner. */
export function isOfOtherRun(user: number, own: RunUser | null): boolean {
  return user >= first && user !== own?.id;
}

const enteredByOthers = 0o001;

/** Returns the guards that can be mounted. Runs of root own nothing: a path they cannot reach they cannot write. */
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

/** Sorts mounts so that deeper ones are mounted later, over those they lie in. */
export function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  return mounts.toSorted((one, other) => one.target.length - other.target.length);
}
