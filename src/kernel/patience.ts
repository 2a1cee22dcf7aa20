/** The longest that a timer can wait. */
const foreverMs = 2 ** 31 - 1;

/** Does the work, or as much of it as the time allows. Tells whether it was done. Who waits keeps the process alive. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, foreverMs), false);
  });
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}
