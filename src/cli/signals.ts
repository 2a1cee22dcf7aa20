/** Aborted when a person presses Ctrl-C, or the system asks us to end: what is under way is then ended in good order. */
export function breakOff(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}
