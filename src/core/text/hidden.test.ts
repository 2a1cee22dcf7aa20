import { expect, it } from 'vitest';
import { replaceHidden, showHidden } from './hidden.ts';

it.each([
  ['a soft hyphen in a word', 'Donau\u00addampf\u00adschiff'],
  ['a mark after a sign in Hebrew', 'שלום עולם!\u200f'],
  ['a mark before Hebrew', '\u200f(1) שלום'],
  ['a mark after a Latin word in Arabic', 'لغة C++\u200e سهلة'],
  ['a non-joiner in Persian', 'می\u200cخواهم'],
])('showHidden() leaves %s in a text', (_, text) => {
  expect(showHidden(text)).toMatchObject({ text, count: 0 });
});

it.each([
  ['a soft hyphen outside of a word', 'a\u00ad b', 'a<U+00AD> b'],
  ['more than one soft hyphen', 'Donau\u00ad\u00addampf', 'Donau<U+00AD><U+00AD>dampf'],
  ['a mark in Latin text', 'left\u200eright', 'left<U+200E>right'],
  [
    'a mark that stands far from any Hebrew',
    `ש${'x'.repeat(20)}\u200f${'x'.repeat(20)}ש`,
    `ש${'x'.repeat(20)}<U+200F>${'x'.repeat(20)}ש`,
  ],
  ['several marks in a row', 'שלום\u200e\u200f\u200e', 'שלום<U+200E><U+200F><U+200E>'],
])('showHidden() makes visible: %s', (_, text, shown) => {
  expect(showHidden(text).text).toBe(shown);
});

it('no hidden character is left in a name, where two would look the same', () => {
  const by = (text: string): string => replaceHidden(text, () => '?');
  expect([by('de\u00admo'), by('שלום\u200f')]).toEqual(['de?mo', 'שלום?']);
});

it('hidden characters in a part of a text are judged by the text around it', () => {
  const around = { before: 'می', after: '👧' };
  expect(showHidden('\u200cخواهم 👩\u200d', around)).toMatchObject({
    text: '\u200cخواهم 👩\u200d',
    count: 0,
    first: -1,
  });
  expect(showHidden('x\u200b', around)).toMatchObject({ text: 'x<U+200B>', count: 1, first: 1 });
  expect(showHidden('\ufeffx', { before: 'x', after: '' }).text).toBe('<U+FEFF>x');
});
