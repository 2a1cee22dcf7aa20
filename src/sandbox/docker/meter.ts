import type { Container } from 'dockerode';
import type { EngineInfo } from './ability.ts';

/** Not every engine tells all of it. */
interface MemoryStats {
  readonly usage?: number;
  readonly stats?: { readonly inactive_file?: number; readonly total_inactive_file?: number };
}

/** Tells what everything in a container has taken. */
export interface Meter {
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
