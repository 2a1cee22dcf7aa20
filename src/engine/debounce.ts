/** A look follows so long after the last change of a burst. */
export const quietMs = 500;
/** At the latest it follows so long after the first, should the burst have no end. */
export const burstMs = 2000;

/** Turns many notes in a row into one call, made when they have ceased. */
export interface Debounce {
  note(): void;
  end(): void;
}

export function createDebounce(onQuiet: () => void): Debounce {
  let [first, last] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  /** One timer is enough, however many notes there are: it looks when it fires whether it was too early. */
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
