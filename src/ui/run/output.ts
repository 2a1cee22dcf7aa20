import { foreign } from '../parts/foreign.ts';

export type StreamName = 'stdout' | 'stderr';

/** A piece of what a run has written. */
export interface Piece {
  readonly number: number;
  readonly stream: StreamName;
  readonly text: string;
}

/** What a run has written so far, as much of it as is shown. */
export interface Written {
  readonly pieces: readonly Piece[];
  /** How much of the beginning is no longer shown. */
  readonly dropped: number;
  /** Bytes of each stream. */
  readonly bytes: Readonly<Record<StreamName, number>>;
}

export const nothingWritten: Written = { pieces: [], dropped: 0, bytes: { stdout: 0, stderr: 0 } };

const pieceLength = 8000;
const mostLength = 200_000;
const mostPieces = 1000;

/** Counts what came, before anything is taken out of it. */
export function withCount(written: Written, stream: StreamName, text: string): Written {
  const bytes = written.bytes[stream] + new TextEncoder().encode(text).length;
  return { ...written, bytes: { ...written.bytes, [stream]: bytes } };
}

/** Adds to what was written. Old pieces stay as they are, so that a page need not draw them again. */
export function withOutput(written: Written, stream: StreamName, text: string): Written {
  const pieces = [...written.pieces];
  for (let at = 0; at < text.length; ) {
    const last = pieces.at(-1);
    const isOpen = last?.stream === stream && last.text.length < pieceLength;
    const before = isOpen ? last.text : '';
    const part = text.slice(at, at + pieceLength - before.length);
    at += part.length;
    if (isOpen) pieces.pop();
    pieces.push({ number: isOpen ? last.number : (last?.number ?? 0) + 1, stream, text: before + part });
  }
  return trimmed({ ...written, pieces });
}

function trimmed({ pieces, dropped, bytes }: Written): Written {
  let length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  let [from, gone] = [0, dropped];
  while (length > mostLength || pieces.length - from > mostPieces) {
    const cut = pieces[from]?.text.length ?? 0;
    [from, gone, length] = [from + 1, gone + cut, length - cut];
  }
  return { pieces: pieces.slice(from), dropped: gone, bytes };
}

const longestSequence = 2000;
// Sequences that steer a terminal: those with parameters, those that carry a text, and short ones.
const sequences =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-OQ-WYZ\\`-~]/g;
// One that has only begun.
const unfinished = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)?$/;
// A line end of which the second half may follow.
const returns = /\r+$/;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Takes out of a stream what would steer a terminal. It may come in two pieces, so the end of one waits for the next. */
export function createCleaner(): (text: string) => string {
  const withoutSequences = inPieces(unfinished, (text) => text.replace(sequences, ''));
  // Once they are gone, what stood on both sides of one is side by side.
  const withPlainLineEnds = inPieces(returns, (text) => text.replace(/\r+\n/g, '\n').replaceAll('\r', '\n'));
  return (text) => {
    const isLast = text === '';
    const plain = withPlainLineEnds(withoutSequences(text, isLast), isLast);
    return foreign(plain.replace(controls, '')).toWellFormed();
  };
}

/** Changes a text that comes in pieces as if it came whole: an end that may belong to more is kept until that is there. */
function inPieces(open: RegExp, change: (text: string) => string): (piece: string, isLast: boolean) => string {
  let waiting = '';
  return (piece, isLast) => {
    const all = waiting + piece;
    waiting = isLast ? '' : (open.exec(all.slice(-longestSequence))?.[0] ?? '');
    return change(all.slice(0, all.length - waiting.length));
  };
}
