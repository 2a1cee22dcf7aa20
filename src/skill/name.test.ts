import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPathLike, labelOf, shortNameOf } from './name.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[./\\a: @-]{0,12}$/),
  fc.string({ unit: 'grapheme' }),
);

it('a published name is never empty where the folder has one, on one line, in normal form, and no path', () => {
  fc.assert(
    fc.property(text, (written) => {
      const label = labelOf(written.trim() === '' ? 'x' : written, 'folder');
      expect(isPathLike(label)).toBe(false);
      expect(label).not.toMatch(/[\n\r\0]/);
      expect(label.normalize('NFC')).toBe(label);
    }),
    { numRuns: 2000 },
  );
});

it('publishing a published name changes nothing', () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(labelOf(labelOf(written, 'f'), 'f')).toBe(labelOf(written, 'f'));
    }),
    { numRuns: 2000 },
  );
});

it('the short name is what follows the last colon', () => {
  expect(shortNameOf('a:b:c')).toBe('c');
  expect(shortNameOf('plain')).toBe('plain');
});
