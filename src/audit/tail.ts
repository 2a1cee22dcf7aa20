import { setTimeout as sleep } from 'node:timers/promises';

/** The end of a log that others write to. */
export interface Tail<T> {
  /** What has come since the last time. */
  poll(): readonly T[];
  close(): void;
}

/** Looking this often is cheaper than being told, and works on every file system. */
const pollMs = 200;

/** Whatever comes, until the signal is aborted; then the tail is closed. */
export async function* followTail<T>(tail: Tail<T>, signal: AbortSignal): AsyncGenerator<T, undefined> {
  try {
    while (!signal.aborted) {
      yield* tail.poll();
      await sleep(pollMs, undefined, { signal }).catch(() => {}); // aborted: the loop ends
    }
  } finally {
    tail.close();
  }
}
