import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCleaner, nothingWritten, type Written, withCount, withOutput } from './output.ts';

const esc = '\u001b';
const textOf = ({ pieces }: Written): string => pieces.map(({ text }) => text).join('');

/** What is left of texts that come one after the other. */
function cleaned(...texts: readonly string[]): string {
  const clean = createCleaner();
  return [...texts.map(clean), clean('')].join('');
}

describe('output of strangers', () => {
  it.each([
    [[`${esc}[31mred${esc}[0m`], 'red'],
    [[`a${esc}`, '[3', '1mb'], 'ab'],
    [[`${esc}]8;;http://evil.example${esc}\\link${esc}]8;;\u0007`], 'link'],
    [[`${esc}]0;ti`, `tle\u0007x`], 'x'],
    [['10 %\r', '\n20 %\r30 %'], '10 %\n20 %\n30 %'],
    [['one\r\r', '\ntwo'], 'one\ntwo'],
    [[`one\r${esc}`, 'm\ntwo'], 'one\ntwo'],
    [['bell\u0007, back\b, nul\u0000'], 'bell, back, nul'],
    [['evil \u202e txt'], 'evil \ufffd txt'],
    [[`${esc}(B${esc}=${esc}7plain`], 'plain'],
    [['<script>alert(1)</script>\ttab\n'], '<script>alert(1)</script>\ttab\n'],
    [[`cut off ${esc}[3`], 'cut off [3'],
  ])('%j', (texts, expected) => {
    expect(cleaned(...texts)).toBe(expected);
  });

  it('is the same however it is cut into pieces, and nothing in it steers anything', () => {
    const part = fc.constantFrom(
      'text',
      esc,
      '[31m',
      ']0;t',
      '\u0007',
      '\r',
      '\n',
      '\\',
      'ä',
      '\u202e',
      `${esc}[2K`,
      'm',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.nat(40), (parts, at) => {
        const text = parts.join('');
        const whole = cleaned(text);
        expect(cleaned(text.slice(0, at), text.slice(at))).toBe(whole);
        expect(whole).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      }),
      { numRuns: 300 },
    );
  });

  it('a sequence that never ends keeps nothing back for ever', () => {
    const clean = createCleaner();
    const shown = Array.from({ length: 100 }, () => clean(`${'x'.repeat(100)}`));
    clean(`${esc}]`);
    const late = Array.from({ length: 100 }, () => clean('y'.repeat(100))).join('');
    expect(shown.join('')).toHaveLength(10_000);
    expect(late.length).toBeGreaterThan(5000);
  });
});

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
