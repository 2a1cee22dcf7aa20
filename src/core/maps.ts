/** Adds a value to the list that a map keeps under a key. */
export function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** The value that a map has under a key; where it has none, one is made and kept. */
export function getOrInsert<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): void },
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** A function that makes its result once for each object, and keeps it for as long as the object is there. */
export function memoized<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => getOrInsert(known, key, () => make(key));
}

/** Keeps a value as the most recent. Beyond the limit, the least recently kept one is evicted. */
export function keepRecent<K, V>(known: Map<K, V>, key: K, value: V, most: number): void {
  known.delete(key);
  known.set(key, value);
  const oldest = known.size > most ? known.keys().next() : undefined;
  if (oldest?.done === false) known.delete(oldest.value);
}
