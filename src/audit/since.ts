/** Clocks are set back at times. What is read is older than all before it only if it is by more than this. */
export const clockMs = 24 * 60 * 60 * 1000;

/** Of what comes with the newest first, all that is not older; what lies behind that is not read. */
export function* notBefore<T>(
  items: Iterable<T>,
  timeOf: (item: T) => string,
  since: Date | undefined,
): Generator<T, undefined> {
  const from = since?.getTime() ?? Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const time = Date.parse(timeOf(item));
    if (time < from - clockMs) return;
    if (time >= from) yield item;
  }
}
