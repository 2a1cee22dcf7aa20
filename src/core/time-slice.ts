/**
 * Divides work into time slices of a few milliseconds. Synchronous calls are the cheapest way to walk a tree, and they
 * block: sliced, a server answers while it scans and the scan costs what it must.
 */
export interface Slicer {
  readonly isDue: boolean;
  pause(): Promise<void>;
}

/**
 * Milliseconds of a time slice, by the plain clock: the precise one would have to be loaded, which a short start feels.
 */
const sliceMs = 4;

/** Turns of the event loop yielded to others before the work continues; they pass in no time. */
const politeTurns = 3;
let waiting = 0;

export function createSlicer(onPause?: () => void): Slicer {
  let due = Date.now() + sliceMs;
  return {
    get isDue() {
      return Date.now() >= due;
    },
    async pause() {
      onPause?.();
      await new Promise(setImmediate);
      for (let turn = 0; turn < politeTurns && waiting > 0; turn++) await new Promise(setImmediate);
      due = Date.now() + sliceMs;
    },
  };
}

/**
 * Lets pending system events in. Events are taken in once in each turn of the loop. A caller that comes from an event,
 * as a request does, is past that point of the turn, and the first step only leads to the end of it. Sliced work stays
 * out of the way meanwhile.
 */
export async function drainEvents(): Promise<void> {
  waiting++;
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  waiting--;
}

/** Work that can be stopped between any two steps. */
export type SlicedTask<T> = Generator<undefined, T>;

/** Number of small items handled in one step; checking the clock for each would cost more than the work. */
const stride = 32;

/** Visits every item of a list as part of a sliced task. */
export function* each<T>(list: Iterable<T>, visit: (one: T) => unknown): SlicedTask<void> {
  let left = stride;
  for (const one of list) {
    visit(one);
    if (--left > 0) continue;
    yield;
    left = stride;
  }
}

/** Runs all steps in a row, for callers with nothing else to do. */
export function runSync<T>(steps: SlicedTask<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Runs all steps, and lets others run in between. */
export async function runSliced<T>(steps: SlicedTask<T>, slicer: Slicer): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    if (slicer.isDue) await slicer.pause();
    step = steps.next();
  }
  return step.value;
}
