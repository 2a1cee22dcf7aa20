import { closeSync, fstatSync } from 'node:fs';
import type { Environment } from '../../core/environment.ts';
import { closeFiles, fileAfter, linesForward, type OpenFile, openFiles, placesIn } from './log-files.ts';
import { parseRecord } from './record.ts';
import type { Link } from './types.ts';

/** A line of the log, as it is written. */
export interface LogLine extends Link {
  readonly text: string;
}

/** A place in the log from which it is read on, while others write to it. */
export interface LogCursor {
  /** Takes the lines that are there and were not taken yet, up to so many bytes; at least one where there is one. */
  take(mostBytes: number): readonly LogLine[];
  close(): void;
}

/** Opens the log behind the record of a number. Lines that are no records are left out: they were never written by us. */
export function openCursor(environment: Environment, after: number): LogCursor {
  const places = placesIn(environment);
  let [file, offset]: [OpenFile | null, number] = [fileWith(openFiles(places), after + 1), 0];

  /** The whole lines of one file behind the offset. */
  function* linesOf({ descriptor }: OpenFile): Generator<LogLine> {
    const { size } = fstatSync(descriptor);
    if (size < offset) throw new Error('the log has become shorter');
    for (const { bytes, end } of linesForward(descriptor, offset, size)) {
      const record = parseRecord(bytes);
      offset = end;
      if (record !== null && record.seq > after) yield { ...record, text: bytes.toString('utf8') };
    }
  }

  /** The whole lines behind the offset; the next file is taken up where this one has ended. */
  function* lines(): Generator<LogLine> {
    for (;;) {
      const next = fileAfter(file, places); // before reading on: nothing is added any more to a file that has one
      if (file !== null) yield* linesOf(file);
      if (next === null) return;
      if (file !== null) closeSync(file.descriptor);
      [file, offset] = [next, 0];
    }
  }

  return {
    take(mostBytes) {
      const taken: LogLine[] = [];
      let bytes = 0;
      for (const { seq, hash, text } of lines()) {
        taken.push({ seq, hash, text });
        bytes += Buffer.byteLength(text);
        if (bytes >= mostBytes) break;
      }
      return taken;
    },
    close() {
      if (file !== null) closeSync(file.descriptor);
      file = null;
    },
  };
}

/** The file in which a record is, or the first one that comes after it; the others are closed. */
function fileWith(files: readonly OpenFile[], seq: number): OpenFile | null {
  const found = files.findLast((file) => firstIn(file) <= seq) ?? files[0] ?? null;
  closeFiles(files.filter((file) => file !== found));
  return found;
}

function firstIn({ descriptor, size }: OpenFile): number {
  for (const { bytes } of linesForward(descriptor, 0, size)) {
    const record = parseRecord(bytes);
    if (record !== null) return record.seq;
  }
  return Number.POSITIVE_INFINITY;
}
