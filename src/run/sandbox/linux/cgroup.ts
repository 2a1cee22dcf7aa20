import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { attempt } from '../../../core/attempt.ts';
import { thisProcess } from '../../../core/disk/owner.ts';
import { reasonOf } from '../../../core/errors.ts';
import type { Limits } from '../../policy/types.ts';
import { orphansIn } from './owner.ts';

/** The place where groups can be created: a folder for each controller, the same for all on cgroup v2. */
export interface CgroupPlace {
  readonly kind: Kind;
  readonly folders: Readonly<Record<string, string>>;
  /** The process list of a group that we are in; null if it cannot be seen. */
  readonly own: string | null;
}

/** The control group of one run. */
export interface Cgroup {
  /** Adds a process; its later children are included. */
  add(pid: number): Promise<void>;
  /** Number of processes killed for lack of memory. */
  memoryKills(): number;
  /** Whether it was refused a process. */
  refusedProcess(): boolean;
  cpuSeconds(): number;
  /** Bytes used by its processes and its files in memory; null if the group is gone. */
  memoryBytes(): number | null;
  remove(): Promise<void>;
}

let waking: Promise<void> | null = null;

/**
 * Wakes the kernel's cgroup code: the first process in a while that is added to a group takes some milliseconds. Adding
 * ourselves to our own group changes nothing, and spends that time while the sandbox is being set up.
 */
export function wakeCgroups(place: CgroupPlace | null): void {
  if (!place?.own || waking !== null) return;
  waking = writeFile(place.own, String(process.pid))
    .catch(() => undefined)
    .finally(() => {
      waking = null;
    });
}

/** Creates a group with its limits set. Throws if a limit cannot be set, and never ignores that. */
export function createCgroup(place: CgroupPlace, id: string, limits: Limits, ownProcesses: number): Cgroup {
  const name = `${thisProcess()}-${id.replace(/[^\w-]/g, '_').slice(0, 80)}`;
  const folders = [...new Set(Object.values(place.folders))].map((folder) => join(folder, name));
  const made: string[] = [];
  try {
    for (const folder of folders) {
      mkdirSync(folder);
      made.push(folder);
    }
    for (const controller of place.kind.controllers) {
      const folder = join(place.folders[controller] ?? '', name);
      for (const setting of place.kind.settings[controller]?.(limits, ownProcesses) ?? []) put(folder, setting);
    }
  } catch (error) {
    // Only folders made here are removed: one that already existed belongs to another run.
    for (const folder of made) tryRemove(folder);
    throw error;
  }
  const fileOf = (controller: string, file: string) => join(place.folders[controller] ?? '', name, file);
  const { killed, cpu, memory } = place.kind;
  return {
    add: async (pid) => {
      await waking;
      if (place.own === null) await Promise.all(folders.map((folder) => writeFile(listOf(folder), String(pid))));
      else for (const folder of folders) writeFileSync(listOf(folder), String(pid)); // the kernel is awake, and quick
    },
    memoryKills: () => Number(killed.pattern.exec(textOf(fileOf('memory', killed.file)))?.[1] ?? 0),
    refusedProcess: () => /^max [1-9]/m.test(textOf(fileOf('pids', 'pids.events'))),
    cpuSeconds: () => cpu.seconds(textOf(fileOf(cpu.controller, cpu.file))),
    memoryBytes: () => {
      const parts = [...textOf(fileOf('memory', memory.file)).matchAll(memory.pattern)];
      return parts.length === 0 ? null : parts.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
    },
    remove: async () => {
      for (const folder of folders) await removeGroup(folder);
    },
  };
}

/** Kills processes left in groups of dead owners, and removes the groups. */
export async function sweepCgroups(place: CgroupPlace): Promise<void> {
  for (const folder of new Set(Object.values(place.folders))) {
    for (const orphan of orphansIn(folder, '')) {
      killAllIn(orphan);
      await removeGroup(orphan);
    }
  }
}

function listOf(folder: string): string {
  return join(folder, 'cgroup.procs');
}

function put(folder: string, { file, value, optional }: Setting): void {
  try {
    writeFileSync(join(folder, file), value);
  } catch (error) {
    if (optional !== true) throw error;
  }
}

function killAllIn(folder: string): void {
  for (const pid of textOf(listOf(folder)).split('\n').filter(Boolean).map(Number)) {
    try {
      if (pid > 1) process.kill(pid, 'SIGKILL');
    } catch {
      // ended by itself
    }
  }
}

/** Removes a group, which stays busy for a moment after its last process has ended, longer on a loaded machine. */
async function removeGroup(folder: string): Promise<void> {
  for (let wait = 1; wait < 2_000; wait *= 2) {
    if (tryRemove(folder)) return;
    await pause(wait);
  }
}

function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return reasonOf(error) === 'ENOENT';
  }
}

/** The text of a kernel file; empty if it cannot be read. */
export function textOf(path: string): string {
  return attempt(() => readFileSync(path, 'latin1'), '');
}

/** A control file and the value to write to it. */
interface Setting {
  readonly file: string;
  readonly value: string;
  /** Whether kernels without this file are acceptable: there is no swap to forbid where none is counted. */
  readonly optional?: true;
}

/** A version of control groups: its files and formats. */
export interface Kind {
  readonly name: string;
  /** The controllers that are needed; on cgroup v1 each is a tree of its own. */
  readonly controllers: readonly string[];
  readonly settings: Readonly<Record<string, (limits: Limits, ownProcesses: number) => readonly Setting[]>>;
  /** The file in which the kernel counts processes killed for lack of memory. */
  readonly killed: { readonly file: string; readonly pattern: RegExp };
  /** The file with memory that cannot be reclaimed: without files that the kernel caches only while there is room. */
  readonly memory: { readonly file: string; readonly pattern: RegExp };
  readonly cpu: { readonly controller: string; readonly file: string; seconds(text: string): number };
}

export const second: Kind = {
  name: 'cgroup v2',
  controllers: ['memory', 'pids'],
  settings: {
    memory: (limits) => [
      { file: 'memory.max', value: String(limits.memoryBytes) },
      { file: 'memory.swap.max', value: '0', optional: true },
      // A process killed for lack of memory takes the others along: half a run is worth nothing.
      { file: 'memory.oom.group', value: '1', optional: true },
    ],
    pids: (limits, own) => [{ file: 'pids.max', value: String(limits.processes + own) }],
  },
  killed: { file: 'memory.events', pattern: /^oom_kill (\d+)$/m },
  memory: { file: 'memory.stat', pattern: /^(?:anon|shmem) (\d+)$/gm },
  cpu: {
    controller: 'memory',
    file: 'cpu.stat',
    seconds: (text) => Number(/^usage_usec (\d+)$/m.exec(text)?.[1] ?? 0) / 1e6,
  },
};

export const firstKind: Kind = {
  name: 'cgroup v1',
  controllers: ['memory', 'pids', 'cpuacct'],
  settings: {
    memory: (limits) => [
      { file: 'memory.limit_in_bytes', value: String(limits.memoryBytes) },
      { file: 'memory.memsw.limit_in_bytes', value: String(limits.memoryBytes), optional: true },
      { file: 'memory.swappiness', value: '0', optional: true },
    ],
    pids: (limits, own) => [{ file: 'pids.max', value: String(limits.processes + own) }],
    cpuacct: () => [],
  },
  killed: { file: 'memory.oom_control', pattern: /^oom_kill (\d+)$/m },
  memory: { file: 'memory.stat', pattern: /^(?:rss|shmem) (\d+)$/gm },
  cpu: { controller: 'cpuacct', file: 'cpuacct.usage', seconds: (text) => Number(text) / 1e9 },
};
