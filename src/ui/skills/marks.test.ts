import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markedParts } from './marks.ts';

const marked = (text: string, query: string) =>
  markedParts(text, query).flatMap((part) => (part.isMarked ? [part.text] : []));

test('the words of a query are marked, whatever their ending', () => {
  expect(marked('Fill forms. A form is filled; platform is not one.', 'filling forms')).toEqual([
    'Fill',
    'forms',
    'form',
    'filled',
  ]);
});

test('common words are marked only where there are no others', () => {
  expect(marked('how to read the file', 'how to read')).toEqual(['read']);
  expect(marked('to be', 'to be')).toEqual(['to', 'be']);
});

test('scripts without spaces are marked inside', () => {
  expect(marked('帮助填写表格的技能', '表格')).toEqual(['表格']);
});

test('nothing of a text is lost, whatever the query', () => {
  const piece = fc.constantFrom(
    'form',
    'forms',
    ' ',
    'ſ',
    'é',
    '表格',
    '😀',
    '\ud800',
    '.*',
    '(',
    '\\',
    '\n',
    'İ',
    'a',
    '-',
  );
  const words = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(words, words, (text, query) => {
      expect(
        markedParts(text, query)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
    { numRuns: 100 },
  );
});
