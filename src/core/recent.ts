/** Keeps what was found out, as the latest. Where there are too many, what has not been asked for longest goes. */
export function keepRecent<K, V>(known: Map<K, V>, key: K, value: V, most: number): void {
  known.delete(key);
  known.set(key, value);
  const oldest = known.size > most ? known.keys().next() : undefined;
  if (oldest?.done === false) known.delete(oldest.value);
}
