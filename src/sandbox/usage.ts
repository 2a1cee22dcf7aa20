import type { Running } from './supervise.ts';
import type { Watcher } from './types.ts';

/** Tells how much a run takes while it lasts. */
export interface Gauge {
  /** So many bytes more were written. */
  wrote(bytes: number): void;
  /** Tells it for the last time. */
  end(): void;
}

/** Most runs are short: while one is young it is looked at more often, so that there is something to tell of it. */
const firstMs = 20;
const everyMs = 200;

/** Null where nobody wants to know: then nothing is measured. */
export function watchUsage(running: Running, watcher: Watcher, began: number): Gauge | null {
  if (watcher.onUsage === undefined) return null;
  let outputBytes = 0;
  let memoryBytes: number | null = null;
  let peakMemoryBytes: number | null = null;
  let cpuSeconds: number | null = null; // never less than before: what has just ended is no longer counted
  let timer: NodeJS.Timeout | undefined;

  const tell = () => {
    watcher.onUsage?.({ elapsedMs: performance.now() - began, memoryBytes, peakMemoryBytes, cpuSeconds, outputBytes });
  };
  const look = (nextMs: number) => {
    timer = setTimeout(look, nextMs, Math.min(2 * nextMs, everyMs)).unref();
    // Nothing at all is what has not begun, or has just ended.
    memoryBytes = running.memoryBytes?.() || memoryBytes;
    peakMemoryBytes = greater(memoryBytes, peakMemoryBytes);
    cpuSeconds = greater(running.cpuSeconds?.() ?? null, cpuSeconds);
    tell();
  };

  look(firstMs);
  return {
    wrote: (bytes) => {
      outputBytes += bytes;
    },
    end: () => {
      clearTimeout(timer);
      tell();
    },
  };
}

function greater(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
