import type { SlicedTask } from '../../core/time-slice.ts';
import { type Automaton, step } from './automaton.ts';

/** Handles a place where a word ends: go on, or search for this word no more. */
export type Visit = (word: number, end: number) => 'more' | 'enough';

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
