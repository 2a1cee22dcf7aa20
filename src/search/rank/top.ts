/** The places of the highest scores above zero, highest first, earlier ones first among equals. */
export function best(scores: Float32Array, most: number): number[] {
  // A heap with the lowest of the best on top: nearly every score is turned away by one comparison.
  const heap: number[] = [];
  const isBelow = (a: number, b: number) => {
    const one = scores[a] as number;
    const other = scores[b] as number;
    return one < other || (one === other && a > b);
  };
  // What is not above this has no place: zero at first, then the lowest of the best; of equals the earlier one stays.
  let bar = most > 0 ? 0 : Number.POSITIVE_INFINITY;
  for (let at = 0; at < scores.length; at++) {
    if (!((scores[at] as number) > bar)) continue;
    if (heap.length < most) {
      heap.push(at);
      rise(heap, heap.length - 1, isBelow);
    } else {
      heap[0] = at;
      sink(heap, isBelow);
    }
    if (heap.length === most) bar = scores[heap[0] as number] as number;
  }
  return heap.sort((a, b) => (isBelow(a, b) ? 1 : -1));
}

type IsBelow = (a: number, b: number) => boolean;

function rise(heap: number[], from: number, isBelow: IsBelow): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBelow(heap[at] as number, heap[parent] as number)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: number[], isBelow: IsBelow): void {
  let at = 0;
  for (;;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    let lowest = at;
    if (left < heap.length && isBelow(heap[left] as number, heap[lowest] as number)) lowest = left;
    if (right < heap.length && isBelow(heap[right] as number, heap[lowest] as number)) lowest = right;
    if (lowest === at) return;
    swap(heap, at, lowest);
    at = lowest;
  }
}

function swap(heap: number[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as number, heap[a] as number];
}
