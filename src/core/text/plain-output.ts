import { printable } from './text.ts';

/**
 * The parser state of an output stream: in text, after an escape, in a control sequence such as a colour, or in a
 * string such as a title or a link.
 */
type Place = 'text' | 'escape' | 'control' | 'string';

interface Stretch {
  /** The characters that continue the state. */
  readonly goesOn: RegExp;
  /** The state that the character after them leads to. Any other character is the first of plain text. */
  readonly leads: readonly (readonly [character: RegExp, to: Place])[];
}

const beginnings = [
  [/\x1b/, 'escape'],
  [/\x9b/, 'control'],
  [/[\x90\x98\x9d-\x9f]/, 'string'],
] as const;

/**
 * Characters after which a string ends, as it does with its line: else one without an end would hide everything that
 * follows.
 */
const longestString = 2000;

/** The states and their transitions, as ECMA-48 defines them. */
const stretches: Readonly<Record<Place, Stretch>> = {
  text: { goesOn: /[^\x1b\x90\x98\x9b\x9d-\x9f]*/y, leads: beginnings },
  escape: {
    goesOn: /[ -/]*/y,
    leads: [[/\[/, 'control'], [/[\]PX^_]/, 'string'], [/[0-~]/, 'text'], ...beginnings],
  },
  control: { goesOn: /[ -?]*/y, leads: [[/[@-~]/, 'text'], ...beginnings] },
  string: { goesOn: /[^\x07\x1b\x9c\n]*/y, leads: [[/[\x07\x9c]/, 'text'], ...beginnings] },
};

/**
 * Converts output of a third party's program for people, piece by piece as it arrives: removes the sequences that a
 * terminal would obey, wherever they are cut in two. A line that is overwritten becomes several lines.
 */
export function createPlainOutput(): (piece: string) => string {
  let place: Place = 'text';
  let stringLength = 0;
  let isAfterReturn = false;

  function endOfStretch(piece: string, at: number): number {
    const { goesOn } = stretches[place];
    goesOn.lastIndex = at;
    const end = at + (goesOn.exec(piece)?.[0].length ?? 0);
    if (place !== 'string') return end;
    const longest = Math.min(end, at + longestString - stringLength);
    stringLength += longest - at;
    return longest;
  }

  function withoutSequences(piece: string): string {
    let text = '';
    for (let at = 0; at < piece.length; ) {
      const end = endOfStretch(piece, at);
      if (place === 'text') text += piece.slice(at, end);
      const next = piece[end];
      if (next === undefined) break;
      const found = stretches[place].leads.find(([character]) => character.test(next));
      place = found?.[1] ?? 'text';
      stringLength = 0;
      at = found === undefined ? end : end + 1;
    }
    return text;
  }

  function withLines(text: string): string {
    if (text === '') return '';
    const whole = isAfterReturn ? `\r${text}` : text;
    isAfterReturn = whole.endsWith('\r');
    const lines = whole.replace(/\r+\n?/g, '\n');
    return text === whole ? lines : lines.slice(1); // the line was ended with the previous piece
  }

  return (piece) => printable(withLines(withoutSequences(piece))).toWellFormed();
}
