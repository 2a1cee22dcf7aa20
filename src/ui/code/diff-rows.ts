import { type Change, changesOf, linesOf } from '../../core/text/diff.ts';

/** A stretch of a line; marked where it is what differs from the line on the other side. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A line of one side. */
export interface DiffLine {
  readonly number: number;
  readonly pieces: readonly Piece[];
  /** The line end; empty at the end of some texts. */
  readonly end: '' | '\n' | '\r\n';
}

/** A line on both sides, or on one of them alone. */
export interface DiffRow {
  readonly old: DiffLine | null;
  readonly fresh: DiffLine | null;
  readonly isChanged: boolean;
}

/** Characters up to which two lines are compared word by word, and up to which a line is shown. */
const longest = 2000;

/** The rows of a diff between two texts, all lines included. */
export function rowsBetween(before: string, after: string): readonly DiffRow[] {
  return rowsOf(changesOf(linesOf(before), linesOf(after)), 1, 1);
}

/** A hunk of a diff that `diff -u` wrote, with its rows. */
export interface Hunk {
  /** Name of the file, where the hunk is the first of one. */
  readonly file: string | null;
  readonly rows: readonly DiffRow[];
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The hunks of a diff as `diff -u` writes it. Lines that belong to none are left out. */
export function hunksIn(diff: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const lines = diff.split('\n');
  let file: string | null = null;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at++] ?? '';
    if (/^(?:---|\+\+\+) /.test(line) && line.slice(4) !== '/dev/null') file = line.slice(4);
    const [, old, oldCount = '1', fresh, freshCount = '1'] = hunkHead.exec(line) ?? [];
    if (old === undefined || fresh === undefined) continue;
    const changes = changesAt(lines, at, [Number(oldCount), Number(freshCount)]);
    hunks.push({ file, rows: rowsOf(changes, Number(old), Number(fresh)) });
    at += changes.length;
    file = null;
  }
  return hunks;
}

/** The changes of a hunk that begin at a line, as many as its head promised for each side. */
function changesAt(lines: readonly string[], start: number, [old, fresh]: readonly [number, number]): Change[] {
  const changes: Change[] = [];
  const left = { '-': old, '+': fresh, ' ': Math.max(old, fresh) };
  // Either side may end with a line that says that there is no line end.
  for (const [at, line] of lines.slice(start, start + old + fresh + 2).entries()) {
    const sign = line.slice(0, 1);
    if (sign === '\\') continue;
    if (!isSign(sign) || left[sign] === 0) break;
    if (sign !== '+') left['-']--;
    if (sign !== '-') left['+']--;
    const isUnended = lines[start + at + 1]?.startsWith('\\');
    changes.push({ sign, line: line.slice(1) + (isUnended ? '' : '\n') });
  }
  return changes;
}

function isSign(text: string): text is Change['sign'] {
  return text === ' ' || text === '-' || text === '+';
}

function rowsOf(changes: readonly Change[], firstOld: number, firstFresh: number): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [old, fresh] = [firstOld, firstFresh];
  let [gone, come]: [string[], string[]] = [[], []];
  const settle = (): void => {
    for (let place = 0; place < Math.max(gone.length, come.length); place++) {
      const [left, right] = [gone[place], come[place]];
      const [mine, theirs] = markedPair(left, right);
      rows.push({
        old: left === undefined ? null : lineOf(old++, left, mine),
        fresh: right === undefined ? null : lineOf(fresh++, right, theirs),
        isChanged: true,
      });
    }
    [gone, come] = [[], []];
  };
  for (const { sign, line } of changes) {
    if (sign === '-') gone.push(line);
    else if (sign === '+') come.push(line);
    else {
      settle();
      const pieces = [{ text: shown(line), isMarked: false }];
      rows.push({ old: lineOf(old++, line, pieces), fresh: lineOf(fresh++, line, pieces), isChanged: false });
    }
  }
  settle();
  return rows;
}

function lineOf(number: number, line: string, pieces: readonly Piece[]): DiffLine {
  return { number, pieces, end: line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : '' };
}

/** A line as it is shown: without its end, and no longer than anybody reads. */
function shown(line: string): string {
  const text = line.replace(/\r?\n$/, '');
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

/** Two lines that stand side by side, with what differs between them marked; nothing is where they share little. */
function markedPair(left = '', right = ''): readonly [readonly Piece[], readonly Piece[]] {
  const [mine, theirs] = [shown(left), shown(right)];
  const plain = [[{ text: mine, isMarked: false }], [{ text: theirs, isMarked: false }]] as const;
  if (mine === '' || theirs === '' || mine.length > longest || theirs.length > longest) return plain;
  const changes = changesOf(wordsOf(mine), wordsOf(theirs));
  const kept = changes.filter(({ sign, line }) => sign === ' ' && /[\p{L}\p{N}]/u.test(line));
  const share = kept.reduce((sum, { line }) => sum + line.length, 0) / Math.max(mine.length, theirs.length);
  if (share < 0.3) return plain;
  return [piecesOf(changes, '-'), piecesOf(changes, '+')];
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** One side of changes within a line; words that follow one another are one piece. */
function piecesOf(changes: readonly Change[], side: '-' | '+'): readonly Piece[] {
  const pieces: { text: string; isMarked: boolean }[] = [];
  for (const { sign, line } of changes) {
    if (sign !== ' ' && sign !== side) continue;
    const last = pieces.at(-1);
    if (last !== undefined && last.isMarked === (sign === side)) last.text += line;
    else pieces.push({ text: line, isMarked: sign === side });
  }
  return pieces;
}

/** A stretch of rows: some to be shown, or unchanged ones to be folded away. */
export interface Stretch {
  readonly isFolded: boolean;
  readonly rows: readonly DiffRow[];
}

/** Lines around a change that are shown with it. */
const context = 3;

/** Folds what is far from any change. A fold of a line or two would hide less than it takes up. */
export function stretchesOf(rows: readonly DiffRow[]): readonly Stretch[] {
  const near = new Uint8Array(rows.length);
  for (const [place, { isChanged }] of rows.entries()) {
    if (isChanged) near.fill(1, Math.max(0, place - context), place + context + 1);
  }
  const stretches: Stretch[] = [];
  for (let start = 0; start < rows.length; ) {
    let end = start;
    while (end < rows.length && near[end] === near[start]) end++;
    const isFolded = near[start] === 0 && end - start > 2;
    stretches.push({ isFolded, rows: rows.slice(start, end) });
    start = end;
  }
  return stretches;
}
