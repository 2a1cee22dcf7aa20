/** A matcher that finds many byte strings in one pass, however they overlap (Aho and Corasick). */
export interface Matcher {
  /**
   * Goes on from a state, byte by byte, and reports each match: its end, and the length of the longest one there.
   * Returns the state after the last byte.
   */
  scan(state: number, bytes: Uint8Array, onMatch: (end: number, length: number) => void): number;
  /** Number of the last bytes that may be the beginning of a match. */
  pending(state: number): number;
  /** The state after one more byte. */
  step(state: number, byte: number): number;
  /** Length of the longest match that ends here; 0 for none. */
  matchAt(state: number): number;
  /** Length of the longest pattern. */
  readonly longest: number;
  /** Bytes that begin no pattern. */
  readonly passes: Uint8Array;
}

const root = 0;

/** Builds a matcher. No pattern may be shorter than two bytes. */
export function createMatcher(patterns: readonly Uint8Array[]): Matcher {
  const most = 1 + patterns.reduce((sum, { length }) => sum + length, 0);
  // A tree of states: the first child of each, and its next sibling. Most states have one child.
  const [child, sibling, fail] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  const [depth, longest] = [new Int32Array(most), new Int32Array(most)];
  const label = new Uint8Array(most);
  /** The first two bytes of every pattern, which dismiss nearly everything that is read. */
  const beginnings = new Uint8Array(1 << 16);
  const first = new Int32Array(256);
  let states = 1;

  function childOf(state: number, byte: number): number {
    if (state === root) return first[byte] as number;
    let found = child[state] as number;
    while (found !== 0 && label[found] !== byte) found = sibling[found] as number;
    return found;
  }

  function addChild(state: number, byte: number): number {
    const made = states++;
    label[made] = byte;
    depth[made] = (depth[state] as number) + 1;
    sibling[made] = child[state] as number;
    child[state] = made;
    if (state === root) first[byte] = made;
    return made;
  }

  function add(pattern: Uint8Array): void {
    let state = root;
    for (const byte of pattern) state = childOf(state, byte) || addChild(state, byte);
    longest[state] = pattern.length;
    beginnings[((pattern[0] as number) << 8) | (pattern[1] as number)] = 1;
  }

  function next(state: number, byte: number): number {
    for (let from = state; ; from = fail[from] as number) {
      const found = childOf(from, byte);
      if (found !== 0 || from === root) return found;
    }
  }

  /** Links each state to where to go on if the next byte leads nowhere: the longest suffix that begins a pattern. */
  function linkFailures(): void {
    const queue = [root];
    for (const state of queue) {
      for (let made = child[state] as number; made !== 0; made = sibling[made] as number) {
        queue.push(made);
        if (state === root) continue;
        fail[made] = next(fail[state] as number, label[made] as number);
        longest[made] = Math.max(longest[made] as number, longest[fail[made] as number] as number);
      }
    }
  }

  for (const pattern of patterns) add(pattern);
  linkFailures();

  return {
    pending: (state) => depth[state] as number,
    step: next,
    matchAt: (state) => longest[state] as number,
    longest: Math.max(0, ...patterns.map(({ length }) => length)),
    passes: Uint8Array.from(first, (state) => (state === 0 ? 1 : 0)),
    scan(from, bytes, onMatch) {
      let state = from;
      const last = bytes.length - 1;
      for (let at = 0; at <= last; at++) {
        if (state === root) {
          while (at < last && beginnings[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] === 0) at++;
        }
        state = next(state, bytes[at] as number);
        if (longest[state] !== 0) onMatch(at + 1, longest[state] as number);
      }
      return state;
    },
  };
}
