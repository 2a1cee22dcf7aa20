import { stackOf } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';

/** A request to end the server, with its reason. The first one counts. */
export interface Stop {
  readonly reason: Promise<string>;
  now(reason: string): void;
}

/** Time that requests under way may take once a server is stopping. */
export const graceMs = 2_000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function createStop(log: Logger): Stop {
  let stop: (reason: string) => void = () => {};
  const reason = new Promise<string>((resolve) => {
    stop = resolve;
  });
  for (const signal of signals) process.on(signal, () => stop(signal));
  process.on('unhandledRejection', (error) => log.error('unforeseen', { error: stackOf(error) }));
  return { reason, now: (why) => stop(why) };
}

/**
 * Ends the process after a time: work that never ends, such as a scan of a huge disk, must not keep alive a server that
 * nobody uses any more.
 */
export function endAnyway(afterMs: number): void {
  // oxlint-disable-next-line no-process-exit -- nothing else ends a process whose other work goes on
  setTimeout(() => process.exit(), afterMs).unref();
}
