/**
 * Layout of a mark, which is a term in 32 bits: its length, and a bit for each of its characters. Of two terms that are
 * one typing error apart, each has one bit at most that the other has not, so that a whole dictionary is sifted by
 * comparing numbers.
 */
const lengthBits = 5;
const letterBits = 32 - lengthBits;
const longest = 2 ** lengthBits - 1;
/** Bits of a mark that stand for characters. */
const letters = ~longest;

export function markOf(term: string): number {
  let held = 0;
  for (let at = 0; at < term.length; at++) held |= 1 << (term.charCodeAt(at) % letterBits);
  return ((held << lengthBits) | Math.min(term.length, longest)) >>> 0;
}

/** Tells whether two terms may be at most this number of errors apart. */
export function areNear(a: number, b: number, errors: number): boolean {
  const apart = (a & longest) - (b & longest);
  if (apart > errors || -apart > errors) return false;
  // To strike as many bits as there may be is quicker than to count all.
  let [only, other] = [a & ~b & letters, b & ~a & letters];
  for (let left = errors; left > 0; left--) {
    only &= only - 1;
    other &= other - 1;
  }
  return (only | other) === 0;
}

/** Marks in the order of the lengths in them, and the terms that they are of. */
export interface TermLengths {
  /** The terms that may be at most this number of errors apart from that of a mark, shortest first. */
  near(mark: number, errors: number): number[];
}

export function byLength(all: Uint32Array): TermLengths {
  // Start of the marks of each length; as they are filled in, it becomes their end.
  const ends = new Uint32Array(longest + 2);
  for (const mark of all) ends[(mark & longest) + 1] = (ends[(mark & longest) + 1] as number) + 1;
  for (let length = 1; length < ends.length; length++)
    ends[length] = (ends[length] as number) + (ends[length - 1] as number);
  // Signed, as all are compared by their bits: what does not fit a small number costs several times as much.
  const [marks, terms] = [new Int32Array(all.length), new Uint32Array(all.length)];
  all.forEach((mark, term) => {
    const place = ends[mark & longest] as number;
    marks[place] = mark;
    terms[place] = term;
    ends[mark & longest] = place + 1;
  });
  return {
    near(given, errors) {
      const mark = given | 0;
      const [shortest, last] = [(mark & longest) - errors, Math.min(longest, (mark & longest) + errors)];
      const end = ends[last] as number;
      const found: number[] = [];
      for (let at = shortest > 0 ? (ends[shortest - 1] as number) : 0; at < end; at++) {
        if (areNear(mark, marks[at] as number, errors)) found.push(terms[at] as number);
      }
      return found;
    },
  };
}
