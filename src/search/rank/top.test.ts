import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { best } from './top.ts';

describe('the top k', () => {
  it('are those that sorting all would put first', () => {
    const score = fc.oneof(fc.constantFrom(0, 0.5, 1, -1), fc.float({ noNaN: true, min: -1, max: 1 }));
    fc.assert(
      fc.property(fc.array(score, { maxLength: 60 }), fc.nat(70), (list, most) => {
        const scores = Float32Array.from(list);
        const sorted = [...scores.keys()]
          .filter((at) => (scores[at] as number) > 0)
          .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
        expect(best(scores, most)).toEqual(sorted.slice(0, most));
      }),
      { numRuns: 1000 },
    );
  });
});
