import { setTimeout as sleep } from 'node:timers/promises';

/** The longest that a timer can wait. */
const foreverMs = 2 ** 31 - 1;

/** Waits for some work, but no longer than this. The process stays alive while somebody waits. */
export async function patiently(work: Promise<unknown>, patienceMs: number): Promise<void> {
  const over = new AbortController();
  const patience = sleep(Math.min(patienceMs, foreverMs), undefined, { signal: over.signal }).catch(() => undefined);
  try {
    await Promise.race([work, patience]);
  } finally {
    over.abort();
  }
}
