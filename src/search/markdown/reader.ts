/** A stretch of Markdown syntax to be removed from a text, and what replaces it. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly as: string | typeof blockBreak;
}

/** Marks the place where one block ends and another begins. */
export const blockBreak = Symbol('break');

/** A Markdown text while its marks are collected. Functions that read a mark return where to go on. */
export interface Reader {
  readonly text: string;
  readonly cuts: Cut[];
  readonly cut: (from: number, to: number, as?: Cut['as']) => number;
  /** Tries a sticky expression at a place. */
  readonly matchAt: (pattern: RegExp, at: number) => RegExpExecArray | null;
  /** The end of a run of the character at a place. */
  readonly runEnd: (at: number) => number;
  readonly lineEnd: (at: number) => number;
}

export function createReader(text: string): Reader {
  const cuts: Cut[] = [];
  return {
    text,
    cuts,
    cut: (from, to, as = '') => {
      if (to > from) cuts.push({ from, to, as });
      return to;
    },
    matchAt: (pattern, at) => {
      pattern.lastIndex = at;
      return pattern.exec(text);
    },
    runEnd: (at) => {
      let end = at + 1;
      while (text[end] === text[at]) end++;
      return end;
    },
    lineEnd: (at) => {
      const found = text.indexOf('\n', at);
      const end = found === -1 ? text.length : found;
      return end > at && text[end - 1] === '\r' ? end - 1 : end;
    },
  };
}
