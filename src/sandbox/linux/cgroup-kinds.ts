import type { Limits } from '../../policy/types.ts';

/** One file to be written. */
export interface Setting {
  readonly file: string;
  readonly value: string;
  /** Whether kernels without it are good enough: there is no swap to forbid where none is counted. */
  readonly optional?: true;
}

/** How a kind of control group is spoken to. */
export interface Kind {
  readonly name: string;
  /** What it takes; on the older kind each is a tree of its own. */
  readonly controllers: readonly string[];
  readonly settings: Readonly<Record<string, (limits: Limits, ownProcesses: number) => readonly Setting[]>>;
  /** Where the kernel counts those it killed for want of memory. */
  readonly killed: { readonly file: string; readonly pattern: RegExp };
  /** What the kernel could not take away: without the files that it keeps only for as long as there is room. */
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
      // One that dies for want of memory takes the others along: half a run is worth nothing.
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
