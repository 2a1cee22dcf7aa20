import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { entriesOf, isThere, readRange, statOf } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import { stateFolder } from '../../core/disk/own-folders.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import {
  choice,
  count,
  type Infer,
  named,
  nullable,
  number,
  object,
  optional,
  text,
  time,
} from '../../core/schema/schema.ts';
import { redacted, withoutSecretLooks } from '../../core/text/secret-names.ts';
import { byText, cut, oneLine } from '../../core/text/text.ts';
import { closeFiles, followTail, linesBackward, type OpenFile, openFile } from './log-files.ts';

export const activityKinds = ['searched', 'loaded', 'ran', 'granted', 'revoked', 'edited', 'changed'] as const;
export type ActivityKind = (typeof activityKinds)[number];
/** Kinds that this log has; the audit log has the others. */
export const notedKinds = ['searched', 'loaded', 'edited', 'changed'] as const satisfies readonly ActivityKind[];

/** Something that an agent or a person did with skills. */
export const activityRowSchema = named(
  'ActivityRow',
  object({
    time: time(),
    what: choice(activityKinds),
    client: text('The name an MCP client gives itself, or cli, console, library.'),
    user: optional(text('Who granted or revoked something, as the system names them.')),
    skill: nullable(text(), 'Null for a search.'),
    detail: nullable(
      text(),
      'What was looked for, the tool that was run, the file that was loaded or edited, or what was granted or revoked.',
    ),
    hits: nullable(count(), 'How many were found, for a search.'),
    outcome: text('`ok`, or why not.'),
    durationMs: number(),
    execution: nullable(text(), 'Its id in the audit log, for a run, a grant and a revocation.'),
  }),
);
export type ActivityRow = Infer<typeof activityRowSchema>;

/** An event as it is written down. */
export interface ActivityEvent extends Omit<ActivityRow, 'execution' | 'user'> {
  readonly what: (typeof notedKinds)[number];
}

interface ActivityPlaces {
  readonly folder: string;
  /** The file being written; full ones lie beside it, named by the time they were put aside. */
  readonly current: string;
}

const currentName = 'activity.jsonl';

function activityPlaces(environment: Environment): ActivityPlaces {
  const folder = join(stateFolder(environment), 'activity');
  return { folder, current: join(folder, currentName) };
}

const fullName = /^activity-\d{13}-\d+\.jsonl$/;

/** A name for a full file that no other process chooses, even where two put a file aside at the same time. */
function nameForFull(): string {
  return `activity-${String(Date.now()).padStart(13, '0')}-${process.pid}.jsonl`;
}

/** The names of the full files, the newest first. */
function fullNames(folder: string): readonly string[] {
  const entries = entriesOf(folder);
  if (!entries.ok) return [];
  const names = entries.value.map(({ name }) => name).filter((name) => fullName.test(name));
  return names.sort((a, b) => byText(b, a));
}

/** Characters kept of each text. Whichever these are, a line stays below 4 KiB, and is written in one piece. */
const longest = { client: 80, skill: 160, detail: 200, outcome: 40 } as const;
/** Characters of a text that are examined; the rest is ignored. */
const looked = 1000;

/** The line for an event, with its line end. Whatever looks like a secret is left out, as in the audit log. */
export function lineOf(event: ActivityEvent): string {
  const { time, what, client, skill, detail, hits, outcome, durationMs } = event;
  const safe = detail === null ? null : withoutSecretLooks(detail.slice(0, looked), redacted);
  const kept = {
    time,
    what,
    client: shortened(client, longest.client),
    skill: skill === null ? null : shortened(skill, longest.skill),
    detail: safe === null ? null : shortened(safe, longest.detail),
    hits,
    outcome: shortened(outcome, longest.outcome),
    durationMs,
  };
  return `${JSON.stringify(kept)}\n`;
}

function shortened(text: string, length: number): string {
  const line = oneLine(text.slice(0, looked).toWellFormed());
  return line.length <= length ? line : cut(line, length); // counting characters takes a while
}

/** The event in a line; null for half a line, and for lines that somebody else has written. */
export function eventIn(line: Buffer): ActivityEvent | null {
  let value: Partial<ActivityEvent> | null;
  try {
    value = JSON.parse(line.toString('utf8')) as Partial<ActivityEvent> | null;
  } catch {
    return null;
  }
  return typeof value === 'object' && value !== null && isEvent(value) ? value : null;
}

function isEvent(value: Partial<ActivityEvent>): value is ActivityEvent {
  const { time, what, client, skill, detail, hits, outcome, durationMs } = value;
  return (
    notedKinds.some((kind) => kind === what) &&
    typeof time === 'string' &&
    !Number.isNaN(Date.parse(time)) &&
    [client, outcome].every((text) => typeof text === 'string') &&
    [skill, detail].every((text) => text === null || typeof text === 'string') &&
    (hits === null || Number.isFinite(hits)) &&
    Number.isFinite(durationMs)
  );
}

/** Opens a file of the log; null for one that cannot be read, since this log is a convenience, and no proof. */
function openLog(folder: string, name: string): OpenFile | null {
  try {
    const file = openFile(folder, name);
    if (file === null || fstatSync(file.descriptor).isFile()) return file;
    closeSync(file.descriptor);
  } catch {
    // See above.
  }
  return null;
}

/** Bytes read at first: most callers want the last few rows, and these fit into it. */
const firstBytes = 32 * 1024;

/**
 * Yields the events that were written down, the newest first, read from the end as far as they are asked for. Lines
 * that are not events are left out.
 */
export function* eventsBackward(environment: Environment): Generator<ActivityEvent> {
  for (const file of filesBackward(environment)) {
    try {
      for (const { bytes } of linesBackward(file.descriptor, file.size, firstBytes)) {
        const event = eventIn(bytes);
        if (event !== null) yield event;
      }
    } finally {
      closeFiles([file]);
    }
  }
}

/**
 * Yields the files of the log, the newest first. Each is opened when the newer ones are read; one that is put aside
 * meanwhile is not read twice.
 */
function* filesBackward(environment: Environment): Generator<OpenFile> {
  const { folder } = activityPlaces(environment);
  const seen = new Set<number>();
  const current = openLog(folder, currentName);
  if (current !== null) {
    seen.add(current.ino);
    yield current;
  }
  for (const name of fullNames(folder)) {
    const file = openLog(folder, name);
    if (file === null) continue;
    if (seen.has(file.ino)) closeFiles([file]);
    else yield file;
    seen.add(file.ino);
  }
}

/** Yields the events that are written down from now on, until the signal is aborted. */
export async function* followEvents(environment: Environment, signal: AbortSignal): AsyncGenerator<ActivityEvent> {
  const { folder, current } = activityPlaces(environment);
  const file = openLog(folder, currentName);
  const next = (last: OpenFile | null): OpenFile | null => {
    const now = statOf(current);
    return now.ok && now.value.ino !== last?.ino ? openLog(folder, currentName) : null;
  };
  yield* followTail({ file, offset: file?.size ?? 0, read: eventIn, next }, signal);
}

interface Sizes {
  /** Size in bytes above which a file is put aside. */
  readonly file: number;
  /** Bytes of the newest files that are kept; whatever lies behind them is removed. */
  readonly kept: number;
}

const mebibyte = 1024 * 1024;
const usual: Sizes = { file: 8 * mebibyte, kept: 16 * mebibyte };
/** Bytes written at a time: other processes write to the same file, and each piece must stay in one. */
const pieceBytes = 4096;
const newline = 0x0a;

/**
 * Appends events to a file that other processes append to as well. No lock is needed: the system appends a small piece
 * whole, and a file that two of them put aside at once is only cut in two. Throws the system's errors as they are.
 * Without a home folder, nothing is kept.
 */
export function appendEvents(environment: Environment, events: readonly ActivityEvent[], sizes: Sizes = usual): void {
  if (!isThere(environment.home)) return;
  const places = activityPlaces(environment);
  const descriptor = opened(places);
  let size: number;
  try {
    size = fstatSync(descriptor).size;
    const [torn] = size === 0 ? [newline] : readRange(descriptor, size - 1, 1);
    // A line that a killed process has left torn must not spoil the next one.
    const before = torn === newline ? '' : '\n';
    for (const piece of piecesOf(events.map(lineOf), before)) size += writeSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
  if (size >= sizes.file) putAside(places, sizes);
}

function opened({ folder, current }: ActivityPlaces): number {
  try {
    return open(current);
  } catch (error) {
    if (reasonOf(error) !== 'ENOENT') throw error;
    makeFolder(folder); // missing as yet, or removed since
    return open(current);
  }
}

function open(path: string): number {
  const descriptor = openSync(
    path,
    constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0),
    0o600,
  );
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('not a regular file');
    if ((stats.mode & 0o777) !== 0o600) fchmodSync(descriptor, 0o600);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Yields pieces of whole lines, as many as fit into each. */
function* piecesOf(lines: readonly string[], before: string): Generator<Buffer> {
  let piece = before;
  let bytes = piece.length;
  for (const line of lines) {
    const more = Buffer.byteLength(line);
    if (bytes + more > pieceBytes && bytes > 0) {
      yield Buffer.from(piece);
      [piece, bytes] = ['', 0];
    }
    piece += line;
    bytes += more;
  }
  yield Buffer.from(piece);
}

/** Puts the current file aside. Another process may have been quicker; then the file there now is small, and stays. */
function putAside({ folder, current }: ActivityPlaces, { file, kept }: Sizes): void {
  if ((statSync(current, { throwIfNoEntry: false })?.size ?? 0) < file) return;
  renameSync(current, join(folder, nameForFull()));
  let newer = 0;
  for (const name of fullNames(folder)) {
    const path = join(folder, name);
    if (newer >= kept) rmSync(path, { force: true });
    else newer += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
}
