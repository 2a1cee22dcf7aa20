/**
 * Synchronous calls are the cheapest way to walk a tree, and they block. A breath is taken every few milliseconds, so
 * that a server answers while it scans and the scan costs what it must.
 */
export interface Breath {
  readonly isDue: boolean;
  take(): Promise<void>;
}

const sliceMs = 8;

export function createBreath(onBreath?: () => void): Breath {
  let due = performance.now() + sliceMs;
  return {
    get isDue() {
      return performance.now() >= due;
    },
    async take() {
      onBreath?.();
      await new Promise(setImmediate);
      due = performance.now() + sliceMs;
    },
  };
}
