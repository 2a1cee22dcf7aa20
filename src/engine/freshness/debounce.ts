/** Milliseconds between the last change of a burst and the scan that follows it. */
export const quietMs = 500;
/** Milliseconds after the first change by which the scan follows at the latest, should the burst have no end. */
export const burstMs = 2000;

/** A debounce: turns many notes in a row into one call, made when they have ceased. */
export interface Debounce {
  note(): void;
  end(): void;
}

export function createDebounce(onQuiet: () => void): Debounce {
  let [first, last] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  /** Waits on a single timer, however many notes there are: when it fires, it checks whether it was too early. */
  function wait(ms: number): void {
    timer = setTimeout(() => {
      timer = undefined;
      const left = Math.min(last + quietMs, first + burstMs) - Date.now();
      if (left > 0) wait(left);
      else onQuiet();
    }, ms).unref();
  }

  return {
    note() {
      last = Date.now();
      if (timer !== undefined) return;
      first = last;
      wait(quietMs);
    },
    end() {
      clearTimeout(timer);
    },
  };
}
