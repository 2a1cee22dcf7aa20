import { isGone } from '../../core/disk/owner.ts';
import type { Environment } from '../../core/environment.ts';
import type { OnProgress } from '../../core/progress.ts';
import {
  anything,
  choice,
  count,
  flag,
  type Infer,
  integer,
  map,
  named,
  nullable,
  number,
  object,
  optional,
  text,
  time,
} from '../../core/schema/schema.ts';
import { createSlicer } from '../../core/time-slice.ts';
import {
  clockMs,
  closeFiles,
  fileAfter,
  followTail,
  linesBackward,
  notBefore,
  type OpenFile,
  openFiles,
  type Places,
  placesIn,
} from './log-files.ts';
import { parseRecord } from './record.ts';
import type { AuditEnd, AuditEvent, AuditRecord, AuditStart } from './types.ts';

/** An execution, a grant or a change, as a reader of the log sees it. */
export const auditRowSchema = named(
  'AuditRow',
  object({
    seq: count('Its place in the log.'),
    timestamp: time('When it ended, or when it began if it has not ended.'),
    event: choice(
      ['start', 'end', 'grant', 'change'],
      '`start` if it has not ended; `grant` for what was granted or revoked, `change` for what was changed in the console.',
    ),
    id: text(),
    skill: text(),
    folder: text(),
    digest: text('Of all files of the skill.'),
    tool: text(),
    runtime: text(),
    parameters: anything('Without secrets.'),
    by: text('cli, mcp, console or library.'),
    client: optional(text('The name an MCP client gives itself.')),
    subject: optional(text('The person or program that an access token named.')),
    request: optional(text('The id of the request in the log of the server.')),
    trace: optional(text('The id of the distributed trace that it is part of.')),
    server: optional(text('The server that was asked.')),
    worker: optional(text('The worker that ran it.')),
    user: optional(text('Of a grant or a change: the user who made it.')),
    operation: optional(text('Of a change: what was done, such as edit.')),
    unsafe: flag('Whether it ran without a sandbox.'),
    result: text('Why it ended; `running` or `lost` for those that have no end.'),
    exitCode: nullable(integer()),
    message: nullable(text()),
    durationMs: nullable(number()),
    outputBytes: nullable(number()),
    enforcement: map(text(), 'What was enforced, and by what.'),
    hash: text(),
  }),
);
export type AuditRow = Infer<typeof auditRowSchema>;

/** Conditions for the executions that are wanted, all of which must hold. */
interface AuditFilter {
  /** The full name of the skill, or the last part of it. */
  readonly skill?: string | undefined;
  readonly tool?: string | undefined;
  readonly result?: string | undefined;
  readonly id?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** The row for a record, if it has one. Lines that somebody has tampered with may hold anything. */
function rowOf(record: AuditRecord): AuditRow | null {
  if (record.event === 'grant' || record.event === 'change') return decisionRow(record);
  if (record.event !== 'start' && record.event !== 'end') return null;
  const texts = [record.id, record.skill, record.tool, record.event === 'end' ? record.result : record.process];
  if (texts.some((text) => typeof text !== 'string')) return null;
  const { seq, timestamp, event, hash, id, skill, folder, digest, tool, runtime, parameters, by, unsafe } = record;
  const known = { seq, timestamp, event, hash, id, skill, folder, digest, tool, runtime, parameters, by, unsafe };
  return { ...known, ...whoIn(record), ...(record.event === 'end' ? endOf(record) : unfinished(record)) };
}

const whoKeys = ['client', 'subject', 'request', 'trace', 'server', 'worker'] as const;

/** The part of a record that says for whom something was run, as far as it is text. */
function whoIn(record: Partial<AuditStart>): Pick<AuditRow, (typeof whoKeys)[number]> {
  return Object.fromEntries(whoKeys.map((key) => [key, record[key]]).filter(([, value]) => typeof value === 'string'));
}

/** The row of what a person decided, and nothing ran for. */
function decisionRow(record: AuditRecord & { readonly event: 'grant' | 'change' }): AuditRow | null {
  const { seq, timestamp, event, hash, id, skill, parameters, by, user, result } = record;
  const about = event === 'grant' ? { folder: record.folder, digest: record.digest } : { folder: '', digest: '' };
  const operation = event === 'change' && { operation: record.operation };
  const texts = [id, skill, result, user, ...Object.values(operation)];
  if (texts.some((text) => typeof text !== 'string')) return null;
  const known = {
    seq,
    timestamp,
    event,
    hash,
    id,
    skill,
    ...about,
    parameters,
    by,
    ...whoIn(record),
    user,
    ...operation,
  };
  return { ...known, tool: '', runtime: '', unsafe: false, ...nothingRan, result };
}

const nothingRan = { exitCode: null, message: null, durationMs: null, outputBytes: null, enforcement: {} };

type Ending = Omit<AuditRow, keyof AuditStart | 'seq' | 'timestamp' | 'event' | 'hash' | 'user' | 'operation'>;

function endOf({ result, exitCode, message, durationMs, outputBytes, enforcement }: AuditEnd): Ending {
  return {
    result,
    exitCode,
    message: typeof message === 'string' ? message : null,
    durationMs: Number(durationMs),
    outputBytes: Number(outputBytes),
    enforcement,
  };
}

/**
 * The ending of an execution without one. Its process may live where we cannot check; then it is said to be lost only
 * when it should have ended long ago.
 */
function unfinished({ process, timestamp }: { readonly process: string; readonly timestamp: string }): Ending {
  const result = isGone(process, Date.parse(timestamp)) ? 'lost' : 'running';
  return { ...nothingRan, result };
}

function fits(row: AuditRow, filter: AuditFilter): boolean {
  const { since, until } = filter;
  const asked = (['tool', 'result', 'id'] as const).filter((key) => filter[key] !== undefined);
  const time = Date.parse(row.timestamp);
  return (
    asked.every((key) => row[key] === filter[key]) &&
    (filter.skill === undefined || isNamed(row.skill, filter.skill)) &&
    (since === undefined || time >= since.getTime()) &&
    (until === undefined || time <= until.getTime())
  );
}

/** Whether a name means this full name: the whole of it, or its last part. */
export function isNamed(full: string, name: string): boolean {
  return full === name || full.endsWith(`:${name}`) || full.endsWith(`/${name}`);
}

export interface ReadOptions extends AuditFilter {
  /** Number of the last rows to return; all if absent. */
  readonly limit?: number | undefined;
  /** Signal that ends following. With it, executions that end from now on are returned too. */
  readonly follow?: AbortSignal | undefined;
  /** Whether, while following, executions that begin are returned too: then most come twice. */
  readonly begun?: 'reported' | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Yields the executions that were written down, the newest last. Nothing is checked: that is what verifying is for. */
export async function* readAudit(environment: Environment, options: ReadOptions = {}): AsyncGenerator<AuditRow> {
  const places = placesIn(environment);
  const files = [...openFiles(places)];
  try {
    yield* await lastRows(files, options);
    if (options.follow === undefined) return;
    for await (const record of followLog(places, files.pop() ?? null, options.follow)) {
      // A start is not reported before its end, unless asked for: an execution is one row.
      const row = record.event !== 'start' || options.begun === 'reported' ? rowOf(record) : null;
      if (row !== null && fits(row, options)) yield row;
    }
  } finally {
    closeFiles(files);
  }
}

/** Reads rows from the end, so that few rows of a long log come quickly, and each end is met before its start. */
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

/** The row of a record that was not overtaken by a later one: an execution by its end, a change by its failure. */
function newRow(record: AuditRecord, ended: Set<string>): AuditRow | null {
  const isChange = record.event === 'change';
  if (record.event === 'end' || (isChange && record.result === 'not_changed')) ended.add(record.id);
  else if ((record.event === 'start' || isChange) && ended.delete(record.id)) return null;
  return rowOf(record);
}

function* recordsBackward(
  files: readonly OpenFile[],
  isWanted: (line: Buffer) => boolean = () => true,
): Generator<AuditRecord> {
  for (const { descriptor, size } of files.toReversed()) {
    for (const { bytes } of linesBackward(descriptor, size)) {
      const record = isWanted(bytes) ? parseRecord(bytes) : null;
      if (record !== null) yield record;
    }
  }
}

/** Yields the records written from now on, from file to file, until the signal is aborted. Takes over the file. */
async function* followLog(places: Places, from: OpenFile | null, signal: AbortSignal): AsyncGenerator<AuditRecord> {
  yield* followTail(
    {
      ...{ file: from, offset: from === null ? 0 : endOfLines(from) },
      ...{ read: parseRecord, next: (file) => fileAfter(file, places) },
    },
    signal,
  );
}

function endOfLines({ descriptor, size }: OpenFile): number {
  const [last] = linesBackward(descriptor, size);
  return last?.end ?? 0;
}

/** The record of an execution that has ended. */
export type EndRecord = Extract<AuditRecord, { readonly event: 'end' }>;

/** Bytes at the beginning of a record within which its event stands: number, time and hash come before. */
const headBytes = 192;

/**
 * Yields the executions that have ended, the newest first, read as far as they are asked for. Meant for counting: start
 * records, the other half of the log, are not even parsed.
 */
export function* endsBackward(environment: Environment, since: Date | undefined): Generator<EndRecord> {
  for (const record of markedBackward(environment, since, ['end'])) {
    if (record.event === 'end' && isSound(record)) yield record;
  }
}

/** Yields the executions that have ended and what was granted and revoked in between, the newest first. */
export function* rowsBackward(environment: Environment, since: Date | undefined): Generator<AuditRow> {
  for (const record of markedBackward(environment, since, ['end', 'grant'])) {
    const row = rowOf(record);
    if (row !== null && typeof row.by === 'string') yield row;
  }
}

/** Yields the records of these events, the newest first. Others are not even parsed. */
function* markedBackward(
  environment: Environment,
  since: Date | undefined,
  events: readonly AuditEvent[],
): Generator<AuditRecord> {
  const marks = events.map((event) => Buffer.from(`"event":"${event}"`));
  const files = openFiles(placesIn(environment));
  try {
    const records = recordsBackward(files, (line) => marks.some((mark) => isMarked(line, mark)));
    yield* notBefore(records, ({ timestamp }) => timestamp, since);
  } finally {
    closeFiles(files);
  }
}

function isMarked(line: Buffer, mark: Buffer): boolean {
  const place = line.indexOf(mark);
  return place !== -1 && place < headBytes;
}

/** Whether a record has the fields of its kind: lines that somebody has tampered with may hold anything. */
function isSound({ id, skill, tool, result, by }: EndRecord): boolean {
  return [id, skill, tool, result, by].every((text) => typeof text === 'string');
}
