import { readFileSync, statfsSync } from 'node:fs';
import type { Container } from 'dockerode';
import type { Limits } from '../../policy/types.ts';
import type { SurvivedLimit } from '../ending.ts';
import { hasCutFileIn, type ScratchWatch, watchScratch } from '../linux/scratch-watch.ts';
import type { RunSpec } from '../types.ts';
import { type EngineInfo, isPodman } from './ability.ts';

/** Finds the limits that a container has reached, as far as they can be seen from outside. */
interface LimitWatch {
  /** Called when the container was created; starts waiting for its scratch folder. */
  readonly created: (id: string) => void;
  readonly reached: () => readonly SurvivedLimit[];
  /** Called when the container has ended and was not yet removed. */
  readonly atEnd: () => readonly SurvivedLimit[];
}

/**
 * Polling intervals, and the time after which the longer one applies. A container exists for some milliseconds before
 * its program starts; later, polling is late anyway.
 */
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

/** The folders where engines keep the control groups of containers, one for each cgroup driver. */
const places = [
  (id: string) => `libpod_parent/libpod-${id}`,
  (id: string) => `machine.slice/libpod-${id}.scope`,
  (id: string) => `docker/${id}`,
  (id: string) => `system.slice/docker-${id}.scope`,
];

/**
 * Tells whether a process in a container was killed for lack of memory, while its control group still exists. Engines
 * report this themselves, except Podman on cgroup v1; and if it was not the first process, nothing else shows it.
 */
export function ranShort(info: EngineInfo, id: string): boolean {
  if (!isPodman(info) || info.CgroupVersion !== '1') return false;
  return /^oom_kill [1-9]/m.test(textIn(info, id, 'memory', 'memory.oom_control'));
}

/**
 * Tells whether a container was refused a process. Engines do not report it; the kernel counts it while the group
 * exists.
 */
function refusedProcess(info: EngineInfo, id: string): boolean {
  return /^max [1-9]/m.test(textIn(info, id, 'pids', 'pids.events'));
}

const tmpfs = 0x01021994;

/** The scratch folder of a container that is about to start or has started; null if it cannot be seen from here. */
function scratchIn(info: EngineInfo, id: string, limits: Limits): ScratchWatch | null {
  const pid = Number(textIn(info, id, 'pids', 'cgroup.procs').split('\n')[0]);
  if (!(pid > 1)) return null;
  return watchScratch(pid, limits, (folder) => {
    // Before the container's own root is in place, this would be a folder of the host.
    const { type, blocks, bsize } = statfsSync(folder);
    return type === tmpfs && blocks === Math.ceil(limits.scratchBytes / bsize);
  });
}

/** The text of a file of the container's control group; empty if the group is elsewhere or already gone. */
function textIn({ CgroupVersion }: EngineInfo, id: string, controller: string, file: string): string {
  const top = CgroupVersion === '1' ? `/sys/fs/cgroup/${controller}` : '/sys/fs/cgroup';
  for (const place of places) {
    try {
      return readFileSync(`${top}/${place(id)}/${file}`, 'latin1');
    } catch {
      // the group is elsewhere
    }
  }
  return '';
}

/** Memory figures of a container; not every engine reports all of them. */
interface MemoryStats {
  readonly usage?: number;
  readonly stats?: { readonly inactive_file?: number; readonly total_inactive_file?: number };
}

/** Measures the processor time and memory of everything in a container. */
interface Meter {
  readonly start: (container: Container) => void;
  /** Processor seconds as last reported; null while they cannot be many yet. */
  readonly seconds: () => number | null;
  /** Bytes of memory as last reported. Callers want this from the beginning, so it is requested at once. */
  readonly memoryBytes: () => number | null;
}

/**
 * Creates a meter of our own: the first process of a container is not ended by the signal for used-up processor time,
 * and the kill that follows looks like any other. The engine is not queried before that much can have been used.
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
      // The container has just ended, or the engine has: others find out.
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

/** Bytes in use, without files that the kernel caches only while there is room; null if the engine reports none. */
function heldOf({ usage, stats }: MemoryStats): number | null {
  if (usage === undefined) return null;
  return Math.max(0, usage - (stats?.inactive_file ?? stats?.total_inactive_file ?? 0));
}
