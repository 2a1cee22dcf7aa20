import { describe, expect, it } from 'vitest';
import { nothingWritten, type Written, withCount, withOutput } from './state.ts';

const textOf = ({ pieces }: Written): string => pieces.map(({ text }) => text).join('');

describe('what is shown of output', () => {
  it('keeps the streams apart and in order', () => {
    let written = withOutput(nothingWritten, 'stdout', 'a');
    written = withOutput(written, 'stdout', 'b');
    written = withOutput(written, 'stderr', 'c');
    written = withOutput(written, 'stdout', 'd');
    expect(written.pieces.map(({ stream, text }) => [stream, text])).toEqual([
      ['stdout', 'ab'],
      ['stderr', 'c'],
      ['stdout', 'd'],
    ]);
  });

  it('is the end of it, however much there is, and what is gone is counted', () => {
    let written = nothingWritten;
    for (let round = 0; round < 60; round++) written = withOutput(written, 'stdout', `${round}:`.padEnd(10_000, 'x'));
    expect(textOf(written).length).toBeLessThanOrEqual(200_000);
    expect(textOf(written).length + written.dropped).toBe(600_000);
    expect(textOf(written)).toContain('59:');
    let many = nothingWritten;
    for (let round = 0; round < 3000; round++) many = withOutput(many, round % 2 === 0 ? 'stdout' : 'stderr', 'x');
    expect(many.pieces.length).toBeLessThanOrEqual(1000);
    expect(new Set(many.pieces.map(({ number }) => number)).size).toBe(many.pieces.length);
  });

  it('counts bytes of each stream', () => {
    const written = withCount(withCount(nothingWritten, 'stdout', 'ä'), 'stderr', 'abc');
    expect(written.bytes).toEqual({ stdout: 2, stderr: 3 });
  });
});
