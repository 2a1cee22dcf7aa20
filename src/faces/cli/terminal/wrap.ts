import { isAscii } from '../../../core/text/text.ts';

/** Measures the columns that a text takes. */
export type Measure = (text: string) => number;

/** The measure for some texts: plain ASCII needs no tables; anything else loads them. */
export async function measureFor(texts: Iterable<string>): Promise<Measure> {
  for (const text of texts) {
    if (!isAscii(text)) return (await import('./width.ts')).displayWidth;
  }
  return (text) => text.length;
}

/** Breaks a text at blanks so that no line is wider than `width`; longer words are broken where they must be. */
export function wrap(text: string, width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let [line, taken] = ['', 0];
  for (const word of text.split(/\s+/u).filter((part) => part !== '')) {
    for (const piece of pieces(word, width, measure)) {
      const columns = measure(piece);
      const isRoom = line !== '' && taken + 1 + columns <= width;
      if (!isRoom && line !== '') lines.push(line);
      [line, taken] = isRoom ? [`${line} ${piece}`, taken + 1 + columns] : [piece, columns];
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Cuts a long word between characters: scripts without blanks are one long word. */
function pieces(word: string, width: number, measure: Measure): string[] {
  if (measure(word) <= width) return [word];
  const found: string[] = [];
  let piece = '';
  let taken = 0;
  for (const segment of charactersOf(word)) {
    const columns = measure(segment);
    if (piece !== '' && taken + columns > width) {
      found.push(piece);
      [piece, taken] = ['', 0];
    }
    piece += segment;
    taken += columns;
  }
  return [...found, piece];
}

/** The graphemes of a word. It is cut into slices first: segmenting takes the square of the length. */
function* charactersOf(word: string): Iterable<string> {
  const slice = 1000;
  for (let start = 0; start < word.length; ) {
    const segments = [...new Intl.Segmenter().segment(word.slice(start, start + slice))];
    const isLast = start + slice >= word.length;
    // The last character of a slice may go on in the next one.
    const whole = isLast || segments.length < 2 ? segments : segments.slice(0, -1);
    for (const { segment } of whole) yield segment;
    start += whole.reduce((sum, { segment }) => sum + segment.length, 0);
  }
}

/** Clips to at most `most` lines, the last one marked when something was left out. */
export function clip(lines: readonly string[], most: number, width: number, measure: Measure): string[] {
  if (lines.length <= most) return [...lines];
  const kept = lines.slice(0, most);
  let last = kept.pop() ?? '';
  while (last !== '' && measure(last) + 2 > width) last = withoutLastWord(last);
  return [...kept, `${last} …`];
}

/** The line without its last word or, in a single word, its last character. */
function withoutLastWord(line: string): string {
  const blank = line.lastIndexOf(' ');
  if (blank > 0) return line.slice(0, blank);
  return [...charactersOf(line)].slice(0, -1).join('');
}
