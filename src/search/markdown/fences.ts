/** What is open at some place. */
export interface Fence {
  /** The marks that opened it; empty outside of one. */
  readonly marks: string;
  /** Whether Markdown stands in it, and no code. */
  readonly isText: boolean;
}

/** A line that begins with three backticks or tildes. */
export interface FenceLine {
  /** Where the marks begin, and where what follows them does. */
  readonly from: number;
  readonly to: number;
  /** What is open after it. */
  readonly after: Fence;
}

export const noFence: Fence = { marks: '', isText: false };

/** Longer than what may stand before a fence on its line. */
const longestPrefix = 24;
const prefixOf = /\n[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/;
/** So much of what follows the marks is looked at. */
const longestInfo = 200;

/** The fences of a text that begins outside of one. */
export function fencesIn(text: string): readonly FenceLine[] {
  const lines = Array.from(text.matchAll(/`{3,}|~{3,}/g))
    .filter(({ index }) => prefixOf.test(beforeOf(text, index)))
    .map(({ 0: marks, index }) => ({
      from: index,
      to: index + marks.length,
      marks,
      info: infoAt(text, index + marks.length),
    }))
    // Three backticks with more of them on the same line are code within a sentence.
    .filter(({ marks, info }) => marks[0] !== '`' || !info.includes('`'));
  let open = noFence;
  return lines.map(({ from, to, marks, info }, at) => {
    const next = lines[at + 1];
    // Nobody opens another fence within one: where many files have it so, a fence was closed twice.
    const isStray = info === '' && next !== undefined && next.info !== '' && next.marks === marks;
    if (open !== noFence) open = marks.startsWith(open.marks) && info === '' ? noFence : open;
    else if (!isStray) open = { marks, isText: /^(?:markdown|md)\b/i.test(info) };
    return { from, to, after: open };
  });
}

function beforeOf(text: string, index: number): string {
  return index < longestPrefix ? `\n${text.slice(0, index)}` : text.slice(index - longestPrefix, index);
}

function infoAt(text: string, from: number): string {
  const [info = ''] = text.slice(from, from + longestInfo).split('\n', 1);
  return info.trim();
}
