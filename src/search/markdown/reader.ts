/** A part of a Markdown text that is no part of what it says, and what stands there instead. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly as: string | typeof blockBreak;
}

/** Stands where one block ends and another begins. */
export const blockBreak = Symbol('break');

/** A Markdown text while its marks are collected. Whatever reads a mark returns where to go on. */
export interface Reader {
  readonly text: string;
  readonly cuts: Cut[];
  readonly cut: (from: number, to: number, as?: Cut['as']) => number;
  /** Tries a sticky expression at a place. */
  readonly matchAt: (pattern: RegExp, at: number) => RegExpExecArray | null;
  /** Where a run of the character at a place ends. */
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
