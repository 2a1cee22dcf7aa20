import { positionAt } from '../../kernel/diagnostics.ts';

/** A piece of text to be put in the place of another. */
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

/** All of them at once: their places are those in the text as it is given. */
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

/** How this text ends its lines; its first line decides. */
export function newlineOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** One level of indentation, as its first indented line has it. */
export function unitOf(text: string): string {
  const first = /^([ \t]+)[^\s*/#-]/m.exec(text)?.[1] ?? '  ';
  if (first.startsWith('\t')) return '\t';
  return first.length > 8 ? '  ' : first;
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line ends, before the characters that end it. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** The blanks that the line of this place begins with. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** Whether nothing but blanks stands before it on its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

export function endsLine(text: string, offset: number): boolean {
  return offset >= text.length || /^\r?\n/.test(text.slice(offset, offset + 2));
}

/** Comments that follow a line without a gap, and have one behind them, still speak of what is above. */
export function commentsBelow(text: string, end: number, indent: string): number {
  const comments = new RegExp(`^(?:\\r?\\n${indent}[ \\t]*#[^\\r\\n]*)+(?=\\r?\\n[ \\t]*(?:\\r?\\n|$)|$)`);
  return end + (comments.exec(text.slice(end))?.[0].length ?? 0);
}

/** Takes lines out, with the line ends before them, up to that many; or, at the top, with the one behind. */
export function withoutLines(text: string, from: number, to: number, newlines: 1 | 2): Splice {
  const pattern = newlines === 1 ? /\r?\n$/ : /(?:\r?\n){1,2}$/;
  const before = pattern.exec(text.slice(Math.max(0, from - 4), from))?.[0].length ?? 0;
  if (before > 0) return cutOut(from - before, to);
  return cutOut(from, to + (/^\r?\n/.exec(text.slice(to, to + 2))?.[0].length ?? 0));
}
