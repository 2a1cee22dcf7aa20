import { isAscii } from '../../../core/text/text.ts';

/** Columns that a text takes on a terminal: none for marks and joiners, two for wide and emoji characters. */
export function displayWidth(text: string): number {
  // Most texts are ASCII and need no tables.
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment);
  return width;
}

const segmenter = new Intl.Segmenter();
const zero = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u;
const emoji = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|.*\u{fe0f}|\p{Extended_Pictographic}.*\u{200d})/u;

function widthOf(segment: string): number {
  if (zero.test(segment)) return 0;
  return emoji.test(segment) || isWide(segment.codePointAt(0) ?? 0) ? 2 : 1;
}

/** East Asian Wide and Fullwidth blocks, as first and last code point. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1aff0, 0x1b2fb],
  [0x20000, 0x3fffd],
];

function isWide(code: number): boolean {
  return wideRanges.some(([first, last]) => code >= first && code <= last);
}
