import type { Environment } from '../kernel/environment.ts';
import { linesBackward } from './lines.ts';
import { placesIn } from './places.ts';
import { parseRecord } from './record.ts';
import { notBefore } from './since.ts';
import { closeFiles, type OpenFile, openFiles } from './snapshot.ts';
import type { AuditRecord } from './types.ts';

/** The record of an execution that has ended. */
export type EndRecord = Extract<AuditRecord, { readonly event: 'end' }>;

/** What is told of a record's event stands so near to its beginning: number, time and hash come before. */
const headBytes = 192;
const mark = Buffer.from('"event":"end"');

/**
 * The executions that have ended, the newest first, read as far as they are asked for. For who counts them: the other
 * half of the log, what began, is not even parsed.
 */
export function* endsBackward(environment: Environment, since: Date | undefined): Generator<EndRecord> {
  const files = openFiles(placesIn(environment));
  try {
    yield* notBefore(endsIn(files), ({ timestamp }) => timestamp, since);
  } finally {
    closeFiles(files);
  }
}

function* endsIn(files: readonly OpenFile[]): Generator<EndRecord> {
  for (const { descriptor, size } of files.toReversed()) {
    for (const { bytes } of linesBackward(descriptor, size)) {
      const record = isEnd(bytes) ? parseRecord(bytes) : null;
      if (record?.event === 'end' && isSound(record)) yield record;
    }
  }
}

function isEnd(line: Buffer): boolean {
  const place = line.indexOf(mark);
  return place !== -1 && place < headBytes;
}

/** Lines that somebody has tampered with may hold anything. */
function isSound({ id, skill, tool, result, by }: EndRecord): boolean {
  return [id, skill, tool, result, by].every((text) => typeof text === 'string');
}
