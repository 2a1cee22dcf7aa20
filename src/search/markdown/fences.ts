/** The code fence that is open at some place. */
export interface Fence {
  /** Marks that opened it; empty outside of one. */
  readonly marks: string;
  /** Whether it encloses Markdown, and not code. */
  readonly isText: boolean;
}

/** A line that begins with three backticks or tildes. */
export interface FenceLine {
  /** Start and end of the marks. */
  readonly from: number;
  readonly to: number;
  /** The fence that is open after this line. */
  readonly after: Fence;
}

export const noFence: Fence = { marks: '', isText: false };

/** Characters searched back from a fence; more than may stand before it on its line. */
const longestPrefix = 24;
const prefixOf = /\n[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/;
/** Characters of the info string that are read. */
const longestInfo = 200;

/** Finds the fences of a text that begins outside of one. */
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
    // A fence is never opened within another: files where it looks so have closed one twice.
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
