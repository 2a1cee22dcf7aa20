import { drainEvents } from './time-slice.ts';

/** The longest that a timer can wait. */
const foreverMs = 2 ** 31 - 1;

/**
 * Does the work, or as much of it as the time allows. Tells whether it was done. Who waits keeps the process alive. A
 * process that was held up itself finds its timers due before it has read what came meanwhile, which counts all the same.
 */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => void drainEvents().then(() => resolve(false)), Math.min(ms, foreverMs));
  });
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}
