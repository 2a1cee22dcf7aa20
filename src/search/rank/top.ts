/** The places of the highest scores above zero, highest first, earlier ones first among equals. */
export function best(scores: Float32Array, most: number): number[] {
  // A heap with the lowest of the best on top: nearly every score is rejected by one comparison.
  const heap = new Int32Array(Math.min(most, scores.length));
  let size = 0;
  // A score must be above this: zero at first, then the lowest of the best; of equals the earlier one stays.
  let bar = heap.length > 0 ? 0 : Number.POSITIVE_INFINITY;
  for (let at = 0; at < scores.length; at++) {
    if (!((scores[at] as number) > bar)) continue;
    if (size < heap.length) rise(heap, size++, at, scores);
    else sink(heap, at, scores);
    if (size === heap.length) bar = scores[heap[0] as number] as number;
  }
  return Array.from(heap.subarray(0, size)).sort((a, b) => (isBelow(scores, a, b) ? 1 : -1));
}

function isBelow(scores: Float32Array, a: number, b: number): boolean {
  const one = scores[a] as number;
  const other = scores[b] as number;
  return one < other || (one === other && a > b);
}

/** Puts a place below those in a heap, and lets it rise. */
function rise(heap: Int32Array, from: number, place: number, scores: Float32Array): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBelow(scores, place, heap[parent] as number)) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = place;
}

/** Puts a place on top of a full heap instead of the lowest, and lets it sink. */
function sink(heap: Int32Array, place: number, scores: Float32Array): void {
  let at = 0;
  for (;;) {
    let lower = 2 * at + 1;
    if (lower >= heap.length) break;
    if (lower + 1 < heap.length && isBelow(scores, heap[lower + 1] as number, heap[lower] as number)) lower++;
    if (!isBelow(scores, heap[lower] as number, place)) break;
    heap[at] = heap[lower] as number;
    at = lower;
  }
  heap[at] = place;
}
