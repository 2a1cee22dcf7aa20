import { printable } from '../../core/text/text.ts';
import { plainAround, type Range } from '../markdown/plain.ts';
import { areAllPlain, charactersOf, startNear } from './characters.ts';

/** Characters of an excerpt, about. */
export const excerptLength = 160;
/** Characters before the subject of an excerpt, if enough follow. */
const usualLead = excerptLength / 4;
/** Code units to read on either side: enough for characters of many units and for long runs of blanks. */
const reach = 1 << 14;

const blank = /\s/u;

/**
 * Returns about 160 characters around a place in a Markdown text, without its marks but for those that are part of what
 * was found.
 */
export function passageAround(text: string, from: number, to: number, found: readonly Range[]): string {
  const plain = plainAround(text, { from, to }, found);
  return excerptAround(plain.text, plain.from, plain.to, plain);
}

/** Returns about 160 characters around a place in a text, cut between characters and, where possible, between words. */
export function excerptAround(
  text: string,
  from: number,
  to: number,
  whole = { isCutBefore: false, isCutAfter: false },
): string {
  const offset = startNear(text, from - reach);
  const near = text.slice(offset, from + excerptLength + reach);
  const around = unitsAround(near, from - offset, to - offset) ?? charactersAround(near, from - offset, to - offset);

  const { characters, kept } = around;
  const room = Math.max(0, excerptLength - (kept.to - kept.from));
  const lead = Math.max(Math.min(usualLead, room >> 1), room - (characters.length - kept.to));
  const roughly = Math.max(0, kept.from - lead);
  const start = wordStart(characters, roughly, kept.from);
  const end = wordEnd(characters, Math.min(characters.length, roughly + excerptLength), kept.to);
  const isCutBefore = whole.isCutBefore || start > 0 || offset + around.from > 0;
  const isCutAfter = whole.isCutAfter || end < characters.length || offset + around.to < text.length;
  const shown = characters.slice(start, end);
  const trimmed = (typeof shown === 'string' ? shown : shown.join('')).trim();
  return printable(`${isCutBefore ? '… ' : ''}${trimmed}${isCutAfter ? ' …' : ''}`).toWellFormed();
}

/** The text around a place, as far as an excerpt can go, with every run of blanks collapsed. */
interface Around {
  /** Characters of the text; a plain string where each is one code unit. */
  readonly characters: string | readonly string[];
  /** Place of the excerpt's subject among them. */
  readonly kept: Range;
  /** Stretch of the text that they were taken from. */
  readonly from: number;
  readonly to: number;
}

function charactersAround(text: string, from: number, to: number): Around {
  const { after, before } = charactersOf(text);
  const first = before(from + 1);
  const middle = walk(text, first, (at) => (at < to ? after(at) : at));
  const right = walk(text, middle.end, after, middle.characters.at(-1));
  const left = walk(text, first, before, middle.characters[0] ?? right.characters[0]);
  return {
    characters: [...left.characters.toReversed(), ...middle.characters, ...right.characters],
    kept: { from: left.characters.length, to: left.characters.length + middle.characters.length },
    from: left.end,
    to: right.end,
  };
}

/** Code units that an excerpt reaches to either side if blanks take up half of it. */
const plainReach = 2 * (excerptLength + 1);

/**
 * The fast variant of `charactersAround` for a text whose units are characters by themselves; null for others, and
 * where blanks take up more.
 */
function unitsAround(text: string, first: number, to: number): Around | null {
  const last = Math.max(first, to);
  const start = Math.max(0, first - plainReach);
  const end = Math.min(text.length, last + plainReach);
  if (first >= text.length || last - first > excerptLength || !areAllPlain(text, start - 1, end + 1)) return null;
  const middle = collapsed(text.slice(first, last));
  const right = collapsed(text.slice(last, end), middle.at(-1) === ' ').slice(0, excerptLength + 1);
  const next = middle === '' ? right : middle;
  const whole = collapsed(text.slice(start, first));
  const left = (whole.endsWith(' ') && next[0] === ' ' ? whole.slice(0, -1) : whole).slice(-excerptLength - 1);
  const isShort = (side: string) => side.length <= excerptLength;
  if ((start > 0 && isShort(left)) || (end < text.length && isShort(right))) return null;
  return {
    characters: left + middle + right,
    kept: { from: left.length, to: left.length + middle.length },
    from: isShort(left) ? 0 : start + 1,
    to: isShort(right) ? text.length : end - 1,
  };
}

/** Collapses every run of blanks; drops the first blank if another precedes it. */
function collapsed(text: string, isBehindBlank = false): string {
  const single = text.replace(/\s+/gu, ' ');
  return isBehindBlank && single.startsWith(' ') ? single.slice(1) : single;
}

interface Walked {
  readonly characters: readonly string[];
  /** Place where the walk ended. */
  readonly end: number;
}

/** Collects characters as far as an excerpt can go, with runs of blanks collapsed, that of a neighbour included. */
function walk(text: string, from: number, next: (place: number) => number, neighbour = ''): Walked {
  const characters: string[] = [];
  for (let place = from; ; ) {
    const to = next(place);
    // One more than is shown tells whether a word goes on.
    if (to === place || characters.length > excerptLength) return { characters, end: place };
    const written = text.slice(Math.min(place, to), Math.max(place, to));
    const character = hasBlank(written) ? written.replace(/\s+/gu, ' ') : written;
    if (character !== ' ' || (characters.at(-1) ?? neighbour) !== ' ') characters.push(character);
    place = to;
  }
}

/** Tells whether a character is blank. Nearly every one is ASCII, and an expression takes several times as long. */
function hasBlank(character: string): boolean {
  const code = character.charCodeAt(0);
  return character.length === 1 && code < 0x80 ? code === 32 || (code >= 9 && code <= 13) : blank.test(character);
}

/** The next word border, unless it is far or would skip the subject. */
function wordStart(characters: Around['characters'], start: number, kept: number): number {
  if (start === 0 || characters[start - 1] === ' ') return start;
  const blank = characters.indexOf(' ', start);
  return blank === -1 || blank >= kept || blank - start > excerptLength / 8 ? start : blank + 1;
}

/** The last word border, unless that would leave out the subject, or much else. */
function wordEnd(characters: Around['characters'], end: number, kept: number): number {
  if (end === characters.length || characters[end] === ' ') return end;
  const blank = characters.lastIndexOf(' ', end);
  return blank >= kept && blank > end - excerptLength / 4 ? blank : end;
}
