import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from '../../../core/attempt.ts';
import { statFieldsOf } from '../../../core/disk/owner.ts';
import type { Limits } from '../../policy/types.ts';
import type { Cgroup } from './cgroup.ts';
import type { ScratchWatch } from './scratch-watch.ts';

/** A process and all its descendants; null if it is gone, or this system does not tell. */
function processesOf(root: number | undefined): readonly number[] | null {
  const children = root === undefined ? null : childrenOf(root);
  if (root === undefined || children === null) return null;
  return [root, ...children.flatMap((child) => processesOf(child) ?? [child])];
}

/** Number of threads in a process and its descendants, which is what a limit on processes counts. */
function treeThreads(root: number): number {
  return (processesOf(root) ?? []).reduce((sum, pid) => sum + threadsOf(pid).length, 0);
}

/** The children of a process, any of whose threads may have started them; null if none of the threads tells. */
function childrenOf(pid: number): readonly number[] | null {
  const lists = threadsOf(pid).flatMap((thread) => textOf(`/proc/${pid}/task/${thread}/children`) ?? []);
  return lists.length === 0 ? null : lists.join(' ').split(' ').filter(Boolean).map(Number);
}

function threadsOf(pid: number): readonly string[] {
  // ended meanwhile
  return attempt(() => readdirSync(`/proc/${pid}/task`), []);
}

function textOf(path: string): string | null {
  return attempt(() => readFileSync(path, 'latin1'), null);
}

/** Bytes of private memory in a process and its descendants; null if it is gone, or this system does not tell. */
export function treeMemory(root: number | undefined): number | null {
  const processes = processesOf(root);
  return processes === null ? null : sum(processes, (pid) => privateBytes(statusOf(pid)));
}

/** Pause after a slow check, as a multiple of the time it took, and the longest pause. */
const pace = 10;
const longestPauseMs = 250;

/**
 * Returns a function that tells whether a process tree holds more memory than it may, where no control group counts it:
 * private memory, shared memory, and files in memory. The maximum each process could hold is quick to compute and
 * usually below the limit; only if it is not are they examined more closely, at intervals.
 */
function memoryWatch(root: number, limitBytes: number, fileBytes: () => number): () => boolean {
  let notBefore = 0;
  return () => {
    const began = performance.now();
    if (began < notBefore) return false;
    const processes = processesOf(root) ?? [];
    const left = limitBytes - fileBytes();
    if (sum(processes, (pid) => mostBytes(statusOf(pid))) <= left) return false;
    const exceeds = exceedsClosely(processes, left);
    const now = performance.now();
    notBefore = now + Math.min(longestPauseMs, pace * (now - began));
    return exceeds;
  };
}

function exceedsClosely(processes: readonly number[], limitBytes: number): boolean {
  const left = limitBytes - sharedBytes(processes);
  return sum(processes, (pid) => privateBytes(statusOf(pid))) > left && sum(processes, ownShareBytes) > left;
}

type Status = (field: string) => number;

/** Figures of a process by name, in bytes; 0 if it has ended. */
function statusOf(pid: number): Status {
  const text = textOf(`/proc/${pid}/status`) ?? '';
  return (field) => kilobytesIn(text, field) * 1024;
}

function kilobytesIn(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);
}

function privateBytes(status: Status): number {
  return status('RssAnon') + status('VmSwap');
}

/** Bytes that may be shared: all that is mapped and neither private data nor stack, even if this process uses none. */
function mostSharedBytes(status: Status): number {
  return Math.max(0, status('VmSize') - status('VmData') - status('VmStk') - status('VmExe'));
}

function mostBytes(status: Status): number {
  return privateBytes(status) + mostSharedBytes(status);
}

/** Bytes of private memory of a process, with pages it has in common with others divided among them. */
function ownShareBytes(pid: number): number {
  const rollup = textOf(`/proc/${pid}/smaps_rollup`);
  if (rollup === null || !rollup.includes('Pss_Anon:')) return privateBytes(statusOf(pid));
  return 1024 * (kilobytesIn(rollup, 'Pss_Anon') + kilobytesIn(rollup, 'SwapPss'));
}

/**
 * Bytes that processes share, counted as large as they are mapped, since their content stays when a process releases
 * its pages. For a process that hides its maps, everything that could be shared counts.
 */
function sharedBytes(processes: readonly number[]): number {
  const shared = new Map<string, number>();
  const hidden = sum(processes, (pid) => {
    const maps = textOf(`/proc/${pid}/maps`);
    if (maps === null) return mostSharedBytes(statusOf(pid));
    for (const { key, bytes } of sharedIn(maps)) shared.set(key, Math.max(bytes, shared.get(key) ?? 0));
    return 0;
  });
  return hidden + sum([...shared.values()], (bytes) => bytes);
}

/** Shared mappings without a visible file: memory in files is counted with the scratch folder. */
const sharedMapping =
  /^([\da-f]+)-([\da-f]+) ...s ([\da-f]+) (\S+ \d+) +\/(?:dev\/zero \(deleted\)|memfd:|SYSV|secretmem)/gm;

function sharedIn(maps: string): readonly { readonly key: string; readonly bytes: number }[] {
  return [...maps.matchAll(sharedMapping)].map(([, from = '', to = '', offset = '', key = '']) => {
    return { key, bytes: Number.parseInt(offset, 16) + Number.parseInt(to, 16) - Number.parseInt(from, 16) };
  });
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** A process as last seen; times are in clock ticks. */
interface Seen {
  readonly started: string;
  /** Ticks used by itself. */
  readonly own: number;
  /** Ticks used by children that it has waited for, and by theirs. */
  readonly waitedFor: number;
}

const none: Seen = { started: '', own: 0, waitedFor: 0 };

/** Frequency of the clock in which the kernel reports times to programs, on every processor. */
const ticksPerSecond = 100;

/**
 * Counts the processor time of a process tree where no control group does. A process that has ended passes its time to
 * the one that waits for it, and orphans are waited for by the first process inside. One that nobody waits for, because
 * its parent ignores its children, counts up to when it was last seen.
 */
export function timeWatch(root: number): () => number {
  let before: ReadonlyMap<number, Seen> = new Map();
  let ticks = 0;
  return () => {
    const now = look(root);
    if (now.size > 0) {
      ticks += ticksBetween(before, now);
      before = now;
    }
    return ticks / ticksPerSecond;
  };
}

function look(root: number): ReadonlyMap<number, Seen> {
  const all = new Map<number, Seen>();
  for (const pid of processesOf(root) ?? []) {
    const fields = statFieldsOf(pid);
    if (fields === null) continue;
    const ticksAt = (place: number): number => Number(fields[place]) + Number(fields[place + 1]);
    all.set(pid, { started: fields[19] ?? '', own: ticksAt(11), waitedFor: ticksAt(13) });
  }
  return all;
}

/** Ticks used between two samples: never too many, since time counted for dead processes is not counted again. */
export function ticksBetween(before: ReadonlyMap<number, Seen>, now: ReadonlyMap<number, Seen>): number {
  let own = 0;
  let handedOn = 0;
  for (const [pid, one] of now) {
    const known = before.get(pid);
    const last = known?.started === one.started ? known : none;
    own += one.own - last.own;
    handedOn += one.waitedFor - last.waitedFor;
  }
  for (const [pid, one] of before) {
    if (now.get(pid)?.started !== one.started) handedOn -= one.own + one.waitedFor;
  }
  return own + Math.max(0, handedOn);
}

/** The figures of a run that a control group would report. */
type Meter = Pick<Cgroup, 'refusedProcess' | 'cpuSeconds' | 'memoryBytes'>;

/** Stands in for a control group where none can be created: its limits are polled and enforced by us. */
export function watchTree(
  root: number,
  limits: Limits,
  ownProcesses: number,
  scratch: ScratchWatch | null,
): Meter & { exceedsMemory(): boolean } {
  const fileBytes = (): number => scratch?.bytes() ?? 0;
  return {
    // Nobody counts refusals, but only a run that has reached its limit is refused anything.
    refusedProcess: () => treeThreads(root) >= limits.processes + ownProcesses,
    cpuSeconds: timeWatch(root),
    memoryBytes: () => {
      const bytes = treeMemory(root);
      return bytes === null ? null : bytes + fileBytes();
    },
    exceedsMemory: memoryWatch(root, limits.memoryBytes, fileBytes),
  };
}
