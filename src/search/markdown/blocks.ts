import { blockBreak, type Reader } from './reader.ts';

/** Patterns that are tried at the start of a line. Each is tried once for a line, and none of them can backtrack. */
const onlyMarks = /[ \t]*[-=*_|:+][-=*_|:+ \t]*$/my;
const definition = / {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S[^\n]*$/my;
const quote = /(?:[ \t]*>)*[ \t]*/y;
const marker = /(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)+/y;
const hashes = /#{1,6}[ \t]+/y;

export interface Blocks {
  /** Reads the marks before the text of a line. */
  readonly beginLine: (at: number) => number;
  readonly endLine: (at: number) => number;
  /** Reads a bar, which separates the cells of a table. */
  readonly bar: (at: number) => number;
}

/** Creates the reader of fences, headings, lists, quotes, tables and rules. Calls back whenever a paragraph is over. */
export function createBlocks(reader: Reader, start: number, code: 'kept' | 'cut', onBlock: () => void): Blocks {
  const { text, cut, matchAt, lineEnd } = reader;
  const lengthAt = (pattern: RegExp, at: number): number => matchAt(pattern, at)?.[0].length ?? 0;
  const isCode = ({ marks, isText }: Fence): boolean => marks !== '' && (code === 'cut' || !isText);
  const fences = fencesIn(text);
  let next = fences.findIndex(({ from }) => from >= start);
  if (next === -1) next = fences.length;
  let open = fences[next - 1]?.after ?? noFence;
  let [isTable, isHeading] = [false, false];

  function beginText(at: number): number {
    const begun = at + lengthAt(quote, at);
    const listed = begun + lengthAt(marker, begun);
    const headed = listed + lengthAt(hashes, listed);
    isHeading = headed > listed;
    isTable = text[headed] === '|';
    const isNew = headed > begun || isTable || headed === lineEnd(at);
    if (isNew) onBlock();
    return cut(at, isTable ? headed + 1 : headed, isNew ? blockBreak : '');
  }

  return {
    beginLine: (at) => {
      const end = lineEnd(at);
      const fence = fences[next];
      [isTable, isHeading] = [false, false];
      if (fence !== undefined && fence.from < end) {
        next++;
        open = fence.after;
        onBlock();
        // The rest of the line is a cut of its own: the name of a language may be what was searched for.
        return cut(cut(at, fence.to, blockBreak), end, blockBreak);
      }
      if (isCode(open)) return code === 'cut' ? cut(at, end, blockBreak) : end;
      if (lengthAt(onlyMarks, at) === 0 && lengthAt(definition, at) === 0) return beginText(at);
      onBlock();
      return cut(at, end, blockBreak);
    },
    endLine: (at) => (isHeading ? cut(at, at + 1, blockBreak) : at + 1),
    bar: (at) => (isTable ? cut(at, at + 1, blockBreak) : at + 1),
  };
}

/** The code fence that is open at some place. */
interface Fence {
  /** Marks that opened it; empty outside of one. */
  readonly marks: string;
  /** Whether it encloses Markdown, and not code. */
  readonly isText: boolean;
}

/** A line that begins with three backticks or tildes. */
interface FenceLine {
  /** Start and end of the marks. */
  readonly from: number;
  readonly to: number;
  /** The fence that is open after this line. */
  readonly after: Fence;
}

const noFence: Fence = { marks: '', isText: false };

/** Characters searched back from a fence; more than may stand before it on its line. */
const longestPrefix = 24;
const prefixOf = /\n[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/;
/** Characters of the info string that are read. */
const longestInfo = 200;

/** Finds the fences of a text that begins outside of one. */
function fencesIn(text: string): readonly FenceLine[] {
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
