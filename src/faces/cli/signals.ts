/** What shells say of a program that a signal has ended: 128 and the number of the signal. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Why something was broken off, and how the program ends then. */
class BrokenOff extends Error {
  readonly exitCode: number;

  constructor(signal: keyof typeof exitCodes) {
    super(`interrupted by ${signal}`);
    this.exitCode = exitCodes[signal];
  }
}

/** Aborted when a person presses Ctrl-C, or the system asks us to end: what is under way is then ended in good order. */
export function breakOff(): AbortSignal {
  const controller = new AbortController();
  for (const signal of Object.keys(exitCodes) as (keyof typeof exitCodes)[]) {
    process.once(signal, () => controller.abort(new BrokenOff(signal)));
  }
  return controller.signal;
}

/** How a program ends whose work was broken off; null where it was not. */
export function brokenOffCode(signal: AbortSignal | undefined): number | null {
  return signal?.reason instanceof BrokenOff ? signal.reason.exitCode : null;
}
