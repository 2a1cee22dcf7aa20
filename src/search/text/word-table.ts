import { createNumbers, withRoom } from './numbers.ts';

/** Numbers words from 0 on, by their code units. */
export interface WordTable {
  /** The number of a word; the next one for a word that was not there yet. Two of different kinds are different. */
  numberOf(units: Uint16Array, from: number, to: number, kind: 0 | 1): number;
}

/**
 * Bits of a slot that hold the word's number plus one; above them are some bits of its hash, so that another word's
 * units need hardly ever be compared. Slots are in no order, and the smaller they are the more of them stay near.
 */
const numberBits = 24;
const numberMask = 2 ** numberBits - 1;

/** Creates a hash table of its own: a `Map` would want each word cut out of its text only to find that it is known. */
export function createWordTable(): WordTable {
  let slots = new Int32Array(1 << 15);
  // The kind and the units of each word, one word after another: common words come early, and lie close together.
  let pool = new Uint16Array(1 << 16);
  const starts = createNumbers();
  starts.push(0);
  let count = 0;
  // A random seed, so that nobody can know which words would collide.
  const seed = Math.floor(Math.random() * 2 ** 32) | 0;

  function put(hash: number, word: number): void {
    const mask = slots.length - 1;
    let at = hash & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = (hash & ~numberMask) | (word + 1);
  }

  function add(hash: number, units: Uint16Array, from: number, to: number, kind: 0 | 1): number {
    if (count + 1 >= numberMask) throw new RangeError('more words than can be numbered');
    if ((count + 1) * 2 > slots.length) grow();
    let end = starts.values[count] as number;
    const room = end + 1 + to - from;
    if (room > pool.length) pool = withRoom(pool, new Uint16Array(room * 2));
    pool[end++] = kind;
    for (let at = from; at < to; at++) pool[end++] = units[at] as number;
    starts.push(end);
    put(hash, count);
    return count++;
  }

  function grow(): void {
    slots = new Int32Array(slots.length * 2);
    const { values } = starts;
    for (let word = 0; word < count; word++) {
      const start = values[word] as number;
      put(hashOf(pool, start + 1, values[word + 1] as number, seed ^ (pool[start] as number)), word);
    }
  }

  function isWord(word: number, units: Uint16Array, from: number, to: number, kind: 0 | 1): boolean {
    const { values } = starts;
    let at = values[word] as number;
    if ((values[word + 1] as number) - at - 1 !== to - from || pool[at++] !== kind) return false;
    for (let unit = from; unit < to; unit++) if (pool[at++] !== units[unit]) return false;
    return true;
  }

  return {
    numberOf(units, from, to, kind) {
      const hash = hashOf(units, from, to, seed ^ kind);
      const mask = slots.length - 1;
      for (let at = hash & mask; ; at = (at + 1) & mask) {
        const slot = slots[at] as number;
        if (slot === 0) return add(hash, units, from, to, kind);
        const word = (slot & numberMask) - 1;
        if (((slot ^ hash) & ~numberMask) === 0 && isWord(word, units, from, to, kind)) return word;
      }
    },
  };
}

function hashOf(units: Uint16Array, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (units[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
