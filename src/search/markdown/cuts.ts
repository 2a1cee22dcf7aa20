import { blockBreak, type Cut, createReader, type Reader } from './reader.ts';

const special = /[`*_~[\]<&\\|\n]/g;
const punctuation = /[!-/:-@[-`{-~]/;

/** Patterns with a limit on the characters that each reads: there may be a match at every place of a text. */
const target = /\((?:[^()\n\\]|\\[^\n]|\([^()\n]{0,200}\)){0,1000}\)/y;
const reference = /\[[^[\]\n]{1,100}\]/y;
const footnote = /\[\^[^\]\s]{1,50}\]/y;
const address = /<((?:https?:|mailto:)[^\s<>]{1,1000}|[^\s<>@]{1,100}@[^\s<>@]{1,200})>/y;
const tag = /<(\/?)([a-z][a-z0-9_-]{0,40})(\s[^<>]{0,1000}|\/)?>/iy;
const closingTag = /<\/([a-z][a-z0-9_-]{0,40})>/gi;
const entity = /&(?:#(\d{1,7})|([a-z]{2,5}));/iy;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/**
 * Names of HTML tags. Another bare word in angle brackets is there for a reader to fill in, unless it is closed
 * somewhere.
 */
const inlineNames = namesOf('a b code del em font i kbd mark s samp small span strong sub sup u');
const blockNames = namesOf(
  'br center dd details div dl dt h1 h2 h3 h4 h5 h6 hr img li ol p picture pre section source summary table tbody td th thead tr ul',
);

/**
 * Finds the marks of Markdown and HTML in a text from some line on, in order. It knows as much of both as is usual, and
 * goes forward only.
 */
export function cutsFrom(text: string, start: number, code: 'kept' | 'cut'): readonly Cut[] {
  const reader = createReader(text);
  const { cut, cuts, matchAt } = reader;
  const emphasis = createEmphasis(reader);
  const links = createLinks(reader);
  const blocks = createBlocks(reader, start, code, () => {
    emphasis.reset();
    links.reset();
  });
  const handlers: Readonly<Record<string, (at: number) => number>> = {
    '`': createCodeSpans(reader),
    '*': emphasis.read,
    _: emphasis.read,
    '~': emphasis.read,
    '[': links.open,
    ']': links.close,
    '<': createAngles(reader),
    '|': blocks.bar,
    '\n': (at) => blocks.beginLine(blocks.endLine(at)),
    '&': (at) => {
      const [whole = '', number, name = ''] = matchAt(entity, at) ?? [];
      const means = number === undefined ? entities[name.toLowerCase()] : characterOf(Number(number));
      return means === undefined ? at + 1 : cut(at, at + whole.length, means);
    },
    '\\': (at) => {
      const next = text[at + 1] ?? '';
      if (next === '\n') return cut(at, at + 1);
      return punctuation.test(next) ? cut(at, at + 1) + 1 : at + 1;
    },
  };
  const isComment = start > 0 && text.lastIndexOf('<!--', start) > text.lastIndexOf('-->', start);
  let at = isComment ? cut(start, commentEnd(text, start), ' ') : blocks.beginLine(start);
  for (let found = matchAt(special, at); found !== null; found = matchAt(special, at)) {
    at = (handlers[found[0]] as (at: number) => number)(found.index);
  }
  return cuts.sort((a, b) => a.from - b.from);
}

function createCodeSpans({ text, cut, runEnd }: Reader): (at: number) => number {
  /** Lengths of backtick runs of which no more come. */
  const spent = new Set<number>();
  return (at) => {
    const end = runEnd(at);
    const length = end - at;
    if (spent.has(length)) return end;
    for (const { 0: run, index } of text.slice(end).matchAll(/`+/g)) {
      if (run.length !== length) continue;
      const isOneParagraph = !/\n[ \t]*\n/.test(text.slice(end, end + index));
      if (!isOneParagraph) return end;
      cut(at, end);
      return cut(end + index, end + index + length);
    }
    spent.add(length);
    return end;
  };
}

function createLinks({ text, cut, matchAt }: Reader) {
  let opened: number[] = [];
  return {
    open: (at: number): number => {
      const note = matchAt(footnote, at);
      if (note !== null) return cut(at, at + note[0].length);
      opened.push(at);
      return at + 1;
    },
    close: (at: number): number => {
      const open = opened.pop();
      if (open === undefined) return at + 1;
      const before = text[open - 1] ?? '';
      // Two pairs of brackets behind a word are code, not a link.
      const to = matchAt(target, at + 1) ?? (/\w/.test(before) ? null : matchAt(reference, at + 1));
      if (to === null) return at + 1;
      cut(before === '!' ? open - 1 : open, open + 1);
      cut(at, at + 1);
      return cut(at + 1, at + 1 + to[0].length);
    },
    reset: (): void => {
      opened = [];
    },
  };
}

/** Creates the reader of comments, addresses and tags. */
function createAngles({ text, cut, matchAt }: Reader): (at: number) => number {
  let closed: ReadonlySet<string> | undefined;
  const isTag = (slash: string, name: string, rest: string): boolean => {
    if (slash !== '' || rest !== '' || inlineNames.has(name) || blockNames.has(name)) return true;
    closed ??= new Set(Array.from(text.matchAll(closingTag), ([, one]) => (one as string).toLowerCase()));
    return closed.has(name);
  };
  return (at) => {
    if (text.startsWith('<!--', at)) return cut(at, commentEnd(text, at + 4), ' ');
    const link = matchAt(address, at)?.[0].length ?? 0;
    if (link > 0) {
      cut(at, at + 1);
      return cut(at + link - 1, at + link);
    }
    const [whole = '<', slash = '', written = '', rest = ''] = matchAt(tag, at) ?? [];
    const [name, end] = [written.toLowerCase(), at + whole.length];
    return name !== '' && isTag(slash, name, rest) ? cut(at, end, inlineNames.has(name) ? '' : ' ') : end;
  };
}

function commentEnd(text: string, from: number): number {
  const end = text.indexOf('-->', from);
  return end === -1 ? text.length : end + 3;
}

function characterOf(point: number): string | undefined {
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

const letter = /[A-Za-z0-9]/;

/** Creates the reader of asterisks, underscores and tildes, which are marks where two runs enclose something. */
function createEmphasis({ text, cut, runEnd }: Reader) {
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

/** Patterns that are tried at the start of a line. Each is tried once for a line, and none of them can backtrack. */
const onlyMarks = /[ \t]*[-=*_|:+][-=*_|:+ \t]*$/my;
const definition = / {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S[^\n]*$/my;
const quote = /(?:[ \t]*>)*[ \t]*/y;
const marker = /(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)+/y;
const hashes = /#{1,6}[ \t]+/y;

interface Blocks {
  /** Reads the marks before the text of a line. */
  readonly beginLine: (at: number) => number;
  readonly endLine: (at: number) => number;
  /** Reads a bar, which separates the cells of a table. */
  readonly bar: (at: number) => number;
}

/** Creates the reader of fences, headings, lists, quotes, tables and rules. Calls back whenever a paragraph is over. */
function createBlocks(reader: Reader, start: number, code: 'kept' | 'cut', onBlock: () => void): Blocks {
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
