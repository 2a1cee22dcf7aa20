import { fold, printable } from '../kernel/text.ts';

const length = 160;
/** More than an excerpt can need on either side: only this much of a long text is looked at closely. */
const margin = 4 * length;

/** About 160 characters around the first place where a token stands, cut between characters and, where it can, words. */
export function excerptOf(text: string, tokens: readonly string[]): string {
  const match = firstMatch(text, tokens);
  const window = { from: Math.max(0, match - margin), to: match + margin };
  const [before, after] = [charactersOf(text.slice(window.from, match)), charactersOf(text.slice(match, window.to))];
  const characters = [...before, ...after];
  const start = Math.max(0, Math.min(before.length - length / 4, characters.length - length));
  const from = wordStart(characters, start, before.length);
  const to = wordEnd(characters, Math.min(characters.length, start + length), before.length);
  const isCutBefore = from > 0 || window.from > 0;
  const isCutAfter = to < characters.length || window.to < text.length;
  const cut = characters.slice(from, to).join('').trim();
  return printable(`${isCutBefore ? '… ' : ''}${cut}${isCutAfter ? ' …' : ''}`);
}

/** What a reader sees as one character each, with every run of blanks made one. */
function charactersOf(text: string): string[] {
  return [...new Intl.Segmenter().segment(text.replace(/\s+/gu, ' '))].map(({ segment }) => segment);
}

/**
 * Where the first of the tokens starts. The expression finds it in the text as written; only letters whose folding is
 * longer than themselves escape it, and then the place in the folded text is near enough.
 */
function firstMatch(text: string, tokens: readonly string[]): number {
  const escaped = tokens.map((token) => token.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\\-', '[-]'));
  const exact = text.search(new RegExp(escaped.join('|'), 'iu'));
  if (exact !== -1) return exact;
  const folded = fold(text);
  const places = tokens.map((token) => folded.indexOf(token)).filter((place) => place !== -1);
  const near = places.length === 0 ? 0 : Math.min(Math.min(...places), text.length);
  return isLowSurrogate(text.charCodeAt(near)) ? near - 1 : near;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The last word border, unless that would cut the match or leave little. */
function wordEnd(characters: readonly string[], end: number, match: number): number {
  if (end === characters.length || characters[end] === ' ') return end;
  const blank = characters.lastIndexOf(' ', end);
  return blank > match && blank > end - length / 4 ? blank : end;
}

/** The next word border, unless that would skip the match. */
function wordStart(characters: readonly string[], start: number, match: number): number {
  if (start === 0) return 0;
  const blank = characters.indexOf(' ', start);
  return blank === -1 || blank >= match ? start : blank + 1;
}
