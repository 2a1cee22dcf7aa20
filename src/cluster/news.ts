import type { KV, KvEntry } from '@nats-io/kv';

/** Milliseconds between two looks at whether news are missing. */
const lookMs = 2000;

/**
 * Opens the news of a bucket, from now on. Where the node dies that sends them, the library notices it after a minute;
 * so the number of the last change is asked for now and then, and where it stays ahead of the news they end. Returns what
 * hands them on until then, or until the signal ends them, which must come in any case.
 */
export async function openNews(
  keys: KV,
  signal: AbortSignal,
): Promise<(onEntry: (entry: KvEntry) => void) => Promise<void>> {
  const news = await keys.watch({ include: 'updates' });
  let [seen, before] = [await lastIn(keys), 0];
  const look = async (): Promise<void> => {
    const last = await lastIn(keys).catch(() => seen); // without a leader there is nothing new either
    if (seen < before) news.stop();
    before = last;
  };
  const timer = setInterval(() => void look(), lookMs).unref();
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    news.stop();
  });
  return async (onEntry) => {
    for await (const entry of news) {
      seen = Math.max(seen, entry.revision);
      onEntry(entry);
    }
  };
}

/** The number of the last change of a bucket. */
export async function lastIn(keys: KV): Promise<number> {
  return (await keys.status()).streamInfo.state.last_seq;
}
