import { foldText } from '../text/folded.ts';

/**
 * Which three characters stand together somewhere in a text, as a bitmap of hashes. A text without one of the threes of
 * a token cannot hold the token: an exact search reads only what may hold all of them.
 */
export const gramBytes = 512; // 2 ** 12 bits

export function gramsOf(texts: readonly string[]): Uint8Array {
  const map = new Uint8Array(gramBytes);
  for (const text of texts) {
    eachBit(foldText(text).text, (bit) => {
      map[bit >> 3] = (map[bit >> 3] as number) | (1 << (bit & 7));
    });
  }
  return map;
}

/** The bits that a folded token needs; a token of one or two characters needs none. */
export function gramsOfToken(token: string): readonly number[] {
  const needed = new Set<number>();
  eachBit(token, (bit) => needed.add(bit));
  return [...needed];
}

/** Two characters are carried along, so that each is looked at once: a text has thousands of threes. */
function eachBit(text: string, visit: (bit: number) => void): void {
  let [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = 2; at < text.length; at++) {
    const third = text.charCodeAt(at);
    const three = Math.imul(first, 0x10001) ^ Math.imul(second, 0x2f0b) ^ (third << 5);
    visit(Math.imul(three ^ (three >>> 13), 0x5bd1e995) >>> 20);
    first = second;
    second = third;
  }
}
