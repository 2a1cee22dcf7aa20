import { printable } from '../../kernel/text.ts';
import { plainAround, type Range } from '../markdown/plain.ts';
import { charactersOf, startNear } from './characters.ts';

/** How many characters an excerpt has, about. */
export const excerptLength = 160;
/** So many of them stand before what it is about, if enough follow. */
const usualLead = excerptLength / 4;
/** How far to look on either side, in units: enough for characters of many units and for long runs of blanks. */
const reach = 1 << 14;

const blank = /\s/u;

/** About 160 characters around a place in a Markdown text, without its marks but for those that are part of what was found. */
export function passageAround(text: string, from: number, to: number, found: readonly Range[]): string {
  const plain = plainAround(text, { from, to }, found);
  return excerptAround(plain.text, plain.from, plain.to, plain);
}

/** About 160 characters around a place in a text, cut between characters and, where it can, between words. */
export function excerptAround(
  text: string,
  from: number,
  to: number,
  whole = { isCutBefore: false, isCutAfter: false },
): string {
  const offset = startNear(text, from - reach);
  const near = text.slice(offset, from + excerptLength + reach);
  const { after, before } = charactersOf(near);
  const [first, last] = [before(from - offset + 1), to - offset];
  const middle = walk(near, first, (at) => (at < last ? after(at) : at));
  const right = walk(near, middle.end, after, middle.characters.at(-1));
  const left = walk(near, first, before, middle.characters[0] ?? right.characters[0]);

  const characters = [...left.characters.toReversed(), ...middle.characters, ...right.characters];
  const kept = { from: left.characters.length, to: left.characters.length + middle.characters.length };
  const room = Math.max(0, excerptLength - middle.characters.length);
  const lead = Math.max(Math.min(usualLead, room >> 1), room - right.characters.length);
  const roughly = Math.max(0, kept.from - lead);
  const start = wordStart(characters, roughly, kept.from);
  const end = wordEnd(characters, Math.min(characters.length, roughly + excerptLength), kept.to);
  const isCutBefore = whole.isCutBefore || start > 0 || offset + left.end > 0;
  const isCutAfter = whole.isCutAfter || end < characters.length || offset + right.end < text.length;
  const shown = characters.slice(start, end).join('').trim();
  return printable(`${isCutBefore ? '… ' : ''}${shown}${isCutAfter ? ' …' : ''}`).toWellFormed();
}

interface Walked {
  readonly characters: readonly string[];
  /** How far it went. */
  readonly end: number;
}

/** Character by character, as far as an excerpt can go, with every run of blanks made one, that of a neighbour included. */
function walk(text: string, from: number, next: (place: number) => number, neighbour = ''): Walked {
  const characters: string[] = [];
  for (let place = from; ; ) {
    const to = next(place);
    // One more than is shown tells whether a word goes on.
    if (to === place || characters.length > excerptLength) return { characters, end: place };
    const written = text.slice(Math.min(place, to), Math.max(place, to));
    const character = blank.test(written) ? written.replace(/\s+/gu, ' ') : written;
    if (character !== ' ' || (characters.at(-1) ?? neighbour) !== ' ') characters.push(character);
    place = to;
  }
}

/** The next word border, unless it is far or would skip what is to be shown. */
function wordStart(characters: readonly string[], start: number, kept: number): number {
  if (start === 0 || characters[start - 1] === ' ') return start;
  const blank = characters.indexOf(' ', start);
  return blank === -1 || blank >= kept || blank - start > excerptLength / 8 ? start : blank + 1;
}

/** The last word border, unless that would leave out what is to be shown, or much else. */
function wordEnd(characters: readonly string[], end: number, kept: number): number {
  if (end === characters.length || characters[end] === ' ') return end;
  const blank = characters.lastIndexOf(' ', end);
  return blank >= kept && blank > end - excerptLength / 4 ? blank : end;
}
