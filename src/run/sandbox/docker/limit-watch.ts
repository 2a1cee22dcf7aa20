import { readFileSync, statfsSync } from 'node:fs';
import type { Container } from 'dockerode';
import type { Limits } from '../../policy/types.ts';
import type { SurvivedLimit } from '../ending.ts';
import { hasCutFileIn, type ScratchWatch, watchScratch } from '../linux/scratch-watch.ts';
import type { RunSpec } from '../types.ts';
import { type EngineInfo, isPodman } from './ability.ts';

/** Finds out what limits a container has met with, as far as that can be seen from outside of it. */
interface LimitWatch {
  /** To be called when it was created. From then on its scratch folder is waited for. */
  readonly created: (id: string) => void;
  readonly reached: () => readonly SurvivedLimit[];
  /** To be called when it has ended, and not been removed. */
  readonly atEnd: () => readonly SurvivedLimit[];
}

/** Between its creation and the start of its program a container is there for some milliseconds; later it is late anyway. */
const lookEveryMs = 2;
const soonMs = 1000;
const laterMs = 250;

export function watchLimits(info: EngineInfo, { limits, mounts }: RunSpec): LimitWatch {
  const sinceMs = Date.now();
  let id: string | null = null;
  let scratch: ScratchWatch | null = null;
  let createdAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    scratch = id === null ? null : scratchIn(info, id, limits);
    if (scratch !== null) return;
    timer = setTimeout(look, performance.now() - createdAt < soonMs ? lookEveryMs : laterMs).unref();
  };
  const seen = new Set<SurvivedLimit>();
  const reached = (): readonly SurvivedLimit[] => {
    if (id !== null && refusedProcess(info, id)) seen.add('processes');
    if (scratch?.isFull()) seen.add('scratchBytes');
    return [...seen];
  };
  return {
    created: (created) => {
      id = created;
      createdAt = performance.now();
      look();
    },
    reached,
    atEnd: () => {
      clearTimeout(timer);
      if (scratch?.hasCutFile() || hasCutFileIn(mounts, limits, { sinceMs })) seen.add('fileBytes');
      const all = reached();
      scratch?.close();
      return all;
    },
  };
}

/** Where engines keep the groups of their containers, by each of their ways to make them. */
const places = [
  (id: string) => `libpod_parent/libpod-${id}`,
  (id: string) => `machine.slice/libpod-${id}.scope`,
  (id: string) => `docker/${id}`,
  (id: string) => `system.slice/docker-${id}.scope`,
];

/**
 * Whether something in a container was killed for want of memory, while its group is still there. Engines say so
 * themselves, but for Podman on cgroup v1; and where it was not the first process, nothing else tells.
 */
export function ranShort(info: EngineInfo, id: string): boolean {
  if (!isPodman(info) || info.CgroupVersion !== '1') return false;
  return /^oom_kill [1-9]/m.test(textIn(info, id, 'memory', 'memory.oom_control'));
}

/** Whether a container was refused a process. No engine says so; the kernel counts it, while the group is there. */
function refusedProcess(info: EngineInfo, id: string): boolean {
  return /^max [1-9]/m.test(textIn(info, id, 'pids', 'pids.events'));
}

const tmpfs = 0x01021994;

/** The scratch folder of a container that is about to start, or has; null where it is not to be seen from here. */
function scratchIn(info: EngineInfo, id: string, limits: Limits): ScratchWatch | null {
  const pid = Number(textIn(info, id, 'pids', 'cgroup.procs').split('\n')[0]);
  if (!(pid > 1)) return null;
  return watchScratch(pid, limits, (folder) => {
    // Before its own root is in place it would be a folder of the host.
    const { type, blocks, bsize } = statfsSync(folder);
    return type === tmpfs && blocks === Math.ceil(limits.scratchBytes / bsize);
  });
}

/** A file of the container's group; nothing where it is made elsewhere, or gone already. */
function textIn({ CgroupVersion }: EngineInfo, id: string, controller: string, file: string): string {
  const top = CgroupVersion === '1' ? `/sys/fs/cgroup/${controller}` : '/sys/fs/cgroup';
  for (const place of places) {
    try {
      return readFileSync(`${top}/${place(id)}/${file}`, 'latin1');
    } catch {
      // it is made elsewhere
    }
  }
  return '';
}

/** Not every engine tells all of it. */
interface MemoryStats {
  readonly usage?: number;
  readonly stats?: { readonly inactive_file?: number; readonly total_inactive_file?: number };
}

/** Tells what everything in a container has taken. */
interface Meter {
  readonly start: (container: Container) => void;
  /** As last heard; null where it cannot be much yet. */
  readonly seconds: () => number | null;
  /** The same of its memory. Who asks for this wants to be told from the beginning on. */
  readonly memoryBytes: () => number | null;
}

/**
 * A process that is the first of its container is not ended by the signal for used-up time, and the kill that follows
 * looks like any other: so we count ourselves. The engine is not asked before so much time can have been used at all.
 */
export function meterFor(info: EngineInfo, limitSeconds: number): Meter {
  const processors = info.CpuCfsQuota === true ? 1 : (info.NCPU ?? 1);
  let container: Container | null = null;
  let from = Number.POSITIVE_INFINITY;
  let seconds: number | null = null;
  let memoryBytes: number | null = null;
  let asking = false;

  const ask = async (asked: Container): Promise<void> => {
    asking = true;
    try {
      const { cpu_stats: used, memory_stats: memory } = await asked.stats({ stream: false, 'one-shot': true });
      seconds = used.cpu_usage.total_usage / 1e9;
      memoryBytes = heldOf(memory);
    } catch {
      // It has just ended, or the engine has: others find out.
    }
    asking = false;
  };

  return {
    start: (started) => {
      container = started;
      from = performance.now() + (limitSeconds * 1000) / processors;
    },
    seconds: () => {
      if (container !== null && !asking && performance.now() >= from) void ask(container);
      return seconds;
    },
    memoryBytes: () => {
      if (container !== null && !asking) void ask(container);
      return memoryBytes;
    },
  };
}

/** Without the files that the kernel keeps only for as long as there is room. What an engine does not tell is null. */
function heldOf({ usage, stats }: MemoryStats): number | null {
  if (usage === undefined) return null;
  return Math.max(0, usage - (stats?.inactive_file ?? stats?.total_inactive_file ?? 0));
}
