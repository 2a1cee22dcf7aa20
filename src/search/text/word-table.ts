/** Numbers words from 0 on, by their units. */
export interface WordTable {
  /** The number of a word; the next one for a word that was not there yet. Two of different kinds are different. */
  numberOf(units: Uint16Array, from: number, to: number, kind: 0 | 1): number;
}

/**
 * What a place of the table holds, side by side, since the memory it lies in is what is waited for: the word's number
 * plus one, its hash, where its units begin, and how many there are, doubled, with its kind.
 */
const width = 4;

/** A table of our own: the language's would want each word cut out of its text only to find that it is known. */
export function createWordTable(): WordTable {
  let places = new Int32Array(width << 14);
  let pool = new Uint16Array(1 << 16);
  let [count, poolEnd] = [0, 0];
  // Nobody can know which words would fall into one place.
  const seed = Math.floor(Math.random() * 2 ** 32) | 0;

  function put(into: Int32Array, word: number, hash: number, start: number, size: number): void {
    const mask = into.length - 1;
    let at = Math.imul(hash, width) & mask;
    while (into[at] !== 0) at = (at + width) & mask;
    into[at] = word;
    into[at + 1] = hash;
    into[at + 2] = start;
    into[at + 3] = size;
  }

  function add(hash: number, units: Uint16Array, from: number, to: number, size: number): number {
    if (count * 2 * width >= places.length) {
      const larger = new Int32Array(places.length * 4);
      for (let at = 0; at < places.length; at += width) {
        const [word, old, start, length] = places.subarray(at, at + width) as unknown as [
          number,
          number,
          number,
          number,
        ];
        if (word !== 0) put(larger, word, old, start, length);
      }
      places = larger;
    }
    if (poolEnd + to - from > pool.length) {
      const larger = new Uint16Array(pool.length * 2);
      larger.set(pool);
      pool = larger;
    }
    put(places, count + 1, hash, poolEnd, size);
    for (let at = from; at < to; at++) pool[poolEnd++] = units[at] as number;
    return count++;
  }

  function isAt(start: number, units: Uint16Array, from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (pool[start + at - from] !== units[at]) return false;
    return true;
  }

  return {
    numberOf(units, from, to, kind) {
      const hash = hashOf(units, from, to, seed ^ kind);
      const size = (to - from) * 2 + kind;
      const mask = places.length - 1;
      for (let at = Math.imul(hash, width) & mask; ; at = (at + width) & mask) {
        const word = places[at] as number;
        if (word === 0) return add(hash, units, from, to, size);
        const isLike = places[at + 1] === hash && places[at + 3] === size;
        if (isLike && isAt(places[at + 2] as number, units, from, to)) return word - 1;
      }
    },
  };
}

function hashOf(units: Uint16Array, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (units[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
