import { foldText } from '../text/folded.ts';
import { unitsOf } from '../text/runs.ts';

/**
 * Bytes of a trigram bitmap: hashes of all three adjacent characters in a text. A text without one of the trigrams of a
 * token cannot hold the token: an exact search reads only what may hold all of them.
 */
export const gramBytes = 512; // 2 ** 12 bits

export function gramsOf(texts: readonly string[]): Uint8Array {
  const map = new Uint8Array(gramBytes);
  for (const text of texts) {
    const folded = foldText(text).text;
    const units = unitsOf(folded);
    // Two characters are carried along, so that each is read once: a text has thousands of trigrams.
    let [first, second] = [units[0] as number, units[1] as number];
    for (let at = 2; at < folded.length; at++) {
      const third = units[at] as number;
      const bit = bitOf(first, second, third);
      map[bit >> 3] = (map[bit >> 3] as number) | (1 << (bit & 7));
      first = second;
      second = third;
    }
  }
  return map;
}

/** The bits that a folded token needs; a token of one or two characters needs none. */
export function gramsOfToken(token: string): readonly number[] {
  const needed = new Set<number>();
  for (let at = 2; at < token.length; at++) {
    needed.add(bitOf(token.charCodeAt(at - 2), token.charCodeAt(at - 1), token.charCodeAt(at)));
  }
  return [...needed];
}

function bitOf(first: number, second: number, third: number): number {
  const three = Math.imul(first, 0x10001) ^ Math.imul(second, 0x2f0b) ^ (third << 5);
  return Math.imul(three ^ (three >>> 13), 0x5bd1e995) >>> 20;
}
