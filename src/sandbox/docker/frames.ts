import type { Stream } from '../types.ts';

const headerBytes = 8;

/** The first byte of a header. Engines may send messages of their own as the third stream. */
const streams: Readonly<Record<number, Stream>> = { 1: 'stdout', 2: 'stderr', 3: 'stderr' };

/**
 * Takes the one stream of a container apart. The library's own does it by recursion over frames, and a program that
 * writes single bytes drives that into the end of the stack.
 */
export function demultiplexer(onOutput: (stream: Stream, bytes: Buffer) => void): (piece: Buffer) => void {
  const header = Buffer.alloc(headerBytes);
  let filled = 0;
  /** Bytes still to come of the frame whose header is complete. */
  let left = 0;

  const readHeader = (piece: Buffer): number => {
    const taken = piece.copy(header, filled, 0, headerBytes - filled);
    filled += taken;
    if (filled === headerBytes) left = header.readUInt32BE(4);
    return taken;
  };
  const readBody = (piece: Buffer): number => {
    const body = piece.subarray(0, left);
    const stream = streams[header[0] ?? 0];
    if (stream !== undefined) onOutput(stream, body);
    left -= body.length;
    return body.length;
  };

  return (piece) => {
    let at = 0;
    while (at < piece.length) {
      at += filled < headerBytes ? readHeader(piece.subarray(at)) : readBody(piece.subarray(at));
      if (filled === headerBytes && left === 0) filled = 0;
    }
  };
}
