import { positionAt } from '../../../core/diagnostics.ts';

/** A piece of text that replaces another. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function insertAt(at: number, text: string): Splice {
  return { from: at, to: at, text };
}

export function cutOut(from: number, to: number): Splice {
  return { from, to, text: '' };
}

/** Applies all splices at once: their offsets are those in the given text. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const splice of [...splices].sort((one, other) => one.from - other.from)) {
    parts.push(text.slice(at, splice.from), splice.text);
    at = splice.to;
  }
  return parts.join('') + text.slice(at);
}

export function lineAt(text: string, offset: number): number {
  return positionAt(text, offset).line;
}

/** The line ending of a text; its first line decides. */
export function newlineOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** One level of indentation, as in the first indented line. */
export function unitOf(text: string): string {
  const first = /^([ \t]+)[^\s*/#-]/m.exec(text)?.[1] ?? '  ';
  if (first.startsWith('\t')) return '\t';
  return first.length > 8 ? '  ' : first;
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The end of the line, before the characters that end it. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** The whitespace at the beginning of the line. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** Whether only whitespace stands before it on its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

function endsLine(text: string, offset: number): boolean {
  return offset >= text.length || /^\r?\n/.test(text.slice(offset, offset + 2));
}

/**
 * The end of the comments that follow a line without a gap, and have one behind them: they still speak of what is
 * above.
 */
export function commentsBelow(text: string, end: number, indent: string): number {
  const comments = new RegExp(`^(?:\\r?\\n${indent}[ \\t]*#[^\\r\\n]*)+(?=\\r?\\n[ \\t]*(?:\\r?\\n|$)|$)`);
  return end + (comments.exec(text.slice(end))?.[0].length ?? 0);
}

/** Removes lines, with the line ends before them, up to that number; or, at the top, with the one behind. */
export function withoutLines(text: string, from: number, to: number, newlines: 1 | 2): Splice {
  const pattern = newlines === 1 ? /\r?\n$/ : /(?:\r?\n){1,2}$/;
  const before = pattern.exec(text.slice(Math.max(0, from - 4), from))?.[0].length ?? 0;
  if (before > 0) return cutOut(from - before, to);
  return cutOut(from, to + (/^\r?\n/.exec(text.slice(to, to + 2))?.[0].length ?? 0));
}

/** A `key: value` between brackets, in whatever format. */
export interface Member {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** The position of the comma behind it, if there is one. */
  readonly comma: number | null;
}

/** The text between brackets: from just behind the opening one to just before the closing one. */
export interface Box<M extends Member = Member> {
  readonly open: number;
  readonly close: number;
  readonly members: readonly M[];
}

/** Writes a member: over several lines with this indentation, or on one line where that is null. */
type WriteMember = (indent: string | null) => string;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The comments between two positions where only spaces, commas and comments are. */
function commentsIn(text: string, from: number, to: number, comment: RegExp): Span[] {
  const found: Span[] = [];
  for (let at = from; at < to; at++) {
    comment.lastIndex = at;
    const length = comment.exec(text)?.[0].length ?? 0;
    if (length === 0) continue;
    found.push({ from: at, to: at + length });
    at += length - 1;
  }
  return found;
}

export function hasComments(text: string, box: Box, comment: RegExp): boolean {
  const edges = [box.open, ...box.members.flatMap(({ from, to }) => [from, to]), box.close];
  return edges.some(
    (edge, index) => index % 2 === 0 && commentsIn(text, edge, edges[index + 1] ?? edge, comment).length > 0,
  );
}

/** Adds a member behind the last one, or behind the comments of a box that has nothing else. */
export function added(text: string, box: Box, comment: RegExp, write: WriteMember): Splice[] {
  const last = box.members.at(-1);
  const from = last === undefined ? box.open : (last.comma ?? last.to - 1) + 1;
  const comments = commentsIn(text, from, box.close, comment);
  // A comment on the line of the last member speaks of that one, and stays with it.
  const passed = last === undefined ? comments : comments.filter((one) => isOnLine(text, from, one.from));
  const at = passed.at(-1)?.to ?? from;
  const indent = indentOfNext(text, box, passed, at);
  const lead = indent === null ? gapOf(text, box) : newlineOf(text) + indent;
  const member = insertAt(at, lead + write(indent) + (last?.comma == null ? '' : ','));
  return last === undefined || last.comma !== null ? [member] : [insertAt(last.to, ','), member];
}

function isOnLine(text: string, from: number, to: number): boolean {
  return !text.slice(from, to).includes('\n');
}

/** The indentation of a new member that is to have its own line; null where all is on one line. */
function indentOfNext(text: string, box: Box, comments: readonly Span[], at: number): string | null {
  const neighbour = box.members.at(-1) ?? comments.at(-1);
  if (neighbour !== undefined && startsLine(text, neighbour.from)) return indentAt(text, neighbour.from);
  return comments.length > 0 && endsLine(text, at) ? indentAt(text, box.open) + unitOf(text) : null;
}

/** The gap between members on one line: none, where the text is written without spaces. */
function gapOf(text: string, { members, open }: Box): string {
  const [first, second] = members;
  const gap = second === undefined || first?.comma == null ? '' : text.slice(first.comma + 1, second.from);
  if (/^ +$/.test(gap)) return gap;
  return first !== undefined && first.from === open && !/[:=] /.test(text.slice(first.from, first.to)) ? '' : ' ';
}

/** Removes a member, with its comma or the one before it, and the comment at the end of its line. */
export function removed(text: string, box: Box, index: number, comment: RegExp): Splice[] {
  const member = box.members[index];
  if (member === undefined) return [];
  const previous = box.members[index - 1];
  const edge = previous === undefined ? box.open : (previous.comma ?? previous.to - 1) + 1;
  const behind = (member.comma ?? member.to - 1) + 1;
  const next = box.members[index + 1]?.from ?? box.close;
  const tail = commentsIn(text, behind, next, comment).find((one) => isOnLine(text, behind, one.to));
  const stop = tail !== undefined && endsLine(text, tail.to) ? tail.to : behind;
  const last = commentsIn(text, edge, member.from, comment).at(-1);
  const start = last?.to ?? edge;
  // The text behind must not end up in a comment that runs to the end of its line.
  const mustBreak = last !== undefined && !text.startsWith('/*', last.from) && !endsLine(text, stop);
  const gone = cutOut(mustBreak ? lineStart(text, member.from) : start, stop);
  const isEnd = member.comma === null && previous !== undefined && previous.comma !== null;
  return isEnd ? [cutOut(previous.comma, previous.comma + 1), gone] : [gone];
}
