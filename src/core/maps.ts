/** Adds a value to the list that a map keeps under a key. */
export function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Keeps a value as the most recent. Beyond the limit, the least recently kept one is evicted. */
export function keepRecent<K, V>(known: Map<K, V>, key: K, value: V, most: number): void {
  known.delete(key);
  known.set(key, value);
  const oldest = known.size > most ? known.keys().next() : undefined;
  if (oldest?.done === false) known.delete(oldest.value);
}
