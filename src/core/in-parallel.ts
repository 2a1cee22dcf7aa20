/**
 * Works on all items, so many at the same time, and gives the results in the order of the items. After a failure none is
 * begun, and those under way are waited for.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const rest = items.entries();
  let failure: { readonly error: unknown } | null = null;
  const lane = async (): Promise<void> => {
    for (const [at, item] of rest) {
      if (failure !== null) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
  return results;
}
