/**
 * Synchronous calls are the cheapest way to walk a tree, and they block. A breath is taken every few milliseconds, so
 * that a server answers while it scans and the scan costs what it must.
 */
export interface Breath {
  readonly isDue: boolean;
  take(): Promise<void>;
}

/** Counted by the plain clock: the precise one would have to be loaded, which a short start feels. */
const sliceMs = 8;

export function createBreath(onBreath?: () => void): Breath {
  let due = Date.now() + sliceMs;
  return {
    get isDue() {
      return Date.now() >= due;
    },
    async take() {
      onBreath?.();
      await new Promise(setImmediate);
      due = Date.now() + sliceMs;
    },
  };
}
