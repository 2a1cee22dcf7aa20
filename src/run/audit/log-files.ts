import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { entriesOf, isAbsent, readRange } from '../../core/disk/files.ts';
import { configFolder, stateFolder } from '../../core/disk/own-folders.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf, SkillError } from '../../core/errors.ts';
import { byText } from '../../core/text/text.ts';
import { lineLimit } from './record.ts';

/** The paths of everything. The head is kept outside the log's folder, and the key in another place altogether. */
export interface Places {
  readonly folder: string;
  /** The file being written; full ones lie beside it, numbered. */
  readonly current: string;
  readonly head: string;
  readonly lock: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

export const currentName = 'audit.jsonl';

export function placesIn(environment: Environment): Places {
  const state = stateFolder(environment);
  const folder = join(state, 'audit');
  return {
    folder,
    current: join(folder, currentName),
    head: join(state, 'audit-head'),
    lock: join(folder, '.lock'),
    privateKey: join(configFolder(environment), 'audit-key.pem'),
    publicKey: join(folder, 'audit-key.pub'),
  };
}

const fullName = /^audit-(\d{6,})\.jsonl$/;

/** The number of a full file, or null for any other name. */
export function numberOf(name: string): number | null {
  const [, digits] = fullName.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
}

export function nameOf(number: number): string {
  return `audit-${String(number).padStart(6, '0')}.jsonl`;
}

/** The names of the full files, the oldest first. */
export function fullFiles(folder: string): readonly string[] {
  const entries = entriesOf(folder);
  if (!entries.ok) return [];
  const names = entries.value.map((entry) => entry.name).filter((name) => numberOf(name) !== null);
  return names.sort((a, b) => a.length - b.length || byText(a, b));
}

const blockBytes = 1 << 18;
const newline = 0x0a;

/** Bytes kept of a line at most. No record is longer, and this much of a longer line shows that it is not a record. */
const longest = 2 * lineLimit;

/** A whole line. */
export interface Line {
  /** The line without its end. */
  readonly bytes: Buffer;
  /** Offset at which the next line begins. */
  readonly end: number;
}

/** Yields the whole lines from one offset to another. Text after the last line end is not a line. */
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

/** Yields the whole lines before an offset, the last one first. `firstBytes` is small where few are wanted. */
export function* linesBackward(descriptor: number, to: number, firstBytes = blockBytes): Generator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let lineEnd: number | null = null; // end of the line whose beginning is looked for
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

/** A file of the log as it was at one moment: it may be written on, or renamed, while it is read. */
export interface OpenFile {
  readonly name: string;
  readonly descriptor: number;
  readonly size: number;
  readonly ino: number;
}

/**
 * Number of times that the log may be found to have changed while its files are opened. Each time a whole file must
 * have filled.
 */
const attempts = 10;

/** Opens all files of the log, the oldest first. Takes no lock: starts again where a file was put aside meanwhile. */
export function openFiles(places: Places): readonly OpenFile[] {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const files: OpenFile[] = [];
    try {
      const current = openFile(places.folder, currentName);
      if (current !== null) files.push(current);
      const names = fullFiles(places.folder);
      const full = names.map((name) => openFile(places.folder, name)).filter((file) => file !== null);
      files.unshift(...full);
      const now = statSync(places.current, { throwIfNoEntry: false });
      if (full.length === names.length && now?.ino === current?.ino) return files;
    } catch (error) {
      closeFiles(files);
      if (isAbsent(reasonOf(error))) return []; // a file stands where the folder would be
      throw unreadable(error, places.folder);
    }
    closeFiles(files);
  }
  throw new SkillError('unreadable', `the audit log changes too fast to be read: ${places.folder}`);
}

export function closeFiles(files: readonly OpenFile[]): void {
  for (const { descriptor } of files) closeSync(descriptor);
}

export function openFile(folder: string, name: string): OpenFile | null {
  try {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(join(folder, name), flags);
    const { size, ino } = fstatSync(descriptor);
    return { name, descriptor, size, ino };
  } catch (error) {
    if (isAbsent(reasonOf(error))) return null;
    throw error;
  }
}

/** The file in which the log goes on, where that is another one by now. */
export function fileAfter(file: OpenFile | null, { folder, current }: Places): OpenFile | null {
  const now = statSync(current, { throwIfNoEntry: false });
  if (now === undefined || now.ino === file?.ino) return null;
  const names = fullFiles(folder);
  const place = names.findIndex((name) => inodeOf(join(folder, name)) === file?.ino);
  return openFile(folder, (place === -1 ? undefined : names[place + 1]) ?? currentName);
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function unreadable(error: unknown, folder: string): SkillError {
  return new SkillError('unreadable', `the audit log cannot be read (${reasonOf(error)}): ${folder}`, {
    hint: 'Only the user whose executions are in it may read it.',
    cause: error,
  });
}

/** Interval of polling. At this rate it is cheaper than being notified, and works on every file system. */
const pollMs = 200;

/** The end of a log that others write to. */
interface Tail<T> {
  /** The file being written, which is taken over. */
  readonly file: OpenFile | null;
  /** Offset to begin at. */
  readonly offset: number;
  /** Reads a line; null where there is nothing in it. */
  readonly read: (line: Buffer) => T | null;
  /** The file in which the log goes on, where that is another one by now. */
  readonly next: (file: OpenFile | null) => OpenFile | null;
}

/** Yields whatever is written from now on, from file to file, until the signal is aborted. */
export async function* followTail<T>(tail: Tail<T>, signal: AbortSignal): AsyncGenerator<T, undefined> {
  let { file, offset } = tail;

  function take(): T[] {
    if (file === null) return [];
    const found: T[] = [];
    const { size } = fstatSync(file.descriptor);
    if (size < offset) offset = 0; // somebody has emptied it
    for (const { bytes, end } of linesForward(file.descriptor, offset, size)) {
      const one = tail.read(bytes);
      if (one !== null) found.push(one);
      offset = end;
    }
    return found;
  }

  function poll(): T[] {
    const found = take();
    for (let next = tail.next(file); next !== null; next = tail.next(file)) {
      found.push(...take()); // lines written before the file was put aside
      if (file !== null) closeSync(file.descriptor);
      [file, offset] = [next, 0];
      found.push(...take());
    }
    return found;
  }

  try {
    while (!signal.aborted) {
      yield* poll();
      await sleep(pollMs, undefined, { signal }).catch(() => {}); // aborted: the loop ends
    }
  } finally {
    if (file !== null) closeSync(file.descriptor);
  }
}

/** Tolerance for clocks, which are set back at times: only an item that is older by more than this ends the reading. */
export const clockMs = 24 * 60 * 60 * 1000;

/** Yields the items that are not older than a time, given the newest first; whatever lies behind them is not read. */
export function* notBefore<T>(
  items: Iterable<T>,
  timeOf: (item: T) => string,
  since: Date | undefined,
): Generator<T, undefined> {
  const from = since?.getTime() ?? Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const time = Date.parse(timeOf(item));
    if (time < from - clockMs) return;
    if (time >= from) yield item;
  }
}
