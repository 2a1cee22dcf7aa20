import { isAscii } from '../kernel/text.ts';

/** How many columns a text takes. */
export type Measure = (text: string) => number;

/** Plain ASCII needs no tables; anything else loads them. */
export async function measureFor(texts: Iterable<string>): Promise<Measure> {
  for (const text of texts) {
    if (!isAscii(text)) return (await import('./width.ts')).displayWidth;
  }
  return (text) => text.length;
}

/** Breaks a text at blanks so that no line is wider than `width`; words that are too long are broken where they must. */
export function wrap(text: string, width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/u).filter((part) => part !== '')) {
    for (const piece of pieces(word, width, measure)) {
      const joined = line === '' ? piece : `${line} ${piece}`;
      if (measure(joined) <= width) {
        line = joined;
      } else {
        if (line !== '') lines.push(line);
        line = piece;
      }
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Scripts without blanks are one long word: cut it between characters. */
function pieces(word: string, width: number, measure: Measure): string[] {
  if (measure(word) <= width) return [word];
  const found: string[] = [];
  let piece = '';
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (piece !== '' && measure(piece + segment) > width) {
      found.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...found, piece];
}

/** At most `most` lines, the last one marked when something was left out. */
export function clip(lines: readonly string[], most: number, width: number, measure: Measure): string[] {
  if (lines.length <= most) return [...lines];
  const kept = lines.slice(0, most);
  let last = kept.pop() ?? '';
  while (last !== '' && measure(last) + 2 > width) last = withoutLastWord(last);
  return [...kept, `${last} …`];
}

/** Without its last word or, in a single word, its last character. */
function withoutLastWord(line: string): string {
  const blank = line.lastIndexOf(' ');
  if (blank > 0) return line.slice(0, blank);
  const characters = [...new Intl.Segmenter().segment(line)];
  return line.slice(0, characters.at(-1)?.index ?? 0);
}
