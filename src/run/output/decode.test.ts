import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeOutput, wholeCharacters } from './decode.ts';

function decoded(text: string): string {
  return decodeOutput(new TextEncoder().encode(text));
}

describe('decoded output', () => {
  it('keeps plain text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const clean = text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
        expect(decoded(`\n${clean}`)).toBe(`\n${clean}`);
      }),
    );
    expect(decoded('a\tb\r\nc\n')).toBe('a\tb\r\nc\n');
  });

  it.each([
    ['\x1b[1;31mred\x1b[0m', 'red'],
    ['\x1b[?25l\x1b[2K\x1b[38;2;1;2;3mx', 'x'],
    ['\x1b]0;title\x07text', 'text'],
    ['\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1bPq#0\x1b\\after', 'after'],
    ['\x1b(Btext\x1bM', 'text'],
    ['\u009b31mred', 'red'],
    ['cut \x1b[3', 'cut '],
    ['cut \x1b', 'cut '],
    ['\x1b]never closed\nnext', '\nnext'],
    ['B\bBo\bol\bld\bd', 'Bold'],
    ['10%\r20%\r30%\n', '10%\n20%\n30%\n'],
    ['a\r\r\nb', 'a\r\nb'],
    ['a\0b\x07', 'a\ufffdb\ufffd'],
    ['page\fpage', 'page\npage'],
  ])('%j reads %j', (printed, read) => {
    expect(decoded(printed)).toBe(read);
  });

  it('can be read in parts, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, at) => {
        const bytes = new TextEncoder().encode(`${text}表`);
        const part = wholeCharacters(bytes.subarray(0, at % bytes.length));
        const whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
        expect(whole.decode(part) + whole.decode(bytes.subarray(part.length))).toBe(`${text}表`);
        expect((at % bytes.length) - part.length).toBeLessThan(4);
      }),
    );
    const garbage = new Uint8Array(100).fill(0x80);
    expect(wholeCharacters(garbage)).toHaveLength(100);
    expect(wholeCharacters(new Uint8Array())).toHaveLength(0);
  });

  it('has nothing in it that a terminal would obey', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodeOutput(bytes)).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
        expect(decodeOutput(bytes).isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('ends with a whole character, wherever the stream was cut', () => {
    const bytes = new TextEncoder().encode('aé€😀');
    const read = Array.from(bytes, (_, end) => decodeOutput(bytes.subarray(0, end)));
    expect(read).toEqual(['', 'a', 'a', 'aé', 'aé', 'aé', 'aé€', 'aé€', 'aé€', 'aé€']);
    expect(decodeOutput(bytes)).toBe('aé€😀');
  });

  it('may contain bytes that are not text', () => {
    expect(decodeOutput(Uint8Array.of(0x61, 0xff, 0x62, 0xc3, 0x28))).toBe('a\ufffdb\ufffd(');
  });
});
