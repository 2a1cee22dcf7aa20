import { drainEvents } from './time-slice.ts';

/** The longest delay of a timer, in milliseconds. */
const foreverMs = 2 ** 31 - 1;

/**
 * Waits for the work, but no longer than this, and tells whether it was done. Waiting keeps the process alive. A
 * process that was held up itself finds its timers due before it has read what arrived meanwhile, which still counts.
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
