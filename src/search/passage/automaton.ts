import type { SlicedTask } from '../../core/time-slice.ts';

/**
 * Finds many words in one pass over a text, however they overlap (the Aho–Corasick algorithm). One plain search for
 * each would be shorter, and takes half a minute for a single long word on a text that was made for it.
 */
export interface Automaton {
  /** Length of each word. */
  readonly lengths: Int32Array;
  /** Longest word that ends where a state stands; -1 if none does. */
  readonly longest: Int32Array;
  /** Next shorter word that ends where this one does; -1 if there is none. */
  readonly shorter: Int32Array;
  /** State to go on from when a state has no transition for a character. */
  readonly fallback: Int32Array;
  /** Transitions from the start by the characters that most texts are made of. */
  readonly start: Int32Array;
  readonly ways: Ways;
}

/**
 * Transitions from a state by a character to a state, in one hash table: one object for each state would be far too
 * many.
 */
interface Ways {
  readonly mask: number;
  readonly states: Int32Array;
  readonly codes: Uint16Array;
  /** Target state; 0 where a slot is free, as no transition leads back to the start. */
  readonly targets: Int32Array;
}

const plainCodes = 0x80;

/** Creates an automaton for words that are all different; an empty one is never found. */
export function createAutomaton(words: readonly string[]): Automaton {
  const size = 1 + words.reduce((sum, word) => sum + word.length, 0);
  const automaton: Automaton = {
    lengths: Int32Array.from(words, (word) => word.length),
    longest: new Int32Array(size).fill(-1),
    shorter: new Int32Array(words.length).fill(-1),
    fallback: new Int32Array(size),
    start: new Int32Array(plainCodes),
    ways: createWays(size),
  };
  // Breadth first over all words at once: the state that another falls back to is shorter, and complete before it.
  let growing = words.map((text, word) => ({ text, word, state: 0 })).filter(({ text }) => text !== '');
  for (let [depth, count] = [0, 1]; growing.length > 0; depth++) {
    for (const one of growing) {
      const code = one.text.charCodeAt(depth);
      const known = wayFrom(automaton.ways, one.state, code);
      one.state = known === 0 ? addState(automaton, one.state, code, count++) : known;
      if (depth + 1 === one.text.length) endWord(automaton, one.word, one.state);
    }
    if (growing.some(({ text }) => text.length === depth + 1))
      growing = growing.filter(({ text }) => text.length > depth + 1);
  }
  return automaton;
}

function addState(automaton: Automaton, from: number, code: number, state: number): number {
  const { fallback, longest, start, ways } = automaton;
  fallback[state] = from === 0 ? 0 : step(automaton, fallback[from] ?? 0, code);
  longest[state] = longest[fallback[state] ?? 0] ?? -1;
  addWay(ways, from, code, state);
  if (from === 0 && code < plainCodes) start[code] = state;
  return state;
}

function endWord({ longest, shorter, fallback }: Automaton, word: number, state: number): void {
  shorter[word] = longest[fallback[state] ?? 0] ?? -1;
  longest[state] = word;
}

function createWays(count: number): Ways {
  const size = 2 ** Math.ceil(Math.log2(2 * count));
  return {
    mask: size - 1,
    states: new Int32Array(size),
    codes: new Uint16Array(size),
    targets: new Int32Array(size),
  };
}

function firstSlot(state: number, code: number): number {
  const mixed = Math.imul(Math.imul(state, 0x9e3779b1) ^ code, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function addWay({ mask, states, codes, targets }: Ways, state: number, code: number, target: number): void {
  let slot = firstSlot(state, code) & mask;
  while (targets[slot] !== 0) slot = (slot + 1) & mask;
  states[slot] = state;
  codes[slot] = code;
  targets[slot] = target;
}

function wayFrom({ mask, states, codes, targets }: Ways, state: number, code: number): number {
  for (let slot = firstSlot(state, code) & mask; ; slot = (slot + 1) & mask) {
    const target = targets[slot] ?? 0;
    if (target === 0 || (states[slot] === state && codes[slot] === code)) return target;
  }
}

/** The state after one more character. */
function step(automaton: Automaton, from: number, code: number): number {
  for (let state = from; state !== 0; state = automaton.fallback[state] ?? 0) {
    const target = wayFrom(automaton.ways, state, code);
    if (target !== 0) return target;
  }
  return code < plainCodes ? (automaton.start[code] ?? 0) : wayFrom(automaton.ways, 0, code);
}

/** Handles a place where a word ends: go on, or search for this word no more. */
type Visit = (word: number, end: number) => 'more' | 'enough';

/** Characters and finds that are processed between two chances to stop. */
const stride = 1 << 15;

/** Visits the places of all words in order of where they end. A word of which there is enough costs nothing more. */
export function* scan(automaton: Automaton, text: string, visit: Visit): SlicedTask<void> {
  const wanted = createWanted(automaton.shorter);
  const reached = { place: 0, state: 0 };
  while (reached.place < text.length && wanted.count > 0) {
    if (reached.place > 0) yield;
    advance(automaton, text, reached, wanted, visit);
  }
}

/** Advances by one stride. Nothing in here is more than it must be: it runs for every character of every skill. */
function advance(
  automaton: Automaton,
  text: string,
  reached: { place: number; state: number },
  wanted: Wanted,
  visit: Visit,
): void {
  const { longest, shorter } = automaton;
  let { place, state } = reached;
  for (let left = stride; left > 0 && place < text.length; left--) {
    state = step(automaton, state, text.charCodeAt(place++));
    if (state === 0 || longest[state] === -1) continue;
    for (let word = wanted.from(longest[state] ?? -1); word !== -1; word = wanted.from(shorter[word] ?? -1)) {
      left--;
      if (visit(word, place) === 'enough') wanted.drop(word);
    }
  }
  reached.place = place;
  reached.state = state;
}

interface Wanted {
  readonly count: number;
  drop(word: number): void;
  /** The first word still wanted of those that end where this one does. */
  from(word: number): number;
}

function createWanted(shorter: Int32Array): Wanted {
  const dropped = new Uint8Array(shorter.length);
  const next = Int32Array.from(shorter);
  let count = shorter.length;
  return {
    get count() {
      return count;
    },
    drop(word) {
      dropped[word] = 1;
      count--;
    },
    from(word) {
      let found = word;
      while (found !== -1 && dropped[found] === 1) found = next[found] ?? -1;
      // Path compression: long chains of dropped words are passed once.
      for (let passed = word; passed !== found; ) {
        const after = next[passed] ?? -1;
        next[passed] = found;
        passed = after;
      }
      return found;
    },
  };
}
