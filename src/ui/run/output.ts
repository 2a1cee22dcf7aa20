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
