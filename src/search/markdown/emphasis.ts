import type { Reader } from './reader.ts';

const letter = /[A-Za-z0-9]/;

/** Creates the reader of asterisks, underscores and tildes, which are marks where two runs enclose something. */
export function createEmphasis({ text, cut, runEnd }: Reader) {
  let opened: Record<string, { readonly at: number; readonly length: number }[]> = {};

  /** Cuts the marks that a run closes; returns how much of the run is left. */
  function close(mark: string, from: number, length: number): number {
    const open = opened[mark] ?? [];
    let left = length;
    for (let last = open.at(-1); last !== undefined && last.length <= left; last = open.at(-1)) {
      open.pop();
      cut(last.at, last.at + last.length);
      cut(from + length - left, from + length - left + last.length);
      left -= last.length;
    }
    return left;
  }

  return {
    read: (at: number): number => {
      const mark = text[at] as string;
      const end = runEnd(at);
      const length = end - at;
      if (length > 3 || (mark === '~' && length !== 2)) return end;
      const [before, after] = [text[at - 1] ?? ' ', text[end] ?? ' '];
      // In the middle of a word they belong to it: snake_case, 2*3.
      const isPart = (neighbour: string) => (mark === '_' || length === 1) && letter.test(neighbour);
      const mayClose = /\S/.test(before) && !isPart(after);
      const mayOpen = /\S/.test(after) && !isPart(before);
      const left = mayClose ? close(mark, at, length) : length;
      if (mayOpen && left === length) {
        opened[mark] ??= [];
        opened[mark].push({ at, length });
      }
      return end;
    },
    /** Forgets open marks: none reaches beyond a paragraph. */
    reset: (): void => {
      opened = {};
    },
  };
}
