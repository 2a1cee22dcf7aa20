import type { Environment } from '../kernel/environment.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { createSlicer } from '../kernel/time-slice.ts';
import { followLog } from './follow.ts';
import { linesBackward } from './lines.ts';
import { placesIn } from './places.ts';
import { parseRecord } from './record.ts';
import { type AuditFilter, type AuditRow, fits, rowOf } from './rows.ts';
import { clockMs } from './since.ts';
import { closeFiles, type OpenFile, openFiles } from './snapshot.ts';
import type { AuditRecord } from './types.ts';

export interface ReadOptions extends AuditFilter {
  /** The last so many; all if not said. */
  readonly limit?: number | undefined;
  /** Go on with those that end from now on, until this is aborted. */
  readonly follow?: AbortSignal | undefined;
  /** Whether, while following, to tell of those that begin too: then most come twice. */
  readonly begun?: 'told' | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** The executions that were written down, the newest last. Nothing is checked: that is what verifying is for. */
export async function* readAudit(environment: Environment, options: ReadOptions = {}): AsyncGenerator<AuditRow> {
  const places = placesIn(environment);
  const files = [...openFiles(places)];
  try {
    yield* await lastRows(files, options);
    if (options.follow === undefined) return;
    for await (const record of followLog(places, files.pop() ?? null, options.follow)) {
      // What begins is not told of before it has ended, unless asked for: an execution is one row.
      const row = record.event !== 'start' || options.begun === 'told' ? rowOf(record) : null;
      if (row !== null && fits(row, options)) yield row;
    }
  } finally {
    closeFiles(files);
  }
}

/** Read from the end, so that few rows of a long log come quickly, and each end is met before its start. */
async function lastRows(files: readonly OpenFile[], options: ReadOptions): Promise<AuditRow[]> {
  const { limit = Number.POSITIVE_INFINITY, since } = options;
  const oldest = since === undefined ? Number.NEGATIVE_INFINITY : since.getTime() - clockMs;
  const rows: AuditRow[] = [];
  const ended = new Set<string>();
  let done = 0;
  const slicer = createSlicer(() => options.onProgress?.({ what: 'Reading records', done }));
  for (const record of recordsBackward(files)) {
    if (rows.length >= limit || Date.parse(record.timestamp) < oldest) break;
    done++;
    const row = newRow(record, ended);
    if (row !== null && fits(row, options)) rows.push(row);
    if (slicer.isDue) await slicer.pause();
  }
  return rows.reverse();
}

function newRow(record: AuditRecord, ended: Set<string>): AuditRow | null {
  if (record.event === 'end') ended.add(record.id);
  else if (record.event === 'start' && ended.delete(record.id)) return null;
  return rowOf(record);
}

function* recordsBackward(files: readonly OpenFile[]): Generator<AuditRecord> {
  for (const { descriptor, size } of files.toReversed()) {
    for (const { bytes } of linesBackward(descriptor, size)) {
      const record = parseRecord(bytes);
      if (record !== null) yield record;
    }
  }
}
