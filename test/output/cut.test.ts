import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shape } from '../../src/run/output/shape.ts';
import { cutTo, type Kept } from '../../src/run/output/shape-text.ts';
import { processorSeconds } from '../support/processor-time.ts';

const pieces = [
  'a',
  'word ',
  '\n',
  '\r\n',
  'é'.normalize('NFD'),
  '👨‍👩‍👧‍👦',
  '👍🏽',
  '🇩🇪',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'नि',
  '각',
  '\u0600',
  '𝒳',
  '\\n',
  '\\\\',
  '\\u00e9',
  '\\ud83d\\ude00',
  '\u001b[1;31m',
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 200 }).map((parts) => parts.join(''));
const kept = fc.constantFrom<Kept>('head', 'tail', 'middle');
const remark = /\n?\[… (\d+) characters left out …\]\n?/;

function boundaries(whole: string): Set<number> {
  return new Set([...new Intl.Segmenter().segment(whole)].map(({ index }) => index).concat(whole.length));
}

/** The escapes of a text, from its beginning. */
function escapesIn(whole: string): { from: number; to: number }[] {
  const pattern = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[\da-fA-F]{4}|[\s\S])|\u001b\[[0-?]*[ -/]*[@-~]/g;
  return [...whole.matchAll(pattern)].map((found) => ({ from: found.index, to: found.index + found[0].length }));
}

describe('output that is too long', () => {
  it('is never longer than allowed, and never cut within a character or an escape', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 400 }), kept, (whole, most, where) => {
        const cut = cutTo(whole, most, where);
        expect(cut.text.length).toBeLessThanOrEqual(most);
        if (cut.missing === 0) {
          expect(cut.text).toBe(whole);
          return;
        }
        const said = remark.exec(cut.text);
        if (said !== null) expect(Number(said[1])).toBe(cut.missing);
        const places = boundaries(whole);
        const escapes = escapesIn(whole);
        const ends = endsOf(whole, cut.text.replace(remark, '\u0000'), where, cut.missing);
        for (const place of ends) {
          expect(places).toContain(place);
          expect(escapes.some(({ from, to }) => from < place && place < to)).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });

  /** Where the text was cut, by how much of it is left on either side. */
  function endsOf(whole: string, left: string, where: Kept, missing: number): number[] {
    const halves = left.split('\u0000');
    if (halves.length === 2) {
      const [before = '', after = ''] = halves;
      expect(whole.startsWith(before)).toBe(true);
      expect(whole.endsWith(after)).toBe(true);
      return [before.length, whole.length - after.length];
    }
    if (where === 'head') return [left.length];
    if (where === 'tail') return [whole.length - left.length];
    // Without a remark both ends stand together: one of the ways to take them apart must be right.
    const starts = Array.from({ length: left.length + 1 }, (_, at) => at);
    const fits = starts.filter((at) => whole.startsWith(left.slice(0, at)) && whole.endsWith(left.slice(at)));
    const places = boundaries(whole);
    const right = fits.find((at) => places.has(at) && places.has(at + missing));
    expect(right).toBeDefined();
    return right === undefined ? [] : [];
  }

  it('keeps the beginning, the end, or both', async () => {
    const whole = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join('');
    const head = await shape(whole, { maxOutput: 400, truncate: 'head' });
    expect(head.text).toMatch(/^line 0\n[\s\S]*\n\[… \d+ characters left out …\]$/);
    const tail = await shape(whole, { maxOutput: 400, truncate: 'tail' });
    expect(tail.text).toMatch(/^\[… \d+ characters left out …\]\n[\s\S]*line 199\n$/);
    const middle = await shape(whole, { maxOutput: 400 });
    expect(middle.text).toMatch(/^line 0\n[\s\S]*\[… \d+ characters left out …\][\s\S]*line 199\n$/);
    expect(middle.notes).toEqual([
      expect.stringMatching(/^1,\d{3} of 1690 characters were left out in the middle: ask/),
    ]);
    for (const { text: left } of [head, tail, middle]) {
      expect(left.length).toBeLessThanOrEqual(400);
      expect(left.length).toBeGreaterThan(380);
    }
  });

  it('is nothing rather than half of something', () => {
    expect(cutTo('👨‍👩‍👧‍👦', 3, 'head')).toEqual({ text: '', missing: 11 });
    expect(cutTo('a👨‍👩‍👧‍👦', 3, 'head').text).toBe('a');
    expect(cutTo('👨‍👩‍👧‍👦b', 3, 'tail').text).toBe('b');
    expect(cutTo('x\\ud83d\\ude00y', 9, 'head').text).toBe('x');
    expect(cutTo('x\\\\n', 3, 'head').text).toBe('x\\\\');
    expect(cutTo('ab', 2, 'middle')).toEqual({ text: 'ab', missing: 0 });
  });

  it('is no value any more', async () => {
    const { value, text: left } = await shape(JSON.stringify('x'.repeat(1000)), { jq: '.', maxOutput: 500 });
    expect(value).toBeUndefined();
    expect(left).toContain('left out');
  });

  it('is cut in a moment, whatever it is made of', async () => {
    for (const piece of ['a', '\u0301', '🇩🇪', '\\', '👨‍👩‍👧', '\u001b[', '\u0600', '\r\n']) {
      const whole = piece.repeat(Math.ceil(1_000_000 / piece.length));
      for (const where of ['head', 'tail', 'middle'] as const) {
        const cut = () => expect(cutTo(whole, 100_001, where).text.length).toBeLessThanOrEqual(100_001);
        expect(await processorSeconds(cut), `${where} of ${piece}`).toBeLessThan(5);
      }
    }
  });
});
