import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainOutput, createStyledOutput } from './plain-output.ts';

/** The text shown of output that arrives in these pieces. */
function shown(...pieces: readonly string[]): string {
  return pieces.map(createPlainOutput()).join('');
}

describe("output of a stranger's program", () => {
  it.each([
    ['a colour', 'a\u001b[1;31mb\u001b[0mc', 'abc'],
    ['a cursor', 'a\u001b[2J\u001b[10;20Hb', 'ab'],
    ['a title', 'a\u001b]0;title\u0007b', 'ab'],
    ['a link', '\u001b]8;;https://evil.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a device control string', 'a\u001bP1$r0m\u001b\\b', 'ab'],
    ['a character set', 'a\u001b(0b', 'ab'],
    ['a reset', 'a\u001bcb', 'ab'],
    ['the same in one character each', 'a\u009b31mb\u009d0;title\u009cc', 'abc'],
    ['one within another', 'a\u001b[3\u001b[31mb', 'ab'],
    ['a string without an end', 'a\u001b]0;title\nb', 'a\nb'],
    ['a sequence that is none', 'a\u001b[31\nb\u001b\u00e9c', 'a\nb\u00e9c'],
  ])('has %s taken out', (_, written, expected) => {
    expect(shown(written)).toBe(expected);
  });

  it('keeps its text, and makes of a line that is written over several', () => {
    expect(shown('a\tb\r\nc\n')).toBe('a\tb\nc\n');
    expect(shown('10%\r20%\rdone\n')).toBe('10%\n20%\ndone\n');
    expect(shown('a\r', '\nb\r', 'c\r', '\r', '\n', 'd')).toBe('a\nb\nc\nd');
    expect(shown('a\u0000\u0008b\u202e')).toBe('a\ufffd\ufffdb\ufffd');
  });

  it('loses at most two thousand characters to a string without an end, in however many pieces they come', () => {
    const written = `\u001b]${'x'.repeat(5000)}`;
    expect(shown(written)).toBe('x'.repeat(3000));
    expect(shown(...(written.match(/.{1,7}/gsu) ?? []))).toBe('x'.repeat(3000));
  });

  it('is the same however it is cut into pieces', () => {
    const part = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '31',
      'm',
      ';',
      '\u0007',
      '\\',
      '\n',
      '\r',
      'x',
      'é',
      '\u009b',
      'P',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.infiniteStream(fc.nat({ max: 4 })), (parts, sizes) => {
        const text = parts.join('');
        const pieces: string[] = [];
        for (let at = 0; at < text.length; ) {
          const size = 1 + (sizes.next().value as number);
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(shown(...pieces)).toBe(shown(text));
        expect(shown(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the look of output', () => {
  const looksOf = (...pieces: string[]): string[] => {
    const styled = createStyledOutput();
    return pieces.flatMap((piece) =>
      styled(piece).map(({ text, look }) => {
        const on = Object.entries(look).filter(([, value]) => value !== null && value !== false);
        return `${text}|${on.map(([name, value]) => (value === true ? name : value)).join(' ')}`;
      }),
    );
  };

  it('is that of colours and weights, also where a sequence is cut in two', () => {
    expect(looksOf('a\x1b[1;31mb\x1b[0mc')).toEqual(['a|', 'b|red bold', 'c|']);
    expect(looksOf('\x1b[', '3', '2mgreen\x1b', '[39m', 'plain')).toEqual(['green|green', 'plain|']);
    expect(looksOf('\x1b[92mx\x1b[4;3my\x1b[24;23;2mz\x1b[mend')).toEqual([
      'x|green',
      'y|green italic underline',
      'z|green dim',
      'end|',
    ]);
  });

  it('takes the nearest of eight for all other colours, and any background for a mark', () => {
    expect(looksOf('\x1b[38;5;196ma\x1b[38;2;20;30;250mb\x1b[38;5;244mc\x1b[0;48;2;1;2;3md\x1b[49me')).toEqual([
      'a|red',
      'b|blue',
      'c|white',
      'd|marked',
      'e|',
    ]);
    expect(looksOf('\x1b[41mx\x1b[7my')).toEqual(['xy|marked']);
  });

  it('is not changed by anything else, however long or broken', () => {
    expect(looksOf('\x1b[?25la\x1b[2Jb\x1b]0;title\x07c\x1b[38md\x1b[38;5me\x1b[999mf')).toEqual(['abcdef|']);
    expect(looksOf(`\x1b[${'1;'.repeat(100_000)}31mx`)).toEqual(['x|']);
    expect(looksOf('\x1b[31m'.repeat(100_000))).toEqual([]);
  });
});
