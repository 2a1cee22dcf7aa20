import type { Container } from 'dockerode';
import type { EngineInfo } from './ability.ts';

/** Counts the processor time of everything in a container. */
export interface Meter {
  readonly start: (container: Container) => void;
  /** As last heard; null where it cannot be much yet. */
  readonly seconds: () => number | null;
}

/**
 * A process that is the first of its container is not ended by the signal for used-up time, and the kill that follows
 * looks like any other: so we count ourselves. The engine is not asked before so much time can have been used at all.
 */
export function processorMeter(info: EngineInfo, limitSeconds: number): Meter {
  const processors = info.CpuCfsQuota === true ? 1 : (info.NCPU ?? 1);
  let container: Container | null = null;
  let from = Number.POSITIVE_INFINITY;
  let known: number | null = null;
  let asking = false;

  const ask = async (asked: Container): Promise<void> => {
    asking = true;
    try {
      const { cpu_stats: used } = await asked.stats({ stream: false, 'one-shot': true });
      known = used.cpu_usage.total_usage / 1e9;
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
      return known;
    },
  };
}
