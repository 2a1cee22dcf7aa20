import { processesOf, textOf } from './tree.ts';

/** What is private in a process and in all that come from it; null where it is gone, or this system does not tell. */
export function treeMemory(root: number | undefined): number | null {
  const processes = processesOf(root);
  return processes === null ? null : sum(processes, (pid) => privateBytes(statusOf(pid)));
}

/** After a look that took long the next one waits for this many times as long, but never longer than that. */
const pace = 10;
const longestPauseMs = 250;

/**
 * Tells whether a tree of processes holds more memory than it may, where no control group counts it: what is private,
 * what they share, and their files in memory. What each could hold at most is quickly known, and mostly less than the
 * limit; only where it is not are they looked at more closely, by and by.
 */
export function memoryWatch(root: number, limitBytes: number, fileBytes: () => number): () => boolean {
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

/** Figures of a process by their names, in bytes; 0 for all that has ended. */
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

/** Whatever is mapped and is neither private data nor stack may be shared memory, be none of it in use by this process. */
function mostSharedBytes(status: Status): number {
  return Math.max(0, status('VmSize') - status('VmData') - status('VmStk') - status('VmExe'));
}

function mostBytes(status: Status): number {
  return privateBytes(status) + mostSharedBytes(status);
}

/** The private part of a process, of which what it has in common with others counts once for all of them. */
function ownShareBytes(pid: number): number {
  const rollup = textOf(`/proc/${pid}/smaps_rollup`);
  if (rollup === null || !rollup.includes('Pss_Anon:')) return privateBytes(statusOf(pid));
  return 1024 * (kilobytesIn(rollup, 'Pss_Anon') + kilobytesIn(rollup, 'SwapPss'));
}

/**
 * What processes share. It counts as large as it is mapped, since what is in it stays when a process lets go of its
 * pages. Of a process that hides its maps all counts that could be shared.
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

/** Memory without a file that others could see: what lies in files is counted with the scratch folder. */
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
