import { readRange } from '../kernel/files.ts';
import { lineLimit } from './record.ts';

const blockBytes = 1 << 18;
const newline = 0x0a;

/** No record is longer. Of a line that is, so much is kept that it can be seen to be none. */
const longest = 2 * lineLimit;

/** A whole line. */
export interface Line {
  /** Without its end. */
  readonly bytes: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

/** The whole lines from one place to another. What follows the last line end is none. */
export function* linesForward(descriptor: number, from: number, to: number): Generator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  for (let at = from; at < to; ) {
    const block = readRange(descriptor, at, Math.min(blockBytes, to - at));
    if (block.length === 0) return;
    let start = 0;
    for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
      const piece = block.subarray(start, end);
      yield { bytes: rest.length === 0 ? piece : Buffer.concat([rest, piece]), end: at + end + 1 };
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    rest = Buffer.concat([rest, block.subarray(start)]).subarray(0, longest);
    at += block.length;
  }
}

/** The same lines, the last one first. Who wants few of them says how much to read at first. */
export function* linesBackward(descriptor: number, to: number, firstBytes = blockBytes): Generator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let lineEnd: number | null = null; // where the line ends whose beginning is looked for
  let blockSize = firstBytes;
  for (let at = to; at > 0; ) {
    const length = Math.min(blockSize, at);
    blockSize = blockBytes;
    at -= length;
    const block = readRange(descriptor, at, length);
    let end = block.length;
    for (let place = block.lastIndexOf(newline); place !== -1; place = newlineBefore(block, place)) {
      const piece = block.subarray(place + 1, end);
      if (lineEnd !== null) yield { bytes: rest.length === 0 ? piece : Buffer.concat([piece, rest]), end: lineEnd };
      rest = Buffer.alloc(0);
      lineEnd = at + place + 1;
      end = place;
    }
    rest = Buffer.concat([block.subarray(0, end), rest]).subarray(-longest);
  }
  if (lineEnd !== null) yield { bytes: rest, end: lineEnd };
}

function newlineBefore(block: Buffer, place: number): number {
  return place === 0 ? -1 : block.lastIndexOf(newline, place - 1);
}
