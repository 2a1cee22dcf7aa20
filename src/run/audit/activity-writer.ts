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
import { isThere, readRange } from '../../core/disk/files.ts';
import { makeFolder } from '../../core/disk/make-folder.ts';
import type { Environment } from '../../core/environment.ts';
import { reasonOf } from '../../core/errors.ts';
import { type ActivityEvent, type ActivityPlaces, activityPlaces, fullNames, lineOf, nameForFull } from './activity.ts';

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
