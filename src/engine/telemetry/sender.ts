import { reasonOf } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';

/** Sends JSON to a collector, and says in the log when that begins to fail, and when it works again. */
export interface Sender {
  /** Resolves with whether it was taken, should be sent again after some milliseconds, or never. */
  send(url: string, body: object, signal?: AbortSignal): Promise<'sent' | 'refused' | number>;
}

const timeoutMs = 10_000;
const [firstPauseMs, longestPauseMs] = [1000, 60_000];
/** Statuses of a collector that can be tried again later. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export function createSender(headers: Readonly<Record<string, string>>, log: Logger | undefined): Sender {
  let failures = 0;

  function failed(url: string, reason: string): void {
    failures += 1;
    if (failures === 1) log?.warn('traces and metrics cannot be sent', { to: url, reason });
  }

  return {
    async send(url, body, signal) {
      try {
        const answer = await fetch(url, {
          method: 'POST',
          redirect: 'error',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
        });
        await answer.body?.cancel();
        if (answer.ok) {
          if (failures > 0) log?.info('traces and metrics are sent again', { to: url, failures });
          failures = 0;
          return 'sent';
        }
        failed(url, `the collector answered with ${answer.status}`);
        return passing.has(answer.status) ? pauseAfter(failures, answer.headers.get('retry-after')) : 'refused';
      } catch (error) {
        failed(url, reasonOf(error));
        return pauseAfter(failures, null);
      }
    },
  };
}

/** The pause after some failures in a row, of random length, so that not all come back at once. */
function pauseAfter(failures: number, wish: string | null): number {
  const wished = /^\d{1,5}$/.test(wish ?? '') ? Number(wish) * 1000 : 0;
  const usual = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs) * (0.5 + Math.random() / 2);
  return Math.max(Math.min(wished, longestPauseMs), usual);
}
