import { gramBytes, gramsOfToken } from '../index/grams.ts';
import type { Collection } from '../rank/collection.ts';

/** Creates a test whether a document may hold all tokens. A no is certain; a yes must be verified in the text. */
export function createSieve({ parts }: Collection, tokens: readonly string[]): (document: number) => boolean {
  const bits = [...new Set(tokens.flatMap(gramsOfToken))];
  return (document) => {
    const part = parts.findLast(({ first }) => first <= document);
    if (part === undefined) return true;
    const { grams } = part.segment.parts;
    const start = (document - part.first) * gramBytes;
    return bits.every((bit) => ((grams[start + (bit >> 3)] as number) & (1 << (bit & 7))) !== 0);
  };
}
