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

/** The colours that programs choose among, by the names that terminals give them. */
const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
type Colour = (typeof colours)[number];

/** The look that a program gives its text. Every background becomes the same one, so that text stays readable on it. */
export interface Look {
  readonly colour: Colour | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly marked: boolean;
}

export const plainLook: Look = {
  colour: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  marked: false,
};

/** A stretch of text of one look. */
export interface Styled {
  readonly text: string;
  readonly look: Look;
}

/** Characters of a control sequence that are read: those of colours are short. */
const longestControl = 64;

/**
 * Converts output of a third party's program for people, piece by piece as it arrives: removes the sequences that a
 * terminal would obey, wherever they are cut in two. A line that is overwritten becomes several lines.
 */
export function createPlainOutput(): (piece: string) => string {
  const styled = createStyledOutput();
  return (piece) =>
    styled(piece)
      .map(({ text }) => text)
      .join('');
}

/** Converts output in the same way, and keeps what it says of colours and weights: of all sequences, those alone. */
export function createStyledOutput(): (piece: string) => readonly Styled[] {
  let place: Place = 'text';
  let stringLength = 0;
  let isAfterReturn = false;
  let control = '';
  let look = plainLook;

  function endOfStretch(piece: string, at: number): number {
    const { goesOn } = stretches[place];
    goesOn.lastIndex = at;
    const end = at + (goesOn.exec(piece)?.[0].length ?? 0);
    if (place !== 'string') return end;
    const longest = Math.min(end, at + longestString - stringLength);
    stringLength += longest - at;
    return longest;
  }

  /** Takes a stretch in: as text of the look that holds, or as a part of the sequence that may change it. */
  function take(stretch: string, found: { text: string; look: Look }[]): void {
    if (place === 'control') control = (control + stretch).slice(0, longestControl + 1);
    if (place !== 'text' || stretch === '') return;
    const last = found.at(-1);
    if (last?.look === look) last.text += stretch;
    else found.push({ text: stretch, look });
  }

  /** Goes on to the next state; returns the number of characters that led there. */
  function leave(next: string): number {
    if (place === 'control' && next === 'm') look = lookAfter(look, control);
    const reached = stretches[place].leads.find(([character]) => character.test(next));
    place = reached?.[1] ?? 'text';
    stringLength = 0;
    control = '';
    return reached === undefined ? 0 : 1;
  }

  function stylesIn(piece: string): Styled[] {
    const found: { text: string; look: Look }[] = [];
    for (let at = 0; at < piece.length; ) {
      const end = endOfStretch(piece, at);
      take(piece.slice(at, end), found);
      const next = piece[end];
      if (next === undefined) break;
      at = end + leave(next);
    }
    return found;
  }

  function withLines(text: string): string {
    if (text === '') return '';
    const whole = isAfterReturn ? `\r${text}` : text;
    isAfterReturn = whole.endsWith('\r');
    const lines = whole.replace(/\r+\n?/g, '\n');
    return text === whole ? lines : lines.slice(1); // the line was ended with the previous piece
  }

  return (piece) =>
    stylesIn(piece).map(({ text, look: own }) => ({ text: printable(withLines(text)).toWellFormed(), look: own }));
}

/** Codes that change one thing about a look. */
const codes: Readonly<Record<number, Partial<Look>>> = {
  0: plainLook,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { marked: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { marked: false },
  39: { colour: null },
  49: { marked: false },
};

/** The look after a sequence such as `1;31`. Whatever is not understood changes nothing. */
function lookAfter(look: Look, control: string): Look {
  if (control.length > longestControl || !/^[\d;:]*$/.test(control)) return look;
  const numbers = control.split(/[;:]/).map(Number);
  const changes: Partial<Look>[] = [];
  while (numbers.length > 0) changes.push(nextChange(numbers));
  const now = Object.assign({ ...look }, ...changes) as Look;
  return JSON.stringify(now) === JSON.stringify(look) ? look : now;
}

/** Takes the first numbers that belong together, and returns what they change. */
function nextChange(numbers: number[]): Partial<Look> {
  const code = numbers.shift() ?? 0;
  if (code !== 38 && code !== 48) return codes[code] ?? coded(code);
  const form = longForms[numbers.shift() ?? 0];
  const given = numbers.splice(0, form?.length ?? numbers.length);
  if (form === undefined || given.length < form.length) return {};
  return code === 48 ? { marked: true } : { colour: form.colour(given) };
}

/** The long forms of a colour, by their second number: one of 256, or red, green and blue. */
const longForms: Readonly<Record<number, { readonly length: number; colour(given: readonly number[]): Colour }>> = {
  5: { length: 1, colour: ([index = 0]) => indexed(index) },
  2: { length: 3, colour: (given) => nearest(given) },
};

/** The meaning of the codes of the eight colours, dark and bright, and of backgrounds. */
function coded(code: number): Partial<Look> {
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { marked: true };
  const colour = code >= 90 && code <= 97 ? colours[code - 90] : colours[code - 30];
  return colour === undefined ? {} : { colour };
}

/** The colour for one of 256: the first sixteen are the colours, then comes a cube of six by six by six, then greys. */
function indexed(index: number): Colour {
  if (index < 16) return colours[index % 8] ?? 'white';
  if (index >= 232) return index < 244 ? 'black' : 'white';
  const cube = index - 16;
  return nearest([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => level * 51));
}

/** The colour that is closest to red, green and blue: those of the three that are strong. */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): Colour {
  const border = (Math.max(red, green, blue, 96) * 2) / 3;
  const bits = (red >= border ? 1 : 0) + (green >= border ? 2 : 0) + (blue >= border ? 4 : 0);
  return colours[bits] ?? 'white';
}
