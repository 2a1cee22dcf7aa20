/** Exit codes that shells report for a program ended by a signal: 128 and the number of the signal. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** The reason for a cancellation, with the exit code that follows from it. */
class BrokenOff extends Error {
  readonly exitCode: number;

  constructor(signal: keyof typeof exitCodes) {
    super(`interrupted by ${signal}`);
    this.exitCode = exitCodes[signal];
  }
}

/**
 * A signal aborted when a person presses Ctrl-C, or the system ends the process: work under way then ends in good
 * order.
 */
export function breakOff(): AbortSignal {
  const controller = new AbortController();
  for (const signal of Object.keys(exitCodes) as (keyof typeof exitCodes)[]) {
    process.once(signal, () => controller.abort(new BrokenOff(signal)));
  }
  return controller.signal;
}

/** The exit code of a program whose work was cancelled; null where it was not. */
export function brokenOffCode(signal: AbortSignal | undefined): number | null {
  return signal?.reason instanceof BrokenOff ? signal.reason.exitCode : null;
}
