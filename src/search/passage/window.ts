import { runSync, type SlicedTask } from '../../core/time-slice.ts';
import { type Automaton, scan } from './automaton.ts';

/** A stretch from the first place of a needle to the end of the last, and the weight of the different ones between. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Number of places that are visited, shared among the needles. */
const mostPlaces = 8_000_000;
/** Rounding error of sums: fractions differ in their last digits by the order in which they were added up. */
const tolerance = 1e-9;

/** Finds the stretch of at most `length` characters of a folded text whose needles weigh most; the first of several. */
export function* windowInSteps(
  automaton: Automaton,
  weights: readonly number[],
  folded: string,
  length: number,
): SlicedTask<Window> {
  const most = Math.ceil(mostPlaces / weights.length);
  const places = new Int32Array(weights.length);
  const slide = createSlide(weights, length);
  const everything = weights.reduce((sum, weight) => sum + weight, 0) - tolerance;
  let best: Stretch = { from: 0, to: 0, weight: 0, start: 0 };
  yield* scan(automaton, folded, (word, end) => {
    const stretch = slide.add(word, end - (automaton.lengths[word] ?? 0), end);
    if (stretch.weight > best.weight + tolerance) best = stretch;
    const count = (places[word] ?? 0) + 1;
    places[word] = count;
    return count < most && best.weight < everything ? 'more' : 'enough';
  });
  return { from: firstPlace(automaton, folded, best), to: best.to, weight: best.weight };
}

function firstPlace(automaton: Automaton, folded: string, { from, to, start }: Stretch): number {
  let first = start;
  const visit = (word: number, end: number) => {
    first = Math.min(first, from + end - (automaton.lengths[word] ?? 0));
    return 'more' as const;
  };
  runSync(scan(automaton, folded.slice(from, to), visit));
  return first;
}

interface Stretch extends Window {
  /** Start of the needle that completed the stretch. */
  readonly start: number;
}

interface Slide {
  /** Adds a needle, and returns the stretch that ends with it. */
  add(word: number, start: number, end: number): Stretch;
}

/** Maintains the weight of the needles that lie in a stretch while it slides over a text. */
export function createSlide(weights: readonly number[], length: number): Slide {
  const starts = new Int32Array(weights.length).fill(-1);
  // Needles by start, in a ring buffer of as many places as the stretch is long.
  const ring: (number[] | undefined)[] = [];
  const isTaken = new Uint8Array(length);
  let [low, sum] = [0, 0];

  function leave(place: number): void {
    if (isTaken[place % length] === 0) return;
    const slot = ring[place % length] ?? [];
    for (const word of slot) {
      if (starts[word] !== place) continue; // the needle stands again further on
      starts[word] = -1;
      sum -= weights[word] ?? 0;
    }
    slot.length = 0;
    isTaken[place % length] = 0;
  }

  return {
    add(word, start, end) {
      // A needle longer than the stretch is shown from its beginning, by itself.
      if (end - start > length) return { from: start, to: start + length, weight: weights[word] ?? 0, start };
      const until = Math.min(end - length, low + length);
      for (let place = low; place < until; place++) leave(place);
      low = Math.max(low, end - length);
      if (starts[word] === -1) sum += weights[word] ?? 0;
      starts[word] = start;
      const slot = ring[start % length];
      if (slot === undefined) ring[start % length] = [word];
      else slot.push(word);
      isTaken[start % length] = 1;
      return { from: Math.max(0, end - length), to: end, weight: sum, start };
    },
  };
}
